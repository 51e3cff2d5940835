#include "tepui/io/file/zip_read.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <optional>

#include "tepui/core/error.h"
#include "tepui/core/pool.h"

namespace tepui {

namespace {

constexpr size_t most_entries = 4096;
constexpr uint64_t longest_contents = 16 << 20;
constexpr size_t piece = 64 << 10;
constexpr uint64_t end_bytes = 22, longest_comment = 65535, locator_bytes = 20, end64_bytes = 56;
constexpr uint64_t entry_bytes = 46, local_bytes = 30;

/// A little-endian number of so many bytes.
uint64_t number(const char* at, int bytes) {
  uint64_t value = 0;
  for (int i = bytes - 1; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(at[i]);
  return value;
}
uint16_t number16(const char* at) { return static_cast<uint16_t>(number(at, 2)); }
uint32_t number32(const char* at) { return static_cast<uint32_t>(number(at, 4)); }

[[noreturn]] void damaged(const std::string& path, const std::string& how) {
  refuse(fmt::format("'{}' is damaged: {}", path, how));
}

std::string read_text(ByteSource& file, uint64_t offset, uint64_t bytes) {
  std::string text(static_cast<size_t>(bytes), '\0');
  file.read(offset, text.data(), text.size());
  return text;
}

/// Where the table of contents lies.
struct Contents {
  uint64_t offset = 0, bytes = 0, entries = 0;
};

Contents contents64(FileSource& file, uint64_t end) {
  if (end < locator_bytes) damaged(file.path(), "its ZIP64 end is missing");
  const std::string locator = read_text(file, end - locator_bytes, locator_bytes);
  const uint64_t at = number(locator.data() + 8, 8);
  if (!locator.starts_with("PK\6\7") || end < locator_bytes + end64_bytes || at > end - locator_bytes - end64_bytes)
    damaged(file.path(), "its ZIP64 end is missing");
  const std::string record = read_text(file, at, end64_bytes);
  if (!record.starts_with("PK\6\6")) damaged(file.path(), "its ZIP64 end is missing");
  if (number32(record.data() + 16) != 0 || number32(record.data() + 20) != 0)
    refuse(fmt::format("'{}' is one of several parts of an archive", file.path()));
  return {number(record.data() + 48, 8), number(record.data() + 40, 8), number(record.data() + 32, 8)};
}

/// From the record at the end, behind which only a comment of the stated length may follow.
Contents find_contents(FileSource& file) {
  const uint64_t tail_bytes = std::min(file.size(), end_bytes + longest_comment);
  const std::string tail = read_text(file, file.size() - tail_bytes, tail_bytes);
  for (size_t at = tail.size() + 1 - std::min<size_t>(tail.size() + 1, end_bytes); at-- > 0;) {
    const char* record = tail.data() + at;
    if (tail.compare(at, 4, "PK\5\6") != 0 || at + end_bytes + number16(record + 20) != tail.size()) continue;
    const uint64_t end = file.size() - tail_bytes + at;
    Contents found{number32(record + 16), number32(record + 12), number16(record + 10)};
    if (found.offset == UINT32_MAX || found.bytes == UINT32_MAX || found.entries == UINT16_MAX)
      found = contents64(file, end);
    else if (number16(record + 4) != 0 || number16(record + 6) != 0)
      refuse(fmt::format("'{}' is one of several parts of an archive", file.path()));
    if (found.offset > end || found.bytes > end - found.offset)
      damaged(file.path(), "its table of contents lies outside the file");
    return found;
  }
  if (tail_bytes >= 4 && read_text(file, 0, 4) == "PK\3\4")
    damaged(file.path(), "it has no table of contents at its end, so it was probably cut off");
  refuse(fmt::format("'{}' is not an NPZ file", file.path()), "numpy.savez writes them");
}

/// The 64-bit numbers that stand in for those that do not fit, in the order in which they are missing.
void widen(const std::string& path, ZipEntry& entry, const char* extra, size_t bytes) {
  std::array<uint64_t*, 3> wide = {&entry.bytes, &entry.packed_bytes, &entry.header_offset};
  for (size_t at = 0; at + 4 <= bytes;) {
    const size_t length = number16(extra + at + 2);
    if (length > bytes - at - 4) break;
    size_t used = 0;
    for (uint64_t* value : wide) {
      if (number16(extra + at) != 1 || *value != UINT32_MAX) continue;
      if (used + 8 > length) damaged(path, "a ZIP64 entry lacks its sizes");
      *value = number(extra + at + 4 + used, 8);
      used += 8;
    }
    at += 4 + length;
  }
}

std::vector<ZipEntry> parse_contents(const std::string& path, const std::string& table, uint64_t count) {
  std::vector<ZipEntry> entries;
  size_t at = 0;
  while (entries.size() < count) {
    if (table.size() - at < entry_bytes || table.compare(at, 4, "PK\1\2") != 0)
      damaged(path, "its table of contents is damaged");
    const char* record = table.data() + at;
    const size_t name = number16(record + 28), extra = number16(record + 30), comment = number16(record + 32);
    if (table.size() - at - entry_bytes < name + extra + comment) damaged(path, "its table of contents is damaged");
    ZipEntry entry;
    entry.flags = number16(record + 8);
    entry.method = number16(record + 10);
    entry.crc = number32(record + 16);
    entry.packed_bytes = number32(record + 20);
    entry.bytes = number32(record + 24);
    entry.header_offset = number32(record + 42);
    entry.name.assign(record + entry_bytes, name);
    widen(path, entry, record + entry_bytes + name, extra);
    entries.push_back(std::move(entry));
    at += entry_bytes + name + extra + comment;
  }
  return entries;
}

/// What both kinds of entries share: where the packed bytes lie, and the checksum at the end.
class EntrySource : public ByteSource {
 public:
  EntrySource(std::shared_ptr<FileSource> file, const ZipEntry& entry, uint64_t start)
      : file_(std::move(file)), entry_(entry), start_(start) {}
  uint64_t size() const override { return entry_.bytes; }

 protected:
  [[noreturn]] void broken(const char* how) const {
    damaged(file_->path(), fmt::format("the entry {} {}", listed({entry_.name}), how));
  }
  void require(uint64_t offset, size_t bytes) const {
    if (offset > entry_.bytes || bytes > entry_.bytes - offset) broken("ends too early");
  }
  /// Takes in the bytes that follow those seen so far.
  void sum(const char* data, size_t bytes) {
    crc_ = static_cast<uint32_t>(crc32_z(crc_, reinterpret_cast<const Bytef*>(data), bytes));
    seen_ += bytes;
    if (seen_ == entry_.bytes && crc_ != entry_.crc) broken("does not match its checksum");
  }

  std::shared_ptr<FileSource> file_;
  ZipEntry entry_;
  uint64_t start_;
  uint64_t seen_ = 0;
  uint32_t crc_ = 0;
};

class StoredSource : public EntrySource {
 public:
  using EntrySource::EntrySource;

  void read(uint64_t offset, void* to, size_t bytes) override {
    require(offset, bytes);
    file_->read(start_ + offset, to, bytes);
    if (offset > seen_ || seen_ - offset >= bytes) return;
    const size_t known = static_cast<size_t>(seen_ - offset);
    sum(static_cast<const char*>(to) + known, bytes - known);
  }
};

class DeflatedSource : public EntrySource {
 public:
  DeflatedSource(std::shared_ptr<FileSource> file, const ZipEntry& entry, uint64_t start)
      : EntrySource(std::move(file), entry, start), packed_(piece) {
    if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) fail("cannot inflate: no memory");
  }
  ~DeflatedSource() override { inflateEnd(&stream_); }
  DeflatedSource(const DeflatedSource&) = delete;
  DeflatedSource& operator=(const DeflatedSource&) = delete;

  void read(uint64_t offset, void* to, size_t bytes) override {
    require(offset, bytes);
    if (offset < seen_) restart();
    std::vector<char> skipped(static_cast<size_t>(std::min<uint64_t>(piece, offset - seen_)));
    while (seen_ < offset)
      inflate_next(skipped.data(), static_cast<size_t>(std::min<uint64_t>(skipped.size(), offset - seen_)));
    for (char* at = static_cast<char*>(to); bytes > 0;) {
      const size_t part = std::min<size_t>(bytes, 1 << 20);
      inflate_next(at, part);
      at += part;
      bytes -= part;
    }
  }

 private:
  void restart() {
    inflateReset(&stream_);
    stream_.avail_in = 0;
    used_ = 0;
    seen_ = 0;
    crc_ = 0;
  }

  /// One call of zlib, with more packed bytes where it has none.
  int step() {
    if (stream_.avail_in == 0 && used_ < entry_.packed_bytes) {
      const size_t part = static_cast<size_t>(std::min<uint64_t>(piece, entry_.packed_bytes - used_));
      file_->read(start_ + used_, packed_.data(), part);
      used_ += part;
      stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
      stream_.avail_in = static_cast<uInt>(part);
    }
    return inflate(&stream_, Z_NO_FLUSH);
  }

  void inflate_next(char* to, size_t bytes) {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(bytes);
    while (stream_.avail_out > 0) {
      const int state = step();
      if (stream_.avail_out > 0 && state != Z_OK) broken("cannot be inflated");
    }
    sum(to, bytes);
    if (seen_ == entry_.bytes) require_end();
  }

  void require_end() {
    char more = 0;
    stream_.next_out = reinterpret_cast<Bytef*>(&more);
    stream_.avail_out = 1;
    int state = Z_OK;
    while (state == Z_OK && stream_.avail_out > 0) state = step();
    if (state != Z_STREAM_END || stream_.avail_out == 0) broken("is longer than it says");
  }

  z_stream stream_{};
  std::vector<char> packed_;
  uint64_t used_ = 0;
};

const char* method_name(int method) {
  switch (method) {
    case 9:
      return "deflate64";
    case 12:
      return "bzip2";
    case 14:
      return "LZMA";
    case 93:
      return "Zstandard";
    case 95:
      return "XZ";
    default:
      return "an unknown method";
  }
}

}  // namespace

ZipArchive::ZipArchive(const std::string& path) : file_(std::make_shared<FileSource>(path)) {
  const Contents contents = find_contents(*file_);
  if (contents.entries > most_entries || contents.bytes > longest_contents)
    refuse(fmt::format("'{}' holds {} entries; at most {} are read", path, contents.entries, most_entries));
  entries_ = parse_contents(path, read_text(*file_, contents.offset, contents.bytes), contents.entries);
}

std::unique_ptr<ByteSource> ZipArchive::open(const ZipEntry& entry) const {
  const std::string& path = file_->path();
  const std::string name = listed({entry.name});
  if ((entry.flags & 1) != 0) refuse(fmt::format("the entry {} of '{}' is encrypted", name, path));
  if (entry.method != 0 && entry.method != 8)
    refuse(fmt::format("the entry {} of '{}' is packed with {}", name, path, method_name(entry.method)),
           "numpy.savez and numpy.savez_compressed write what can be read");
  const bool stored = entry.method == 0;
  if (stored ? entry.bytes != entry.packed_bytes
             : static_cast<double>(entry.bytes) > deflate_ratio * static_cast<double>(entry.packed_bytes) + 64)
    damaged(path, fmt::format("the entry {} cannot hold {} in {}", name, bytes_text(static_cast<double>(entry.bytes)),
                              bytes_text(static_cast<double>(entry.packed_bytes))));
  if (entry.header_offset > file_->size() || file_->size() - entry.header_offset < local_bytes)
    damaged(path, fmt::format("the entry {} lies outside the file", name));
  const std::string local = read_text(*file_, entry.header_offset, local_bytes);
  if (!local.starts_with("PK\3\4")) damaged(path, fmt::format("the entry {} is not where it should be", name));
  const uint64_t start = entry.header_offset + local_bytes + number16(local.data() + 26) + number16(local.data() + 28);
  if (start > file_->size() || entry.packed_bytes > file_->size() - start)
    damaged(path, fmt::format("the entry {} lies outside the file", name));
  if (stored) return std::make_unique<StoredSource>(file_, entry, start);
  return std::make_unique<DeflatedSource>(file_, entry, start);
}

}  // namespace tepui
