#include "tepui/io/export.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <system_error>
#include <tuple>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/io/atomic_file.h"
#include "tepui/io/geotiff.h"
#include "tepui/io/glb.h"
#include "tepui/terrain/cells.h"
#include "tepui/terrain/normalise.h"

namespace tepui {

namespace {

constexpr int64_t row_grain = 32;

std::vector<Layer> chosen_layers(const Terrain& terrain, const ExportRequest& request) {
  if (terrain.layers().empty()) refuse(fmt::format("cannot write '{}': the land has no layers", request.path));
  std::vector<Layer> layers;
  for (const std::string& name : request.layers) layers.push_back(terrain.layer(name));
  if (layers.empty())
    layers.push_back(terrain.layers().size() == 1 ? terrain.layers().front() : terrain.layer("height"));
  return layers;
}

/// How values become whole numbers: stored = round((value - offset) / scale), clamped to [0, top].
struct Encoding {
  double offset = 0, scale = 1, top = 255;
};

/// The cells outside the encoding's range.
template <class T>
int64_t encode(const Grid<float>& from, const Encoding& encoding, Grid<T>& to, const Context& context) {
  return parallel_reduce(
      from.height(), row_grain, context, int64_t{0},
      [&](int64_t begin, int64_t end) {
        int64_t outside = 0;
        for (int64_t i = begin * from.width(); i < end * from.width(); ++i) {
          const double stored =
              std::floor((static_cast<double>(from.data()[i]) - encoding.offset) / encoding.scale + 0.5);
          if (stored < 0 || stored > encoding.top) ++outside;
          to.data()[i] = static_cast<T>(std::clamp(stored, 0.0, encoding.top));
        }
        return outside;
      },
      [](int64_t a, int64_t b) { return a + b; });
}

template <class T>
int64_t write_encoded(const std::string& path, const Grid<float>& grid, const Encoding& encoding, const PngText& text,
                      const Context& context) {
  Grid<T> stored(grid.width(), grid.height());
  const int64_t outside = encode(grid, encoding, stored, context.stage("encoding", 0, 0.1));
  write_png(path, stored, text, context.stage("writing", 0.1, 1));
  return outside;
}

Encoding encoding_of(const Layer& layer, const ExportRequest& request) {
  if (request.range && layer.kind != LayerKind::continuous)
    refuse(fmt::format("cannot write '{}': a range is for continuous layers, and '{}' is a {}", request.path,
                       layer.name, layer_kind_name(layer.kind)));
  const auto [low, high] = min_max(layer.grid(), Context());
  if (layer.kind == LayerKind::mask) return {0, 1.0 / 255, 255};
  if (layer.kind == LayerKind::category) {
    if (low < 0 || high > 65535)
      refuse(fmt::format("cannot write '{}': the classes of '{}' reach from {} to {}", request.path, layer.name, low,
                         high),
             "a PNG holds 0 to 65535");
    return {0, 1, high <= 255 ? 255.0 : 65535.0};
  }
  double from = static_cast<double>(low), to = static_cast<double>(high);
  if (request.range) {
    std::tie(from, to) = *request.range;
    if (!(from < to) || !std::isfinite(to - from))
      refuse(fmt::format("cannot write '{}': the range {:g} to {:g} is empty", request.path, from, to));
  }
  return {from, to > from ? (to - from) / 65535 : 1, 65535};
}

void export_png(const Layer& layer, const ExportRequest& request, FileRecord& record, const Context& context) {
  const Encoding encoding = encoding_of(layer, request);
  record.bits = encoding.top > 255 ? 16 : 8;
  record.offset = encoding.offset;
  record.scale = encoding.scale;
  const int64_t outside = record.bits == 16
                              ? write_encoded<uint16_t>(request.path, layer.grid(), encoding, request.text, context)
                              : write_encoded<uint8_t>(request.path, layer.grid(), encoding, request.text, context);
  if (outside > 0)
    context.warn(fmt::format("'{}': {} of {} cells lie outside [{:g}, {:g}] and were clamped", request.path, outside,
                             layer.grid().size(), encoding.offset, encoding.offset + encoding.top * encoding.scale));
}

enum class Format { tiff, png, glb };
constexpr const char* format_names[] = {"GeoTIFF", "PNG", "GLB"};

/// A request found sound.
struct Plan {
  Format format = Format::tiff;
  std::vector<Layer> layers;
};

Plan plan_of(const Terrain& terrain, const ExportRequest& request) {
  const std::string ending = file_ending(request.path);
  const Frame& frame = terrain.frame();
  Plan plan;
  if (std::ranges::find(export_endings(), ending) == export_endings().end())
    refuse(fmt::format("cannot write '{}': no format has the ending '{}'", request.path, ending),
           fmt::format("the endings are {}", fmt::join(export_endings(), ", ")));
  plan.format = ending == ".png" ? Format::png : ending == ".glb" ? Format::glb : Format::tiff;
  plan.layers = chosen_layers(terrain, request);
  if (frame.width < 1 || frame.height < 1)
    refuse(fmt::format("cannot write '{}': the land has no samples", request.path));
  switch (plan.format) {
    case Format::tiff:
      check_geotiff(request.path, frame);
      break;
    case Format::png:
      if (plan.layers.size() != 1)
        refuse(fmt::format("cannot write '{}': a PNG holds one layer, not {}", request.path, plan.layers.size()),
               "a .tif holds several");
      encoding_of(plan.layers.front(), request);
      break;
    case Format::glb:
      if (plan.layers.size() != 1 || plan.layers.front().name != "height")
        refuse(fmt::format("cannot write '{}': a mesh is made of 'height' alone", request.path));
      check_glb(request.path, frame);
      break;
  }
  return plan;
}

/// What PNG and GLB cannot say.
void warn_of_voids(const Terrain& terrain, const Plan& plan, const ExportRequest& request, const Context& context) {
  if (plan.format == Format::tiff || plan.layers.front().name == "void") return;
  if (const int64_t count = void_cells(terrain); count > 0)
    context.warn(fmt::format("'{}': {} of {} cells are void and are written filled; a .tif keeps them as nodata",
                             request.path, count, plan.layers.front().grid().size()));
}

}  // namespace

SamplePlace place_of(const Frame& frame) {
  SamplePlace place{frame.width, frame.height, frame.cell, {frame.x(0), frame.y(0)}, std::nullopt};
  if (!frame.geo) return place;
  place.geo = *frame.geo;
  place.geo->origin.x += static_cast<double>(frame.first_x) * frame.geo->step.x;
  place.geo->origin.y += static_cast<double>(frame.first_y) * frame.geo->step.y;
  return place;
}

int64_t void_cells(const Terrain& terrain) {
  const Layer* voids = terrain.find("void");
  if (voids == nullptr) return 0;
  return std::count_if(voids->grid().cells().begin(), voids->grid().cells().end(), is_void);
}

void check_export(const Terrain& terrain, const ExportRequest& request) { plan_of(terrain, request); }

FileRecord export_terrain(const Terrain& terrain, const ExportRequest& request, const Context& context) {
  const Plan plan = plan_of(terrain, request);
  FileRecord record;
  record.format = format_names[static_cast<size_t>(plan.format)];
  warn_of_voids(terrain, plan, request, context);
  switch (plan.format) {
    case Format::tiff:
      record.bits = write_geotiff(request.path, terrain, plan.layers, context);
      break;
    case Format::png:
      export_png(plan.layers.front(), request, record, context);
      break;
    case Format::glb:
      record.centre = write_glb(request.path, terrain, request.texture, context);
      break;
  }
  for (const Layer& layer : plan.layers) record.layers.push_back(layer.name);
  record.place = place_of(terrain.frame());
  const FileRecord written = record_file(request.path, record.format);
  record.name = written.name;
  record.bytes = written.bytes;
  record.hash = written.hash;
  return record;
}

const std::vector<std::string>& export_endings() {
  static const std::vector<std::string> endings = {".tif", ".tiff", ".png", ".glb"};
  return endings;
}

Hash hash_file(const std::string& path) {
  const size_t bytes = file_size(path);
  if (bytes == 0) return hash_bytes(nullptr, 0);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  void* data = file >= 0 ? mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  const int code = errno;
  if (file >= 0) close(file);
  if (data == MAP_FAILED) refuse(fmt::format("cannot read '{}': {}", path, std::generic_category().message(code)));
  const Hash hash = hash_bytes(data, bytes);
  munmap(data, bytes);
  return hash;
}

FileRecord record_file(const std::string& path, std::string format) {
  FileRecord record;
  record.name = file_name(path);
  record.format = std::move(format);
  record.bytes = file_size(path);
  record.hash = hash_file(path);
  return record;
}

}  // namespace tepui
