#include "tepui/io/file/file_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <vector>

#include "tepui/core/byte_hasher.h"
#include "tepui/core/error.h"
#include "tepui/core/pool.h"
#include "tepui/io/file/scratch_folder.h"

namespace tepui {

namespace {

class MemorySink : public ByteSink {
 public:
  void write(const void* data, size_t bytes) override {
    const auto* from = static_cast<const char*>(data);
    const size_t over = std::min(bytes, bytes_.size() - at_);
    std::copy_n(from, over, bytes_.data() + at_);
    bytes_.append(from + over, bytes - over);
    at_ += bytes;
  }
  void seek(uint64_t offset) override {
    if (offset > bytes_.size()) bytes_.resize(offset);
    at_ = offset;
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
  size_t at_ = 0;
};

StoredFile stored_bytes(std::string_view bytes) { return {bytes.size(), hash_bytes(bytes.data(), bytes.size())}; }

StoredFile stored_file(const std::string& path) { return {file_size(path), hash_file(path)}; }

}  // namespace

FileTarget::FileTarget(std::string path)
    : path_(std::move(path)), stored_(std::make_shared<std::optional<StoredFile>>()) {}

FileTarget::FileTarget(std::string name, MemoryFiles& files) : FileTarget(std::move(name)) { files_ = &files; }

FileTarget FileTarget::beside(std::string path) const {
  return files_ != nullptr ? FileTarget(std::move(path), *files_) : FileTarget(std::move(path));
}

void FileTarget::write(const std::function<void(ByteSink& file)>& fill) const {
  if (files_ != nullptr) {
    MemorySink sink;
    fill(sink);
    std::string& bytes = (*files_)[path_];
    bytes = sink.take();
    *stored_ = stored_bytes(bytes);
    return;
  }
  write_atomically(path_, [&](const std::string& temporary) {
    OutputFile file(temporary, path_);
    fill(file);
    file.close();
    const std::optional<Hash> hash = file.hash();
    *stored_ = hash ? StoredFile{file.size(), *hash} : stored_file(temporary);
  });
}

void FileTarget::write(std::string_view bytes) const {
  write([&](ByteSink& file) { file.write(bytes.data(), bytes.size()); });
}

void FileTarget::write_by_name(const std::function<void(const std::string& path)>& fill) const {
  if (files_ != nullptr) {
    const ScratchFolder scratch;
    const std::string path = scratch / file_name(path_);
    fill(path);
    write(read_file(path, physical_memory()));
    return;
  }
  write_atomically(path_, [&](const std::string& temporary) {
    fill(temporary);
    *stored_ = stored_file(temporary);
  });
}

const StoredFile& FileTarget::stored() const {
  if (!stored_->has_value()) fail(fmt::format("nothing was written to '{}' yet", path_));
  return **stored_;
}

void FileTarget::check() const {
  if (files_ == nullptr) check_writable(path_);
}

void FileTarget::remove() const {
  std::error_code ignored;
  if (files_ != nullptr)
    files_->erase(path_);
  else
    std::filesystem::remove(path_, ignored);
}

Hash hash_file(const std::string& path) {
  // Read and not mapped: a mapped file counts as memory of ours.
  constexpr size_t block = 1 << 20;
  file_size(path);
  std::FILE* file = std::fopen(path.c_str(), "rbe");
  const int code = errno;
  if (file == nullptr) refuse(fmt::format("cannot read '{}': {}", path, std::generic_category().message(code)));
  ByteHasher hasher;
  std::vector<char> bytes(block);
  for (size_t got; (got = std::fread(bytes.data(), 1, block, file)) > 0;) hasher.add(bytes.data(), got);
  const bool broken = std::ferror(file) != 0;
  std::fclose(file);
  if (broken) fail(fmt::format("cannot read '{}'", path));
  return hasher.finish();
}

}  // namespace tepui
