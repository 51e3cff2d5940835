#pragma once  // internal

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tepui/io/file/byte_source.h"

// The part of ZIP that NPZ files use: stored and deflated entries, ZIP64. Names are names, never paths of files.

namespace tepui {

struct ZipEntry {
  std::string name;
  uint16_t flags = 0, method = 0;
  uint32_t crc = 0;
  uint64_t packed_bytes = 0, bytes = 0;
  uint64_t header_offset = 0;
};

/// An archive's table of contents. At most 4096 entries are read.
class ZipArchive {
 public:
  explicit ZipArchive(const std::string& path);

  const std::vector<ZipEntry>& entries() const { return entries_; }

  /// An entry's bytes. Refuses encrypted entries, methods other than deflate, and sizes that deflate cannot reach.
  /// Whoever reads from the start to the end has the checksum checked. Deflated bytes are inflated in order; going back
  /// starts anew.
  std::unique_ptr<ByteSource> open(const ZipEntry& entry) const;

 private:
  std::shared_ptr<FileSource> file_;
  std::vector<ZipEntry> entries_;
};

/// What deflate makes of the most monotonous data.
inline constexpr double deflate_ratio = 1032;

}  // namespace tepui
