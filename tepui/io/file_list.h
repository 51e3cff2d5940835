#pragma once

#include <string_view>
#include <vector>

#include "tepui/io/export.h"
#include "tepui/io/manifest.h"

namespace tepui {

/// The files that an output became, each with its bytes' hash. A value: immutable.
class FileList {
 public:
  static constexpr std::string_view kind_name = "files";

  FileList() = default;
  explicit FileList(std::vector<FileRecord> records) : records_(std::move(records)) {}

  const std::vector<FileRecord>& records() const { return records_; }

  size_t bytes() const { return records_.size() * sizeof(FileRecord); }
  /// Of what the records say.
  Hash hash() const;

 private:
  std::vector<FileRecord> records_;
};

}  // namespace tepui
