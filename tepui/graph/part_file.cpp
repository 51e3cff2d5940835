#include "tepui/graph/part_file.h"

#include <atomic>
#include <chrono>

#include "tepui/core/parallel.h"
#include "tepui/graph/descriptor.h"

namespace tepui {

namespace {

/// "tepuicel" where the machine's numbers are stored as ours are.
constexpr uint64_t part_magic = 0x6c65636975706574;
struct Foot {
  uint64_t magic = part_magic;
  uint64_t bytes = 0;
};

// Large files go to and from the disk without a copy in the system's memory, which would push out everything else and
// costs more than the disk does: fresh pages at 0.3 GB/s against 1.5 GB/s, on a virtual machine.
constexpr size_t smallest_direct = size_t{4} << 20;
constexpr size_t block = 4096;  ///< what addresses and sizes are multiples of
constexpr size_t direct_step = size_t{16} << 20;
constexpr int64_t read_grain = 1 << 22;
/// Bytes a second below which writing is better left to the system, to be done when it finds the time.
constexpr double slow_disk = 3e8;
std::atomic<bool> disk_is_slow = false;

bool can_be_direct(const void* data, size_t bytes) {
  return bytes >= smallest_direct && reinterpret_cast<uintptr_t>(data) % block == 0;
}

/// Returns how much of it was written, from the start; the rest is for others to write.
size_t write_directly(const std::string& path, std::string_view bytes) {
  const Descriptor file(path, O_WRONLY | O_DIRECT);
  if (file < 0) return 0;
  const auto began = std::chrono::steady_clock::now();
  size_t done = 0;
  for (const size_t whole = bytes.size() / block * block; done < whole;) {
    const ssize_t put = ::write(file, bytes.data() + done, std::min(direct_step, whole - done));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0 || static_cast<size_t>(put) % block != 0) break;
    done += static_cast<size_t>(put);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  if (static_cast<double>(done) < seconds * slow_disk) disk_is_slow = true;
  return done;
}

}  // namespace

size_t part_file_bytes(size_t bytes) { return bytes + sizeof(Foot); }

int write_part(const std::string& path, PartBytes part) {
  Descriptor file(path, O_WRONLY | O_CREAT | O_EXCL);
  if (file < 0) return errno;
  std::string_view bytes(part.data(), part.size());
  if (can_be_direct(bytes.data(), bytes.size()) && !disk_is_slow) {
    const size_t done = write_directly(path, bytes);
    bytes.remove_prefix(done);
    if (lseek(file, static_cast<off_t>(done), SEEK_SET) < 0) return errno;
  }
  const Foot foot{part_magic, part.size()};
  int code = write_fully(file, bytes);
  if (code == 0) code = write_fully(file, {reinterpret_cast<const char*>(&foot), sizeof foot});
  const int closed = file.close();
  return code != 0 ? code : closed;
}

bool read_part(const std::string& path, const Hash& content, void* to, size_t bytes, const Context& context) {
  const Descriptor file(path, read_entry);
  const std::optional<size_t> there = size_of(file);
  Foot foot;
  if (!there || *there != part_file_bytes(bytes) || !read_fully(file, &foot, sizeof foot, bytes) ||
      foot.magic != part_magic || foot.bytes != bytes)
    return false;
  auto* const data = static_cast<char*>(to);
  const Descriptor direct(can_be_direct(data, bytes) ? path : "", read_entry | O_DIRECT);
  std::atomic<int> failures = 0;
  parallel_chunks(static_cast<int64_t>(bytes), read_grain, context, [&](int64_t begin, int64_t end) {
    auto at = static_cast<size_t>(begin);
    const size_t whole = static_cast<size_t>(end - begin) / block * block;
    if (direct >= 0 && read_fully(direct, data + at, whole, at)) at += whole;
    if (!read_fully(file, data + at, static_cast<size_t>(end) - at, at)) ++failures;
  });
  if (failures > 0 || hash_large(data, bytes) != content) return false;
  touch(file);
  return true;
}

}  // namespace tepui
