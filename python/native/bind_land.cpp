// Land as arrays, and arrays as land.
#include <cmath>
#include <cstring>

#include "python/native/bind.h"
#include "python/native/convert.h"
#include "python/native/job.h"
#include "tepui/core/error.h"
#include "tepui/hydrology/drainage_statistics.h"
#include "tepui/io/raster/place_land.h"
#include "tepui/io/raster/raster.h"
#include "tepui/io/raster/read_samples.h"
#include "tepui/terrain/fill_voids.h"
#include "tepui/terrain/land_statistics.h"
#include "tepui/terrain/terrain.h"

namespace tepui::python {

namespace py = pybind11;

namespace {

py::object geo_of(const std::shared_ptr<const Georeference>& geo) {
  if (!geo) return py::none();
  return py::make_tuple(geo->crs, py::make_tuple(geo->origin.x, geo->origin.y),
                        py::make_tuple(geo->step.x, geo->step.y));
}

py::dict frame_of(const Value& value) {
  const Terrain& land = get<Terrain>(value);
  const Frame& frame = land.frame();
  py::dict dict;
  dict["shape"] = py::make_tuple(frame.height, frame.width);
  dict["cell"] = py::make_tuple(frame.cell.x, frame.cell.y);
  dict["size"] = py::make_tuple(frame.size.x, frame.size.y);
  dict["origin"] = py::make_tuple(frame.origin.x, frame.origin.y);
  dict["first"] = py::make_tuple(frame.first_x, frame.first_y);
  dict["relief"] = py::make_tuple(land.relief().base, land.relief().top);
  dict["geo"] = geo_of(frame.geo);
  return dict;
}

py::list layers_of(const Value& value) {
  py::list list;
  for (const Layer& layer : get<Terrain>(value).layers())
    list.append(py::make_tuple(layer.name, layer.unit, std::string(layer_kind_name(layer.kind)), layer.classes));
  return list;
}

py::array layer_of(const Value& value, const std::string& name) {
  const Layer& layer = get<Terrain>(value).layer(name);
  return view(layer.grid().data(), {layer.grid().height(), layer.grid().width()}, layer.data);
}

/// A layer as Python gives it.
struct GivenLayer {
  std::string name, unit;
  LayerKind kind = LayerKind::continuous;
  int classes = 0;
  Packed<float> cells;
};

LayerKind kind_of_layer(const std::string& name) {
  for (const LayerKind kind : {LayerKind::continuous, LayerKind::category, LayerKind::mask})
    if (layer_kind_name(kind) == name) return kind;
  refuse("there is no kind of layer '" + name + "'", "choose from continuous, category, mask");
}

/// Copies the cells, from the south; cells that are no numbers become 0 there and 1 in `voids`.
Grid<float> cells_of(const float* from, int64_t width, int64_t height, bool north_first, Grid<float>& voids) {
  Grid<float> cells(width, height);
  for (int64_t y = 0; y < height; ++y) {
    const float* row = from + (north_first ? height - 1 - y : y) * width;
    float* to = cells.row(y);
    for (int64_t x = 0; x < width; ++x) {
      to[x] = row[x];
      if (std::isfinite(row[x])) continue;
      if (voids.empty()) voids = Grid<float>(width, height, 0.0F);
      voids(x, y) = 1;
      to[x] = 0;
    }
  }
  return cells;
}

Frame frame_at(const py::dict& place, int64_t width, int64_t height) {
  const auto [x, y] = place["origin"].cast<std::pair<double, double>>();
  const auto [dx, dy] = place["cell"].cast<std::pair<double, double>>();
  if (!(dx > 0) || !(dy > 0) || !std::isfinite(x) || !std::isfinite(y))
    refuse("the distance between samples must be above 0, and the origin a place", "for example cell=10");
  RasterPlace at;
  at.crs = place["crs"].cast<std::string>();
  at.origin = {x, y};
  at.step = {dx, dy};
  Frame frame = tepui::frame_at("the array", at, width, height);
  frame.size = extent_of(frame);
  require_sane_cells("the array", frame);
  return frame;
}

/// The samples of another land, for layers that lie on them.
std::optional<Frame> frame_like(const std::optional<Value>& like, int64_t width, int64_t height) {
  if (!like) return std::nullopt;
  const Frame& frame = get<Terrain>(*like).frame();
  if (frame.width != width || frame.height != height)
    refuse("the array has " + std::to_string(height) + " x " + std::to_string(width) + " samples, the land " +
           std::to_string(frame.height) + " x " + std::to_string(frame.width));
  return frame;
}

Terrain land_from(Frame frame, const std::vector<GivenLayer>& layers, bool north_first,
                  const std::optional<Relief>& relief, const Context& context) {
  const int64_t width = frame.width, height = frame.height;
  std::vector<Layer> made;
  Grid<float> voids;
  for (const GivenLayer& given : layers) {
    Grid<float> cells = cells_of(given.cells.data(), width, height, north_first, voids);
    Layer layer = make_layer(given.name, given.unit, given.kind, std::move(cells));
    layer.classes = given.classes;
    made.push_back(std::move(layer));
  }
  if (!voids.empty()) {
    bool any = false;
    for (int64_t i = 0; i < voids.size() && !any; ++i) any = voids.data()[i] == 0;
    if (!any) refuse("the array holds no heights: no cell of it is a number");
    for (Layer& layer : made) {
      if (layer.kind != LayerKind::continuous) continue;
      Grid<float> cells = layer.grid().clone();
      fill_voids(cells, voids, context);
      layer = layer.holding(std::move(cells));
    }
    for (const Layer& layer : made) {
      if (layer.name != "void") continue;
      for (int64_t i = 0; i < voids.size(); ++i)
        if (layer.grid().data()[i] != 0) voids.data()[i] = 1;
    }
  }
  const Relief own = relief ? *relief : relief_of(made.front().grid(), voids);
  Terrain land(std::move(frame), own);
  for (Layer& layer : made) land = land.with(std::move(layer));
  if (!voids.empty()) land = land.with(make_layer("void", "", LayerKind::mask, std::move(voids)));
  return land;
}

/// `layers`: [(name, unit, kind, classes, array)], the first of which has the shape that all have.
Value make_land(const py::dict& place, const py::list& layers, bool north_first, const std::optional<Value>& like,
                const std::optional<std::pair<double, double>>& relief) {
  std::vector<GivenLayer> given;
  for (const py::handle item : layers) {
    const auto [name, unit, kind, classes, cells] =
        item.cast<std::tuple<std::string, std::string, std::string, int, Packed<float>>>();
    if (cells.ndim() != 2 || cells.size() == 0)
      refuse("layer '" + name + "' must be an array of rows and columns, with at least one sample");
    if (!given.empty() && (cells.shape(0) != given[0].cells.shape(0) || cells.shape(1) != given[0].cells.shape(1)))
      refuse("layer '" + name + "' has another shape than '" + given[0].name + "'");
    given.push_back({name, unit, kind_of_layer(kind), classes, cells});
  }
  if (given.empty()) refuse("land needs at least one layer");
  const int64_t height = given[0].cells.shape(0), width = given[0].cells.shape(1);
  Frame frame = frame_like(like, width, height).value_or(Frame());
  if (!like) frame = frame_at(place, width, height);
  std::optional<Relief> own;
  if (relief) own = Relief{relief->first, relief->second};
  Value value;
  work([&](const Context& context) { value = land_from(frame, given, north_first, own, context); });
  return value;
}

/// The same land with one of its layers added or replaced, on its own samples.
Value with_layer(const Value& value, const std::string& name, const std::string& unit, const std::string& kind,
                 int classes, const Packed<float>& cells) {
  const Terrain& land = get<Terrain>(value);
  if (cells.ndim() != 2) refuse("layer '" + name + "' must be an array of rows and columns");
  Grid<float> voids;
  Grid<float> grid = cells_of(cells.data(), cells.shape(1), cells.shape(0), false, voids);
  if (!voids.empty()) refuse("layer '" + name + "' has cells that are no finite numbers");
  Layer layer = make_layer(name, unit, kind_of_layer(kind), std::move(grid));
  layer.classes = classes;
  return land.with(std::move(layer));
}

/// What `tepui info --stats` tells: name to number.
py::dict statistics_of(const Value& value, std::optional<double> sea_level) {
  const Terrain& land = get<Terrain>(value);
  std::vector<LandNumber> numbers;
  work([&](const Context& context) {
    numbers = land_statistics(land, context);
    for (LandNumber& n : drainage_statistics(land, {}, sea_level, context)) numbers.push_back(std::move(n));
  });
  py::dict dict;
  for (const LandNumber& number : numbers) dict[py::str(number.name)] = number.value;
  return dict;
}

/// The largest rivers, each as an array of distance, height, drainage and chi, from the mouth up.
py::list profiles_of(const Value& value, int count, std::optional<double> source, std::optional<double> sea_level) {
  std::vector<RiverProfile> profiles;
  work([&](const Context& context) {
    profiles = river_profiles(get<Terrain>(value), count, source, sea_level, context);
  });
  py::list list;
  for (const RiverProfile& profile : profiles) {
    py::array_t<double> points({static_cast<py::ssize_t>(profile.points.size()), py::ssize_t{4}});
    double* to = points.mutable_data();
    for (const RiverProfile::Point& point : profile.points)
      for (const double number : {point.distance, point.height, point.drainage, point.chi}) *to++ = number;
    list.append(points);
  }
  return list;
}

/// (area, slope, samples) of each bin, concavity and steepness.
py::tuple slope_area_of(const Value& value, std::optional<double> source, std::optional<double> sea_level) {
  SlopeArea told;
  work([&](const Context& context) { told = slope_area(get<Terrain>(value), source, sea_level, context); });
  py::list bins;
  for (const SlopeArea::Bin& bin : told.bins) bins.append(py::make_tuple(bin.area, bin.slope, bin.samples));
  return py::make_tuple(bins, told.concavity, told.steepness);
}

}  // namespace

void bind_land(py::module_& module) {
  module.def("frame", &frame_of);
  module.def("layers", &layers_of);
  module.def("layer", &layer_of);
  module.def("make_land", &make_land, py::arg("place"), py::arg("layers"), py::arg("north_first"), py::arg("like"),
             py::arg("relief"));
  module.def("with_layer", &with_layer);
  module.def("statistics", &statistics_of);
  module.def("profiles", &profiles_of);
  module.def("slope_area", &slope_area_of);
  module.def("with_relief", [](const Value& value, double base, double top) {
    return Value(get<Terrain>(value).with_relief({base, top}));
  });
}

}  // namespace tepui::python
