#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/number.h"
#include "tepui/io/atomic_file.h"
#include "tepui/io/fill.h"
#include "tepui/io/gdal_session.h"
#include "tepui/io/geotiff.h"
#include "tepui/io/read.h"

namespace tepui {

namespace {

constexpr double pi = 3.14159265358979323846;

/// A few rows at a time.
constexpr int64_t buffer_bytes = 8 << 20;

/// sin for |x| <= pi/2 by its series: the same bits on every machine.
double sine(double x) {
  double term = x, sum = x;
  for (int n = 2; n < 28; n += 2) {
    term *= -x * x / (n * (n + 1));
    sum += term;
  }
  return sum;
}

/// Metres of one radian along the parallel and along the meridian at a latitude, on an ellipsoid.
Vec2 metres_per_radian(double latitude, double semi_major, double inverse_flattening) {
  const double f = inverse_flattening > 0 ? 1 / inverse_flattening : 0;
  const double e2 = f * (2 - f);
  const double s = sine(latitude);
  const double w2 = 1 - e2 * s * s;
  const double w = std::sqrt(w2);
  const double cosine = sine(pi / 2 - std::abs(latitude));
  return {semi_major * cosine / w, semi_major * (1 - e2) / (w2 * w)};
}

/// The reference system, and the sample centres in it, south-west first.
struct Placement {
  OGRSpatialReference crs;
  double metres = 1;  // of a unit of length
  bool has_crs = false, has_transform = false;
  bool mirrored = false, north_up = true;
  Vec2 origin, step{1, 1};
};

void set_crs(Placement& at, GDALDataset& dataset) {
  const OGRSpatialReference* crs = dataset.GetSpatialRef();
  if (crs == nullptr) return;
  at.metres = crs->GetLinearUnits();
  // What GDAL makes up for files that have coordinates and say no more, and what we write for them.
  const char* name = crs->GetName();
  if (crs->IsLocal() && (name == nullptr || EQUAL(name, "unnamed") || EQUAL(name, local_metres))) return;
  at.crs = *crs;
  at.has_crs = true;
}

Placement place(const std::string& path, GDALDataset& dataset) {
  Placement result;
  set_crs(result, dataset);
  double t[6] = {0, 1, 0, 0, 0, -1};
  result.has_transform = dataset.GetGeoTransform(t) == CE_None;
  const double width = dataset.GetRasterXSize(), height = dataset.GetRasterYSize();
  if (!result.has_transform) {
    if (dataset.GetGCPCount() > 0)
      refuse(fmt::format("'{}' is placed by ground control points, not by a grid", path),
             "gdalwarp turns it into a grid");
    t[3] = height;  // samples start at half a cell, so that no half cell is lost
    t[5] = -1;
  }
  if (t[2] != 0 || t[4] != 0)
    refuse(
        fmt::format("'{}' is rotated or sheared (geotransform {:g}, {:g}, {:g}, {:g})", path, t[1], t[2], t[4], t[5]),
        "gdalwarp makes it north-up");
  if (!std::isfinite(t[0]) || !std::isfinite(t[3]) || !std::isfinite(t[1]) || !std::isfinite(t[5]) || t[1] == 0 ||
      t[5] == 0)
    refuse(fmt::format("'{}' has a cell of {:g} x {:g}", path, t[1], t[5]));
  result.mirrored = t[1] < 0;
  result.north_up = t[5] < 0;
  result.step = {std::abs(t[1]), std::abs(t[5])};
  result.origin = {t[0] + (result.mirrored ? width - 0.5 : 0.5) * t[1],
                   t[3] + (result.north_up ? height - 0.5 : 0.5) * t[5]};
  if (!result.has_transform) result.origin = {0, 0};
  return result;
}

std::string wkt(const OGRSpatialReference& crs) {
  char* text = nullptr;
  const char* const options[] = {"FORMAT=WKT2_2018", "MULTILINE=NO", nullptr};
  crs.exportToWkt(&text, options);
  const std::string result = text != nullptr ? text : "";
  CPLFree(text);
  return result;
}

std::string crs_name(const Placement& at) {
  if (!at.has_crs) return {};
  const char* authority = at.crs.GetAuthorityName(nullptr);
  const char* code = at.crs.GetAuthorityCode(nullptr);
  if (authority != nullptr && code != nullptr) return fmt::format("{}:{}", authority, code);
  const char* name = at.crs.GetName();
  return name != nullptr ? name : "unnamed";
}

/// Metres of a cell on the ground where coordinates are degrees.
Vec2 geographic_cell(const std::string& path, const Placement& at, int64_t height) {
  const double unit = at.crs.GetAngularUnits();
  const double latitude = (at.origin.y + 0.5 * static_cast<double>(height - 1) * at.step.y) * unit;
  if (!(std::abs(latitude) < pi / 2))
    refuse(fmt::format("'{}' is centred on latitude {:g}: a pole, or not on the globe", path, latitude * 180 / pi),
           "gdalwarp brings it to a projection in metres");
  const Vec2 metres = metres_per_radian(latitude, at.crs.GetSemiMajor(), at.crs.GetInvFlattening());
  return {at.step.x * unit * metres.x, at.step.y * unit * metres.y};
}

Frame frame_of(const std::string& path, const Placement& at, int64_t width, int64_t height, const Context& context) {
  Frame frame;
  frame.width = width;
  frame.height = height;
  if (at.has_crs && at.crs.IsGeographic()) {
    frame.cell = geographic_cell(path, at, height);
  } else {
    if (!(at.metres > 0)) refuse(fmt::format("'{}' has coordinates in units of {:g} m", path, at.metres));
    frame.origin = at.origin * at.metres;
    frame.cell = at.step * at.metres;
    if (!at.has_transform)
      context.warn(fmt::format("'{}' does not say how far apart its samples are: 1 m assumed", path));
  }
  frame.size = {frame.cell.x * static_cast<double>(std::max<int64_t>(width - 1, 1)),
                frame.cell.y * static_cast<double>(std::max<int64_t>(height - 1, 1))};
  require_sane_cells(path, frame);
  if (!at.has_crs) return frame;
  OGRSpatialReference crs = at.crs;
  // Heights become metres, whatever they were.
  if (crs.IsCompound() && crs.GetTargetLinearUnits("VERT_CS") != 1) crs.StripVertical();
  frame.geo = std::make_shared<const Georeference>(Georeference{wkt(crs), at.origin, at.step});
  return frame;
}

/// Metres per unit of a band's heights.
double metres_per_unit(const std::string& path, GDALRasterBand& band, const Placement& at, const Context& context) {
  constexpr double survey_foot = 1200.0 / 3937.0;
  static const std::vector<std::pair<std::string, double>> units = {{"m", 1},
                                                                    {"metre", 1},
                                                                    {"meter", 1},
                                                                    {"metres", 1},
                                                                    {"meters", 1},
                                                                    {"dm", 0.1},
                                                                    {"cm", 0.01},
                                                                    {"mm", 0.001},
                                                                    {"km", 1000},
                                                                    {"ft", 0.3048},
                                                                    {"foot", 0.3048},
                                                                    {"feet", 0.3048},
                                                                    {"us-ft", survey_foot},
                                                                    {"ftUS", survey_foot},
                                                                    {"US survey foot", survey_foot},
                                                                    {"Foot_US", survey_foot}};
  const std::string unit = band.GetUnitType();
  for (const auto& [name, metres] : units)
    if (EQUAL(name.c_str(), unit.c_str())) return metres;
  if (!unit.empty()) context.warn(fmt::format("'{}' gives heights in '{}': taken as metres", path, unit));
  if (unit.empty() && at.has_crs && at.crs.IsCompound()) {
    const double metres = at.crs.GetTargetLinearUnits("VERT_CS");
    if (metres > 0) return metres;
  }
  return 1;
}

/// Which stored numbers are no heights.
class NoData {
 public:
  explicit NoData(GDALRasterBand& band) {
    int declared = 0;
    double value = 0;
    switch (band.GetRasterDataType()) {
      case GDT_Int64:
        value = static_cast<double>(band.GetNoDataValueAsInt64(&declared));
        break;
      case GDT_UInt64:
        value = static_cast<double>(band.GetNoDataValueAsUInt64(&declared));
        break;
      default:
        value = band.GetNoDataValue(&declared);
    }
    if (declared == 0 || !std::isfinite(value)) return;
    // Programs round the largest floats when they write them as text; and a float cannot hold every double.
    slack_ = std::abs(value) > 1e30 ? 1e-5 * std::abs(value) : 0;
    value_ = band.GetRasterDataType() == GDT_Float32 && std::abs(value) <= std::numeric_limits<float>::max()
                 ? static_cast<double>(static_cast<float>(value))
                 : value;
  }
  bool operator()(double v) const { return !std::isfinite(v) || (value_ && std::abs(v - *value_) <= slack_); }

 private:
  std::optional<double> value_;
  double slack_ = 0;
};

/// A file may claim any size: what a band says it holds must be within memory and not out of all proportion to the
/// file. Files compress by 1000 to 1 at most, bar the odd codec, and may leave empty blocks out.
void check_claim(const std::string& path, GDALRasterBand& band, int64_t bands) {
  const double width = band.GetXSize(), height = band.GetYSize();
  const double sample = GDALGetDataTypeSizeBytes(band.GetRasterDataType());
  const double memory = static_cast<double>(physical_memory());
  const double needed = width * height * sizeof(float) * static_cast<double>(bands + 1);
  if (needed > memory)
    refuse(fmt::format("'{}' has {:.0f} x {:.0f} samples, which need {}; this machine has {}", path, width, height,
                       bytes_text(needed), bytes_text(memory)),
           "gdal_translate -srcwin cuts a part out, -outsize makes it smaller");
  int block_width = 0, block_height = 0;
  band.GetBlockSize(&block_width, &block_height);
  const double block = static_cast<double>(block_width) * block_height * sample;
  const double plausible = 16.0 * 1024 * 1024 + 10000.0 * static_cast<double>(file_size(path));
  if (std::max(width * height * sample, block) > plausible)
    refuse(fmt::format("'{}' says it has {:.0f} x {:.0f} samples, but its {} cannot hold them", path, width, height,
                       bytes_text(static_cast<double>(file_size(path)))));
}

/// Calls take(y, values, valid) for each row of a band, the file's first row first; x runs east.
template <class Take>
void for_each_row(const std::string& path, GDALRasterBand& band, const Placement& at, GdalSession& session,
                  const Context& context, const Take& take) {
  if (GDALDataTypeIsComplex(band.GetRasterDataType()) != 0)
    refuse(fmt::format("'{}' holds complex numbers, which are no heights", path));
  const int width = band.GetXSize(), height = band.GetYSize();
  int block_width = 0, block_height = 0;
  band.GetBlockSize(&block_width, &block_height);
  const int64_t fitting = std::max<int64_t>(buffer_bytes / (8 * int64_t{width}), 1);
  const int rows = static_cast<int>(std::clamp<int64_t>(std::min<int64_t>(block_height, fitting), 1, height));
  const bool masked = (band.GetMaskFlags() & GMF_PER_DATASET) != 0;
  const NoData nodata(band);
  std::vector<double> values(static_cast<size_t>(width) * static_cast<size_t>(rows));
  std::vector<uint8_t> valid(values.size(), 255);
  session.forget();
  for (int y = 0; y < height; y += rows) {
    context.check();
    context.progress(static_cast<double>(y) / height);
    const int count = std::min(rows, height - y);
    const bool read = band.RasterIO(GF_Read, 0, y, width, count, values.data(), width, count, GDT_Float64, 0, 0,
                                    nullptr) == CE_None &&
                      (!masked || band.GetMaskBand()->RasterIO(GF_Read, 0, y, width, count, valid.data(), width, count,
                                                               GDT_Byte, 0, 0, nullptr) == CE_None);
    if (!read || session.failed())
      refuse(fmt::format("cannot read '{}': {}", path, session.message("its data are damaged")));
    for (int i = 0; i < count; ++i) {
      double* row = values.data() + static_cast<size_t>(i) * static_cast<size_t>(width);
      uint8_t* ok = valid.data() + static_cast<size_t>(i) * static_cast<size_t>(width);
      for (int x = 0; x < width; ++x) ok[x] = (!masked || ok[x] != 0) && !nodata(row[x]);
      if (at.mirrored) {
        std::reverse(row, row + width);
        std::reverse(ok, ok + width);
      }
      take(y + i, row, ok);
    }
  }
}

/// A band as a layer, and the voids of all bands so far.
struct Canvas {
  Grid<float> voids;
  int64_t void_cells = 0;
};

Grid<float> read_band(const std::string& path, GDALRasterBand& band, const Placement& at, double metres,
                      GdalSession& session, const Context& context, Canvas& canvas) {
  int has_scale = 0, has_offset = 0;
  double scale = band.GetScale(&has_scale), offset = band.GetOffset(&has_offset);
  if (has_scale == 0) scale = 1;
  if (has_offset == 0) offset = 0;
  scale *= metres;
  offset *= metres;
  const int64_t width = band.GetXSize(), height = band.GetYSize();
  Grid<float> grid(width, height);
  for_each_row(path, band, at, session, context, [&](int y, const double* values, const uint8_t* valid) {
    const int64_t row = at.north_up ? height - 1 - y : y;
    float* to = grid.row(row);
    for (int64_t x = 0; x < width; ++x) {
      const double value = offset + scale * values[x];
      const bool ok = valid[x] != 0 && std::abs(value) <= std::numeric_limits<float>::max();
      to[x] = ok ? static_cast<float>(value) : 0;
      if (ok) continue;
      if (canvas.voids.empty()) canvas.voids = Grid<float>(width, height, 0);
      float& cell = canvas.voids(x, row);
      if (cell == 0) ++canvas.void_cells;
      cell = 1;
    }
  });
  return grid;
}

Relief relief_of(const Grid<float>& height, const Grid<float>& voids) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (int64_t i = 0; i < height.size(); ++i) {
    if (!voids.empty() && voids.data()[i] != 0) continue;
    low = std::min(low, static_cast<double>(height.data()[i]));
    high = std::max(high, static_cast<double>(height.data()[i]));
  }
  return {low, high > low ? high : low + 1};
}

/// A band of a file that Tepui wrote.
std::optional<LayerKind> own_kind(GDALRasterBand& band) {
  const char* text = band.GetMetadataItem("TEPUI_KIND");
  if (text == nullptr) return std::nullopt;
  for (const LayerKind kind : {LayerKind::continuous, LayerKind::category, LayerKind::mask})
    if (layer_kind_name(kind) == text) return kind;
  return std::nullopt;
}

/// How many classes a band of Tepui's says it has; 0 where it does not say, or nothing sensible.
int own_classes(GDALRasterBand& band) {
  const char* text = band.GetMetadataItem("TEPUI_CLASSES");
  const std::optional<double> count = text != nullptr ? parse_number(text) : std::nullopt;
  return count && *count >= 1 && *count <= 65536 ? static_cast<int>(*count) : 0;
}

bool is_own(GDALDataset& dataset) {
  for (int i = 1; i <= dataset.GetRasterCount(); ++i)
    if (!own_kind(*dataset.GetRasterBand(i)) || *dataset.GetRasterBand(i)->GetDescription() == '\0') return false;
  return true;
}

std::string band_name(GDALDataset& dataset, int i) {
  const std::string name = dataset.GetRasterBand(i)->GetDescription();
  if (!name.empty()) return name;
  return dataset.GetRasterCount() == 1 ? "height" : fmt::format("band {}", i);
}

void require_bands(const std::string& path, GDALDataset& dataset) {
  if (dataset.GetRasterCount() < 1 || dataset.GetRasterXSize() < 1 || dataset.GetRasterYSize() < 1)
    refuse(fmt::format("'{}' has no samples", path));
}

}  // namespace

Terrain read_geotiff(const std::string& path, int band, const Context& context) {
  GdalSession session;
  const GdalDataset dataset = open_tiff(path, session);
  require_bands(path, *dataset);
  const int bands = dataset->GetRasterCount();
  if (band < 0 || band > bands) refuse(fmt::format("'{}' has no band {}", path, band), fmt::format("it has {}", bands));
  const bool own = band == 0 && is_own(*dataset);
  if (band == 0 && !own && bands > 1)
    context.warn(fmt::format("'{}' has {} bands: the first is taken as the height", path, bands));
  const int first = std::max(band, 1), last = own ? bands : first;
  check_claim(path, *dataset->GetRasterBand(first), last - first + 1);
  const Placement at = place(path, *dataset);
  const Frame frame = frame_of(path, at, dataset->GetRasterXSize(), dataset->GetRasterYSize(), context);

  Canvas canvas;
  std::vector<Layer> layers;
  std::vector<Grid<float>> grids;
  for (int i = first; i <= last; ++i) {
    GDALRasterBand& source = *dataset->GetRasterBand(i);
    const bool height = !own || band_name(*dataset, i) == "height";
    const double metres = height ? metres_per_unit(path, source, at, context) : 1;
    const double share = 1.0 / (last - first + 1);
    grids.push_back(read_band(path, source, at, metres, session,
                              context.stage("reading", (i - first) * share, (i - first + 1) * share), canvas));
    layers.push_back({height ? "height" : band_name(*dataset, i), height ? "m" : source.GetUnitType(),
                      own ? *own_kind(source) : LayerKind::continuous, nullptr, own ? own_classes(source) : 0});
  }
  if (canvas.void_cells == frame.width * frame.height)
    refuse(fmt::format("'{}' holds no heights: every cell is nodata", path));

  size_t main = 0;
  for (size_t i = 0; i < layers.size(); ++i)
    if (layers[i].name == "height") main = i;
  Terrain terrain(frame, relief_of(grids[main], canvas.voids));
  for (size_t i = 0; i < layers.size(); ++i) {
    if (canvas.void_cells > 0 && layers[i].kind == LayerKind::continuous) fill_voids(grids[i], canvas.voids, context);
    layers[i].data = std::make_shared<const Grid<float>>(std::move(grids[i]));
    terrain = terrain.with(std::move(layers[i]));
  }
  if (canvas.void_cells > 0) terrain = terrain.with(make_layer("void", "", LayerKind::mask, std::move(canvas.voids)));
  return terrain;
}

GeoTiffInfo inspect_geotiff(const std::string& path, const Context& context) {
  GdalSession session;
  const GdalDataset dataset = open_tiff(path, session);
  require_bands(path, *dataset);
  int main = 1;
  GeoTiffInfo info;
  for (int i = 1; i <= dataset->GetRasterCount(); ++i) {
    info.layers.push_back(band_name(*dataset, i));
    if (info.layers.back() == "height" && is_own(*dataset)) main = i;
  }
  GDALRasterBand& band = *dataset->GetRasterBand(main);
  check_claim(path, band, 1);
  Placement at;
  double t[6] = {0, 1, 0, 0, 0, -1};
  dataset->GetGeoTransform(t);
  set_crs(at, *dataset);
  info.width = dataset->GetRasterXSize();
  info.height = dataset->GetRasterYSize();
  info.cell = {std::sqrt(t[1] * t[1] + t[4] * t[4]), std::sqrt(t[2] * t[2] + t[5] * t[5])};
  info.rotated = t[2] != 0 || t[4] != 0;
  info.crs = crs_name(at);
  const char* registration = dataset->GetMetadataItem("AREA_OR_POINT");
  info.registration = registration != nullptr && EQUAL(registration, "Point") ? "point" : "area";
  info.type = GDALGetDataTypeName(band.GetRasterDataType());
  double sum = 0;
  int64_t count = 0;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for_each_row(path, band, at, session, context, [&](int, const double* values, const uint8_t* valid) {
    double row_sum = 0;
    for (int64_t x = 0; x < info.width; ++x) {
      if (valid[x] == 0) continue;
      low = std::min(low, values[x]);
      high = std::max(high, values[x]);
      row_sum += values[x];
      ++count;
    }
    sum += row_sum;
  });
  info.nodata_cells = info.width * info.height - count;
  if (count == 0) return info;
  info.min = low;
  info.max = high;
  info.mean = sum / static_cast<double>(count);
  return info;
}

}  // namespace tepui
