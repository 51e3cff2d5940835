#include "tepui/io/read_mask.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/read.h"
#include "tepui/terrain/resample.h"

namespace tepui {

namespace {

/// The whole world on so many samples.
Frame stretched(const Frame& world, int64_t width, int64_t height) {
  Frame frame;
  frame.origin = world.origin;
  frame.size = world.size;
  frame.width = width;
  frame.height = height;
  const auto apart = [](double side, int64_t samples) {
    return side / static_cast<double>(std::max<int64_t>(samples - 1, 1));
  };
  frame.cell = {apart(world.size.x, width), apart(world.size.y, height)};
  return frame;
}

void warn_of_shape(const std::string& file, const Frame& world, int64_t width, int64_t height, const Context& context) {
  const double own = static_cast<double>(width) / static_cast<double>(height), wanted = world.size.x / world.size.y;
  // A pixel more or less is a matter of counting.
  if (std::abs(own / wanted - 1) <= 1.5 / static_cast<double>(std::min(width, height))) return;
  context.warn(fmt::format("'{}' has {} x {} pixels and is stretched to fit a world of {:g} x {:g} m", file, width,
                           height, world.size.x, world.size.y));
}

}  // namespace

void describe(Fields<ReadMaskParams>& f) {
  using P = ReadMaskParams;
  f.about("Read a painted image as a mask over the world: black is 0, white is 1");
  f.reach(Reach::whole);
  f.example(
      "circular_faults | noise sum=ridged | {} file=recipes/data/hills.png | combine in=circular_faults with=noise "
      "mask=read_mask mode=mix");
  f("file", &P::file, "a PNG of any size, or an EXR or NPY from 0 to 1; relative to the recipe");
  f("band", &P::band, Range{1, 4}, "number of the channel; auto: the first").slider(1, 4);
  f("range", &P::range, Range{0, 1}, "shades that become 0 and 1; black is 0, white is 1")
      .sweep("0..1", "0..0.5", "0.45..0.5");
  f("invert", &P::invert, "select what is black instead of white");
}

Terrain read_mask(const Frame& world, const ReadMaskParams& params, const Context& context) {
  const std::string& file = params.file.path;
  if (file.empty()) refuse("'read_mask' needs a file", "file=mask.png");
  if (const std::string ending = file_ending(file);
      ending != ".png" && ending != ".exr" && ending != ".npy" && ending != ".npz")
    refuse(fmt::format("'{}' cannot be a painted mask: those are .png, .exr or .npy", file),
           "read it as land with 'read', then 'resample' it");
  const Interval& range = params.range;
  if (!(range.low < range.high))
    refuse("'range' must go from a darker shade to a lighter one", "such as range=0.2..0.8");
  // What `read` would have to assume of land is known of a mask.
  const Terrain picture = read({.file = params.file, .band = params.band, .cell = metres(1), .range = Interval{0, 1}},
                               context.told_to(nullptr));
  const Grid<float>& shades = picture.layer("height").grid();
  const Layer* open = picture.find("void");
  Grid<float> cells(shades.width(), shades.height());
  for (int64_t i = 0; i < shades.size(); ++i) {
    const float shade = shades.data()[i];
    if (!(shade >= 0 && shade <= 1)) refuse(fmt::format("'{}' holds {:g}, but a mask goes from 0 to 1", file, shade));
    const bool is_open = open != nullptr && open->grid().data()[i] > 0;
    const double share = std::clamp((static_cast<double>(shade) - range.low) / (range.high - range.low), 0.0, 1.0);
    cells.data()[i] = static_cast<float>(is_open ? 0 : params.invert ? 1 - share : share);
  }
  warn_of_shape(file, world, shades.width(), shades.height(), context);
  const bool fits =
      shades.width() == world.width && shades.height() == world.height && world.first_x == 0 && world.first_y == 0;
  const Frame frame = fits ? world : stretched(world, shades.width(), shades.height());
  const Terrain painted = Terrain(frame, Relief{0, 1}).with(make_layer("mask", "", LayerKind::mask, std::move(cells)));
  if (fits) return painted;
  const Terrain like(world, Relief{0, 1});
  return resample(painted, &like, {}, context);
}

}  // namespace tepui
