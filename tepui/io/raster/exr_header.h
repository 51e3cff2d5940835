#pragma once  // internal

#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>

#include <string>
#include <vector>

#include "tepui/io/file/byte_source.h"

namespace tepui {

/// A file as the library reads it, through a buffer, since it asks for single bytes.
class ExrInput : public Imf::IStream {
 public:
  explicit ExrInput(const std::string& path);

  FileSource& file() { return file_; }
  bool read(char to[], int bytes) override;
  uint64_t tellg() override { return at_; }
  void seekg(uint64_t to) override { at_ = to; }

 private:
  FileSource file_;
  uint64_t at_ = 0;
  uint64_t buffer_at_ = 0;
  std::vector<char> buffer_;
};

/// The first part of a file, once everything that the headers claim has been checked against the file's length: the
/// library believes them.
struct ExrPart {
  Imf::Header header;
  size_t parts = 1;
  double bytes_per_pixel = 0;  ///< of all channels together
  int64_t block_rows = 1;      ///< rows that are packed together
  double block_bytes = 0;      ///< what the library takes to read them
};
ExrPart check_exr_headers(const std::string& path, ExrInput& input);

}  // namespace tepui
