#include "apps/studio/stroke_disk.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "tepui/core/error.h"
#include "tepui/core/file.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/table/lines_read.h"

namespace tepui::studio {

namespace fs = std::filesystem;

namespace {

constexpr size_t largest_file = size_t{64} << 20;

void require_beside(const std::string& folder, const std::string& path) {
  std::error_code error;
  const fs::path root = fs::weakly_canonical(folder.empty() ? "." : folder, error);
  const fs::path file = fs::weakly_canonical(path, error);
  const bool inside = !error && std::mismatch(root.begin(), root.end(), file.begin(), file.end()).first == root.end();
  if (!inside)
    refuse(fmt::format("'{}' is not in the recipe's folder, and is not drawn into", file_name(path)),
           "draw into a node of its own");
}

StrokeFile read_strokes(const std::string& path, const Context& context) {
  if (file_ending(path) != ".geojson" && file_ending(path) != ".json")
    refuse(fmt::format("'{}' is no file of strokes", file_name(path)), "strokes are GeoJSON, in .geojson");
  StrokeFile strokes(read_file(path, largest_file));
  if (strokes.lines().hash() != lines_from_file(path, {"", "metres"}, context).hash())
    refuse(fmt::format("'{}' holds more than plain strokes", file_name(path)), "draw into a node of its own");
  return strokes;
}

}  // namespace

std::shared_ptr<const StrokeFile> StrokeDisk::look_at(const std::string& folder, const std::string& path,
                                                      const Context& context) {
  Seen& seen = seen_[path];
  const FileStamp now = stamp_of(path);
  if (now == FileStamp()) {
    seen = {};
    refuse(fmt::format("there is no file '{}'", file_name(path)));
  }
  if (seen.stamp != now) {
    seen = {now, nullptr, {}, {}};
    try {
      require_beside(folder, path);
      seen.strokes = std::make_shared<const StrokeFile>(read_strokes(path, context));
    } catch (const Error& error) {
      seen.message = error.message();
      seen.hint = error.hint();
    }
  }
  if (seen.strokes == nullptr) refuse(seen.message, seen.hint);
  return seen.strokes;
}

void StrokeDisk::own(const std::string& name, const std::string& path, std::shared_ptr<const StrokeFile> strokes) {
  std::string text = strokes->text();
  own_.insert_or_assign(name, Own{OwnFile(path, std::move(text)), std::move(strokes)});
}

bool StrokeDisk::is_free(const std::string& name) const {
  std::error_code error;
  return fs::symlink_status(fs::path(folder_) / name, error).type() == fs::file_type::not_found;
}

bool StrokeDisk::holds(const StrokeFiles& files) const {
  return std::ranges::all_of(files, [&](const auto& file) {
    const auto known = own_.find(file.first);
    return file.second == nullptr || (known != own_.end() && known->second.strokes == file.second);
  });
}

void StrokeDisk::save(const StrokeFiles& files) {
  for (const auto& [name, strokes] : files)
    if (strokes != nullptr) save(name, strokes);
}

void StrokeDisk::save(const std::string& name, const std::shared_ptr<const StrokeFile>& strokes) {
  const auto known = own_.find(name);
  if (known == own_.end()) {
    OwnFile made = OwnFile::create(folder_, name, ".geojson", strokes->text());
    own_.insert_or_assign(name, Own{std::move(made), strokes, true});
    return;
  }
  Own& own = known->second;
  if (own.strokes == strokes) return;
  if (own.lost)
    refuse(fmt::format("'{}' is not saved: what it holds now cannot be read as strokes", own.file.shown()),
           "put the file back as it was, or save the recipe by another name");
  const std::string text = strokes->text();
  if (text != own.file.text()) own.file.save(text);
  own.strokes = strokes;
}

void StrokeDisk::tidy(const StrokeFiles& files) {
  std::erase_if(own_, [&](const auto& entry) {
    const auto& [name, own] = entry;
    const auto file = files.find(name);
    const bool undone = own.begun && file != files.end() && file->second == nullptr;
    if (!undone || !own.file.is_untouched()) return false;
    std::error_code ignored;
    fs::remove(own.file.path(), ignored);
    return true;
  });
}

StrokeFiles StrokeDisk::changed_outside(const StrokeFiles& files, std::optional<Error>& problem) {
  StrokeFiles changed;
  for (auto& [name, own] : own_) {
    const auto mine = files.find(name);
    if (own.file.is_untouched() || mine == files.end() || mine->second == nullptr) continue;
    try {
      if (!own.file.changed_text()) continue;
      own.lost = true;
      const auto theirs = std::make_shared<const StrokeFile>(read_strokes(own.file.path(), Context()));
      const bool is_mine = mine->second == own.strokes;
      changed[name] =
          is_mine ? theirs : std::make_shared<const StrokeFile>(merge_strokes(*own.strokes, *mine->second, *theirs));
      own.strokes = theirs;
      own.lost = false;
    } catch (const Error& error) {
      problem = Error(ErrorKind::request,
                      fmt::format("'{}' was changed outside: {}", own.file.shown(), error.message()), error.hint());
    }
  }
  return changed;
}

}  // namespace tepui::studio
