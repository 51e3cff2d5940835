#include "tests/fuzz/targets.h"

#include <stdlib.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "apps/studio/document.h"
#include "apps/studio/frames.h"
#include "apps/studio/gate.h"
#include "apps/studio/request.h"
#include "apps/studio/stroke_file.h"
#include "tepui/core/error.h"
#include "tepui/geology/hardness_table.h"
#include "tepui/geology/strata.h"
#include "tepui/io/inspect.h"
#include "tepui/io/manifest.h"
#include "tepui/io/read.h"
#include "tepui/io/table/lines_read.h"
#include "tepui/output/plan.h"
#include "tepui/recipe/one_liner.h"
#include "tepui/recipe/param_json.h"
#include "tepui/recipe/param_words.h"

namespace tepui::fuzz {

namespace {

/// A folder of this process, in memory where there is room.
const std::string& folder() {
  static const struct Folder {
    Folder() : path(access("/dev/shm", W_OK) == 0 ? "/dev/shm/tepui-fuzz-XXXXXX" : "/tmp/tepui-fuzz-XXXXXX") {
      if (mkdtemp(path.data()) == nullptr) abort();
    }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
    std::string path;
  } made;
  return made.path;
}

void put(const std::string& name, const uint8_t* data, size_t size) {
  std::FILE* file = std::fopen((folder() + "/" + name).c_str(), "wb");
  if (file == nullptr || (size > 0 && std::fwrite(data, 1, size, file) != size) || std::fclose(file) != 0) abort();
}

/// What a reader may do with bytes: give finite land, or refuse them.
void open(const std::string& name, const ReadParams& how) {
  const std::string path = folder() + "/" + name;
  try {
    inspect(path, Context());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::request) abort();
  }
  try {
    ReadParams params = how;
    params.file.path = path;
    const Terrain land = read(params, Context());
    for (const Layer& layer : land.layers())
      for (const float value : layer.grid().cells())
        if (!std::isfinite(value)) abort();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::request) abort();
  }
}

template <size_t N>
struct Name {
  char text[N];
  constexpr Name(const char (&from)[N]) {  // NOLINT(google-explicit-constructor): a literal is the name
    for (size_t i = 0; i < N; ++i) text[i] = from[i];
  }
};

/// A file of this name.
template <Name name>
void file(const uint8_t* data, size_t size) {
  put(name.text, data, size);
  open(name.text, {});
}

/// A file of lines: finite vertices, or a refusal.
template <Name name>
void lines(const uint8_t* data, size_t size) {
  put(name.text, data, size);
  try {
    const Lines read = lines_from_file(folder() + "/" + name.text, {}, Context());
    for (const Vec3& p : read.vertices())
      if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) abort();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::request) abort();
  }
}

/// Heights in a colour picture, the other way to read a PNG.
void packed_png(const uint8_t* data, size_t size) {
  put("a.png", data, size);
  ReadParams how;
  how.encoding = PngEncoding::terrarium;
  open("a.png", how);
}

/// A label and the samples it speaks of: the label ends at the first zero.
void labelled(const uint8_t* data, size_t size) {
  size_t end = 0;
  while (end < size && data[end] != 0) ++end;
  put("a.hdr", data, end);
  put("a.bil", data + std::min(end + 1, size), size - std::min(end + 1, size));
  open("a.bil", {});
}

/// An ASCII grid with the system beside it: the .prj ends at the first zero.
void projected(const uint8_t* data, size_t size) {
  size_t end = 0;
  while (end < size && data[end] != 0) ++end;
  put("b.prj", data, end);
  put("b.asc", data + std::min(end + 1, size), size - std::min(end + 1, size));
  open("b.asc", {});
}

void recipe(const uint8_t* data, size_t size) {
  try {
    plan(parse_recipe({"fuzz.json", std::string(reinterpret_cast<const char*>(data), size)}));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::request) abort();
  }
}

std::string text_of(const uint8_t* data, size_t size) { return {reinterpret_cast<const char*>(data), size}; }

/// Anything but a value or the request's fault is a bug.
template <class Work>
void refused_or_done(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::request) abort();
  }
}

/// A table of this name: hardnesses from 0 to 1, or a refusal.
template <Name name>
void hardness(const uint8_t* data, size_t size) {
  for (const size_t materials : {size_t{1}, size_t{3}, size_t{5}})
    refused_or_done([&] {
      const std::vector<double> table = parse_hardness_table(text_of(data, size), name.text, materials);
      if (table.size() != materials) abort();
      for (const double value : table)
        if (!(value >= 0 && value <= 1)) abort();
    });
}

/// Records as the command line and recipes hold them: what is read is written in a way that reads back the same.
void records(const uint8_t* data, size_t size) {
  Fields<StrataParams> fields;
  describe(fields);
  const ParamTable& table = fields.table();
  refused_or_done([&] {
    const std::vector<ParamValue> values = params_from_words(table, {"beds=" + text_of(data, size)}, "strata");
    for (size_t i = 0; i < values.size(); ++i)
      if (param_from_json(table.fields[i], param_to_json(table.fields[i], values[i])) != values[i]) abort();
  });
}

/// A line of operators, and the recipe that it stands for.
void one_liner(const uint8_t* data, size_t size) {
  refused_or_done([&] {
    const Source line{"make", text_of(data, size)};
    const Json document = parse_one_liner(line, {});
    plan(parse_recipe({"fuzz.json", json_text(document)}));
  });
}

/// A manifest, and a file that it may speak of.
void manifest(const uint8_t* data, size_t size) {
  put("a.manifest.json", data, size);
  const uint8_t samples[] = {1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0};
  put("m.r16", samples, sizeof(samples));
  ReadParams how;
  open("m.r16", how);
  refused_or_done([&] { kept_records(folder() + "/a.manifest.json", {}); });
  std::filesystem::remove(folder() + "/a.manifest.json");
}

/// One record of a manifest: what is read is written in a way that reads back the same.
void record(const uint8_t* data, size_t size) {
  const std::optional<FileRecord> found = parse_record(text_of(data, size));
  if (!found) return;
  const std::string text = record_text(*found);
  const std::optional<FileRecord> again = parse_record(text);
  if (!again || record_text(*again) != text) abort();
}

/// What a stranger may send to the studio: a head, and the first message after it.
void greeting(const uint8_t* data, size_t size) {
  const std::string text = text_of(data, size);
  if (const auto head = studio::parse_head(text))
    if (studio::judge(*head, 5000) == studio::Verdict::live && head->only("host") != studio::host_of(5000)) abort();
  studio::Keys keys;
  if (const auto greeting = studio::parse_greeting(text); greeting && keys.admit(*greeting)) abort();
}

/// What a page may send: a request, or a part of a file.
void request(const uint8_t* data, size_t size) {
  studio::SentBytes sent;
  studio::parse_sent_bytes(text_of(data, size), sent);
  refused_or_done([&] {
    const studio::Request asked = studio::parse_request(text_of(data, size));
    studio::Document document({"fuzz.json", "{\"vars\": {\"a\": 1 /* x */}, \"nodes\": {}}"});
    document.set(asked.text("path"), asked.raw("value"), asked.flag("hold"));
    parse_json(document.source());
    document.undo();
    if (document.text() != document.first_text()) abort();
  });
  refused_or_done([&] {
    const studio::Request asked = studio::parse_request(text_of(data, size));
    const studio::DrawnStroke drawn = studio::drawn_stroke(asked.body);
    const studio::StrokeFile file = studio::StrokeFile().with(drawn);
    // What was taken can be read again, and says the same.
    const studio::StrokeFile again(file.text());
    if (again.text() != file.text() || again.lines().hash() != file.lines().hash()) abort();
  });
}

/// A file of strokes, as anybody may have made it.
void strokes(const uint8_t* data, size_t size) {
  refused_or_done([&] {
    const studio::StrokeFile file(text_of(data, size));
    if (file.text() != text_of(data, size)) abort();
    const Lines lines = file.lines();
    if (file.size() > 0 && file.without(0).size() + 1 != file.size()) abort();
  });
}

/// Edits of a recipe: its text ends at the first zero, then name=value by name=value, each up to the next.
void edits(const uint8_t* data, size_t size) {
  const std::string all = text_of(data, size);
  const size_t end = std::min(all.find('\0'), all.size());
  studio::Document document({"fuzz.json", all.substr(0, end)});
  const std::string began = document.text();
  for (size_t at = end + 1; at < all.size();) {
    const size_t next = std::min(all.find('\0', at), all.size());
    const std::string word = all.substr(at, next - at);
    const size_t equals = std::min(word.find('='), word.size());
    refused_or_done([&] {
      if (equals == word.size())
        document.reset(word);
      else
        document.set(word.substr(0, equals), word.substr(equals + 1), at % 2 == 0);
      parse_json(document.source());
    });
    at = next + 1;
  }
  const std::string last = document.text();
  refused_or_done([&] { studio::merge(began, last, began); });
  if (document.first_text() != began) abort();
  while (document.undo()) {
  }
  if (document.text() != began) abort();
}

/// Any two texts, parted by a zero: what makes the one of the other, and back.
void splices(const uint8_t* data, size_t size) {
  const std::string all = text_of(data, size);
  const size_t end = std::min(all.find('\0'), all.size());
  const std::string a = all.substr(0, end), b = all.substr(std::min(end + 1, all.size()));
  const Splice splice = studio::difference(a, b);
  if (spliced(a, splice) != b || spliced(b, inverse(a, splice)) != a) abort();
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {
      {"asc", file<"a.asc">},
      {"bil", labelled},
      {"edits", edits},
      {"exr", file<"a.exr">},
      {"geojson", lines<"a.geojson">},
      {"glb", file<"a.glb">},
      {"gpkg", lines<"a.gpkg">},
      {"greeting", greeting},
      {"hardness_csv", hardness<"a.csv">},
      {"hardness_json", hardness<"a.json">},
      {"hgt", file<"N01E001.hgt">},
      {"hgt_zip", file<"N01E001.hgt.zip">},
      {"manifest", manifest},
      {"nc4", file<"b.nc">},
      {"netcdf", file<"a.nc">},
      {"npy", file<"a.npy">},
      {"npz", file<"a.npz">},
      {"obj", file<"a.obj">},
      {"packed_png", packed_png},
      {"ply", file<"a.ply">},
      {"png", file<"a.png">},
      {"prj", projected},
      {"one_liner", one_liner},
      {"record", record},
      {"records", records},
      {"recipe", recipe},
      {"request", request},
      {"strokes", strokes},
      {"splices", splices},
      {"stl", file<"a.stl">},
      {"tif", file<"a.tif">},
  };
  return all;
}

}  // namespace tepui::fuzz
