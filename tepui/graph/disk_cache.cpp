#include "tepui/graph/disk_cache.h"

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "tepui/core/error.h"
#include "tepui/core/number.h"
#include "tepui/graph/build_id.h"
#include "tepui/graph/descriptor.h"
#include "tepui/graph/part_file.h"

namespace tepui {

namespace {

namespace fs = std::filesystem;

constexpr const char* note_ending = ".note";
constexpr const char* part_ending = ".cells";
constexpr const char* lock_name = "lock";

constexpr size_t largest_note = 1 << 20;
/// A small file costs more than its bytes: with this, a full cache has some 65,000 files and is walked in a moment.
constexpr size_t smallest_charge = 1 << 16;
/// Writing parts and reading them back, taken together, in bytes a second. So an `adjust` of 8192 x 8192 samples, 0.1
/// s, is not worth its 256 MB, a few of them after one another are.
constexpr double worthwhile_rate = 5e8;
/// Of so few bytes the question is not worth asking.
constexpr size_t always_worthwhile = 1 << 18;
/// A temporary file this old belongs to a program that is no more.
constexpr time_t abandoned_after = 3600;

bool is_hex(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Whether a file in a folder of the cache is one that this class writes: other files are none of its business.
bool is_ours(const std::string& folder, const std::string& name, std::string_view ending) {
  return name.size() > 32 && is_hex(std::string_view(name).substr(0, 32)) && name.starts_with(folder) &&
         (ending == ".tmp" ? name[32] == '.' && name.ends_with(ending) : std::string_view(name).substr(32) == ending);
}

/// Notes of other builds have other names; they grow old and go.
Hash note_name(const Hash& key) {
  static const Hash build = build_id();
  return Hasher().add("note 1").add(build).add(key).finish();
}

/// A note ends in the hash of its name and text, so that no other bytes and no renamed file pass for it.
constexpr std::string_view note_magic = "tepuinote";
Hash seal(const Hash& name, std::string_view text) { return Hasher().add(name).add(text).finish(); }

struct OldFile {
  timespec used{};
  std::string path;
  size_t charge = 0;
};

bool older(const OldFile& a, const OldFile& b) {
  if (a.used.tv_sec != b.used.tv_sec) return a.used.tv_sec < b.used.tv_sec;
  return a.used.tv_nsec != b.used.tv_nsec ? a.used.tv_nsec < b.used.tv_nsec : a.path < b.path;
}

/// All entries of the cache; what abandoned writers left is removed on the way.
std::vector<OldFile> entries_of(const std::string& folder) {
  std::vector<OldFile> files;
  std::error_code error, ignored;
  for (fs::directory_iterator sub(folder, error), end; !error && sub != end; sub.increment(error)) {
    const std::string prefix = sub->path().filename().string();
    if (prefix.size() != 2 || !is_hex(prefix) || !sub->is_directory(ignored)) continue;
    for (fs::directory_iterator entry(sub->path(), ignored); !ignored && entry != end; entry.increment(ignored)) {
      const std::string name = entry->path().filename().string();
      struct stat status {};
      if (lstat(entry->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
      if (is_ours(prefix, name, ".tmp") && status.st_mtim.tv_sec + abandoned_after < time(nullptr))
        unlink(entry->path().c_str());
      if (is_ours(prefix, name, note_ending) || is_ours(prefix, name, part_ending))
        files.push_back(
            {status.st_mtim, entry->path().string(), std::max(static_cast<size_t>(status.st_size), smallest_charge)});
    }
  }
  return files;
}

/// Makes the folder, for its owner alone; one that is new is marked as a cache, which backups leave out.
int make_folder(const std::string& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error)) return 0;
  fs::create_directories(fs::path(folder).parent_path(), error);
  if (mkdir(folder.c_str(), 0700) != 0) return errno == EEXIST ? 0 : errno;
  const Descriptor tag(folder + "/CACHEDIR.TAG", O_WRONLY | O_CREAT | O_EXCL);
  if (tag >= 0) write_fully(tag, "Signature: 8a477f597d28d172789f06886806bc55\n# Tepui's cache: may be deleted.\n");
  return 0;
}

}  // namespace

std::string DiskCache::path_of(const Hash& name, const char* ending) const {
  const std::string text = name.text();
  return folder_ + '/' + text.substr(0, 2) + '/' + text + ending;
}

std::optional<std::string> DiskCache::find_note(const Hash& key) const {
  const Hash name = note_name(key);
  const Descriptor file(path_of(name, note_ending), read_entry);
  const std::optional<size_t> bytes = size_of(file);
  constexpr size_t around = note_magic.size() + sizeof(Hash);
  if (!bytes || *bytes < around || *bytes > largest_note) return std::nullopt;
  std::string all(*bytes, '\0');
  Hash sealed;
  if (!read_fully(file, all.data(), all.size(), 0) || !all.starts_with(note_magic)) return std::nullopt;
  std::memcpy(&sealed, all.data() + all.size() - sizeof sealed, sizeof sealed);
  std::string text = all.substr(note_magic.size(), all.size() - around);
  if (sealed != seal(name, text)) return std::nullopt;
  touch(file);
  return text;
}

void DiskCache::put_note(const Hash& key, std::string_view text, const Context& context) {
  const Hash name = note_name(key), sealed = seal(name, text);
  std::string all(note_magic);
  all.append(text).append(reinterpret_cast<const char*>(&sealed), sizeof sealed);
  if (all.size() > largest_note) return;
  write(path_of(name, note_ending), all.size(), context, [&](const std::string& temporary) {
    Descriptor file(temporary, O_WRONLY | O_CREAT | O_EXCL);
    if (file < 0) return errno;
    const int code = write_fully(file, all), closed = file.close();
    return code != 0 ? code : closed;
  });
}

bool DiskCache::holds(const Part& part) const {
  struct stat status {};
  return lstat(path_of(part.content, part_ending).c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         static_cast<size_t>(status.st_size) == part_file_bytes(part.bytes);
}

bool DiskCache::holds(const std::vector<Part>& parts) const {
  return std::ranges::all_of(parts, [&](const Part& part) { return part.bytes == 0 || holds(part); });
}

std::optional<Value> DiskCache::load(const NodeFacts& facts, const Context& context) const {
  // All or nothing: so look before reading the first.
  if (!holds(facts.parts)) return std::nullopt;
  const auto count = static_cast<double>(facts.parts.size());
  const PartReader read = [&](size_t index, void* to, size_t bytes) {
    const Part& part = facts.parts[index];
    if (bytes != part.bytes) return false;
    if (bytes == 0) return true;
    const std::string path = path_of(part.content, part_ending);
    const auto done = static_cast<double>(index);
    if (read_part(path, part.content, to, bytes, context.stage("loading", done / count, (done + 1) / count)))
      return true;
    // Away with it, or it would be taken for a part that need not be stored again.
    unlink(path.c_str());
    return false;
  };
  return facts.kind->restore(facts.outline, facts.parts, read);
}

void DiskCache::store(const Value& value, const std::vector<Part>& parts, const Context& context) {
  const std::vector<PartBytes> bytes = value.kind().parts(value);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].bytes == 0 || parts[i].bytes > budget_ / 2 || holds(parts[i])) continue;
    if (!write(path_of(parts[i].content, part_ending), parts[i].bytes, context,
               [&](const std::string& temporary) { return write_part(temporary, bytes[i]); }))
      return;
  }
  if (written_ > budget_ / 4) settle();
}

bool DiskCache::is_worthwhile(const NodeFacts& facts) const {
  if (!facts.kind->is_kept()) return false;
  size_t bytes = 0;
  for (const Part& part : facts.parts)
    if (!holds(part)) bytes += part.bytes;
  return bytes <= always_worthwhile || facts.cost > static_cast<double>(bytes) / worthwhile_rate;
}

/// Under a temporary name first, so that no reader meets half a file. Not flushed to the disk: what a power cut leaves
/// of it will not have its hash.
bool DiskCache::write(const std::string& path, size_t bytes, const Context& context,
                      const std::function<int(const std::string& temporary)>& write_new) {
  static std::atomic<uint64_t> counter{0};
  if (broken_) return false;
  int code = make_folder(folder_);
  if (code == 0 && mkdir(fs::path(path).parent_path().c_str(), 0700) != 0 && errno != EEXIST) code = errno;
  if (code == 0) {
    const std::string temporary = fmt::format("{}.{}-{}.tmp", path.substr(0, path.rfind('.')), getpid(), counter++);
    code = write_new(temporary);
    if (code == 0 && rename(temporary.c_str(), path.c_str()) != 0) code = errno;
    if (code != 0) unlink(temporary.c_str());
  }
  if (code == 0) {
    written_ += std::max(bytes, smallest_charge);
    return true;
  }
  if (!broken_.exchange(true))
    context.warn(fmt::format("cannot write to the cache '{}': {}; continuing without it", folder_,
                             std::generic_category().message(code)));
  return false;
}

void DiskCache::settle() {
  const size_t written = written_.exchange(0);
  if (written == 0) return;
  size_t since = 0;
  bool due = false;
  {
    const Descriptor lock(folder_ + '/' + lock_name, O_RDWR | O_CREAT);
    if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB) != 0) return;
    // The lock's text is what all programs wrote since the last trim; garbage is as good as a lot.
    char text[24] = {};
    const ssize_t got = pread(lock, text, sizeof text - 1, 0);
    const double before = got > 0 ? parse_number(text).value_or(-1) : 0;
    since = written + (before >= 0 && before < 1e15 ? static_cast<size_t>(before) : budget_);
    due = since > budget_ / 32;
    const std::string now = fmt::format("{:<20}", due ? 0 : since);
    if (pwrite(lock, now.data(), now.size(), 0) < 0) due = true;
  }
  if (due) trim();
}

void DiskCache::trim() {
  const Descriptor lock(folder_ + '/' + lock_name, O_RDWR | O_CREAT);
  if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB) != 0) return;
  std::vector<OldFile> files = entries_of(folder_);
  size_t total = 0;
  for (const OldFile& file : files) total += file.charge;
  std::sort(files.begin(), files.end(), older);
  // Room for what is written until the next trim.
  const size_t target = budget_ - budget_ / 32;
  for (const OldFile& file : files) {
    if (total <= target) return;
    unlink(file.path.c_str());
    total -= file.charge;
  }
}

std::string default_cache_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  // The specification wants relative paths ignored.
  if (cache != nullptr && cache[0] == '/') return std::string(cache) + "/tepui";
  const char* home = std::getenv("HOME");
  return home != nullptr && home[0] == '/' ? std::string(home) + "/.cache/tepui" : std::string();
}

}  // namespace tepui
