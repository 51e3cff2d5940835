#include "tests/fuzz/targets.h"

#include <stdlib.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "tepui/core/error.h"
#include "tepui/io/inspect.h"
#include "tepui/io/read.h"
#include "tepui/io/table/lines_read.h"
#include "tepui/output/plan.h"

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

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {
      {"asc", file<"a.asc">},       {"bil", labelled},
      {"exr", file<"a.exr">},       {"geojson", lines<"a.geojson">},
      {"glb", file<"a.glb">},       {"gpkg", lines<"a.gpkg">},
      {"hgt", file<"N01E001.hgt">}, {"nc4", file<"b.nc">},
      {"netcdf", file<"a.nc">},     {"npy", file<"a.npy">},
      {"npz", file<"a.npz">},       {"obj", file<"a.obj">},
      {"packed_png", packed_png},   {"ply", file<"a.ply">},
      {"png", file<"a.png">},       {"prj", projected},
      {"recipe", recipe},           {"stl", file<"a.stl">},
      {"tif", file<"a.tif">},
  };
  return all;
}

}  // namespace tepui::fuzz
