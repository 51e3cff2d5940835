#include "tepui/render/ground/bake.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/render/ground/land_ground.h"
#include "tepui/render/ground/map_bytes.h"
#include "tepui/render/ground/mesh_normals.h"
#include "tepui/terrain/derivatives.h"
#include "tepui/terrain/horizon.h"

namespace tepui {

namespace {

constexpr int own_size = 4096;
constexpr int most_places = 8;
/// Along each axis of a texel that the shore runs through.
constexpr int shore_places = 8;

/// The texels over the land: texel i lies on the sample position first + i samples, from the south-west.
struct Texels {
  int width = 1, height = 1;
  double across = 1, along = 1;  ///< samples per texel
  int places = 1;                ///< looked at in a texel, along each axis
  double footprint = 1;          ///< metres

  Vec2 first;  ///< where the south-western one lies

  double u(double i) const { return first.x + i * across; }
  double v(double j) const { return first.y + j * along; }
  /// Within a texel, of its own size around 0.
  double offset(int k) const { return (k + 0.5) / places - 0.5; }
  /// Once it is known how far apart they are.
  void measure(const Frame& frame) {
    places = static_cast<int>(std::clamp(std::ceil(std::max(across, along)), 1.0, double{most_places}));
    footprint = std::max(across * frame.cell.x, along * frame.cell.y);
  }
};

/// Texels in even shares of a window, `width` and `height` of them; the window counts from the land's first sample.
Texels even_texels(const Frame& frame, const TileWindow& window, int width, int height) {
  Texels t;
  t.width = width;
  t.height = height;
  t.across = static_cast<double>(window.width) / width;
  t.along = static_cast<double>(window.height) / height;
  t.first = {static_cast<double>(window.first_x) + 0.5 * t.across - 0.5,
             static_cast<double>(window.first_y) + 0.5 * t.along - 0.5};
  t.measure(frame);
  return t;
}

TileWindow all_of(const Frame& frame) { return {0, 0, 0, 0, frame.width, frame.height}; }

Texels lay_texels(const Frame& frame, const BakeParams& params) {
  const std::optional<int> size = params.size;
  const int64_t longer = std::max(frame.width, frame.height);
  const double asked = size ? static_cast<double>(*size) : static_cast<double>(std::min<int64_t>(longer, own_size));
  const auto count = [&](int64_t samples) {
    const double share = static_cast<double>(samples) / static_cast<double>(longer) * asked;
    return static_cast<int>(std::max(1.0, std::floor(share + 0.5)));
  };
  if (!params.lattice) return even_texels(frame, all_of(frame), count(frame.width), count(frame.height));
  Texels t = even_texels(frame, all_of(frame), params.lattice->width, params.lattice->height);
  if (!params.lattice->to_corners) return t;
  t.across = static_cast<double>(frame.width - 1) / std::max(t.width - 1, 1);
  t.along = static_cast<double>(frame.height - 1) / std::max(t.height - 1, 1);
  t.first = {};
  t.measure(frame);
  return t;
}

/// Those of a window, as large as all the land's are.
Texels texels_within(const Frame& frame, const Texels& all, const TileWindow& window) {
  const auto count = [](int64_t samples, double each) {
    return std::max(1, static_cast<int>(std::lround(static_cast<double>(samples) / each)));
  };
  return even_texels(frame, window, count(window.width, all.across), count(window.height, all.along));
}

/// The light of the sky on every texel, or on every sample where there are fewer.
struct SkyGrid {
  Grid<float> light;
  double per_u = 1, per_v = 1;  ///< cells per sample

  double at(double u, double v) const {
    const double x = std::clamp((u + 0.5) * per_u - 0.5, 0.0, static_cast<double>(light.width() - 1));
    const double y = std::clamp((v + 0.5) * per_v - 0.5, 0.0, static_cast<double>(light.height() - 1));
    const auto i = static_cast<int64_t>(x), j = static_cast<int64_t>(y);
    const int64_t i1 = std::min(i + 1, light.width() - 1), j1 = std::min(j + 1, light.height() - 1);
    const double s = x - static_cast<double>(i), t = y - static_cast<double>(j);
    const auto row = [&](int64_t r) {
      return (1 - s) * static_cast<double>(light(i, r)) + s * static_cast<double>(light(i1, r));
    };
    return (1 - t) * row(j) + t * row(j1);
  }
};

SkyGrid light_from_sky(const Terrain& land, const LandGround& ground, const Texels& texels,
                       std::optional<double> sea_level, const Context& context) {
  Frame frame = land.frame();
  SkyGrid sky;
  const int64_t width = std::min<int64_t>(texels.width, frame.width),
                height = std::min<int64_t>(texels.height, frame.height);
  sky.per_u = static_cast<double>(width) / static_cast<double>(frame.width);
  sky.per_v = static_cast<double>(height) / static_cast<double>(frame.height);
  const float sea = sea_level ? static_cast<float>(*sea_level) : std::numeric_limits<float>::lowest();
  Grid<float> surface(width, height);
  parallel_chunks(height, 16, context.stage("sky", 0, 0.05), [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < width; ++x) {
        const double u = (static_cast<double>(x) + 0.5) / sky.per_u - 0.5;
        const double v = (static_cast<double>(y) + 0.5) / sky.per_v - 0.5;
        surface(x, y) = std::max(sea, static_cast<float>(ground.height_at(u, v)));
        if (!ground.water().empty())
          surface(x, y) = std::max(surface(x, y), static_cast<float>(ground.water().level_at(u, v)));
      }
  });
  frame.width = width;
  frame.height = height;
  frame.cell = {frame.cell.x / sky.per_u, frame.cell.y / sky.per_v};
  const Terrain reduced(frame, land.relief(), std::move(surface));
  const Gradient slopes = gradient(reduced, context.stage("sky", 0.05, 0.1));
  sky.light = sky_light(reduced.height(), frame.cell, slopes.east, slopes.north, context.stage("sky", 0.1, 1));
  return sky;
}

/// How much of a texel lies under the sea, a lake or a river.
class WaterCover {
 public:
  WaterCover(const LandGround& ground, const Frame& frame, std::optional<double> sea_level)
      : ground_(ground), sea_(sea_level), width_(frame.width), height_(frame.height) {}

  bool any() const { return sea_ || !ground_.water().empty(); }

  /// Of the texel around (u, v).
  double share(const Texels& texels, double u, double v) const {
    const auto samples = [](double middle, double wide, int64_t count) {
      const auto at = [&](double place) {
        return std::clamp<int64_t>(static_cast<int64_t>(std::floor(place)), 0, count - 1);
      };
      return std::pair(at(middle - 0.5 * wide), std::min(at(middle + 0.5 * wide) + 1, count - 1));
    };
    // Between samples that are all wet, or all dry, there is no shore.
    const auto [x0, x1] = samples(u, texels.across, width_);
    const auto [y0, y1] = samples(v, texels.along, height_);
    bool dry = false, wet = false;
    for (int64_t y = y0; y <= y1 && !(dry && wet); ++y)
      for (int64_t x = x0; x <= x1; ++x) (over(static_cast<double>(x), static_cast<double>(y)) > 0 ? wet : dry) = true;
    if (!(dry && wet)) return wet ? 1 : 0;
    int sum = 0;
    for (int b = 0; b < shore_places; ++b)
      for (int a = 0; a < shore_places; ++a)
        if (over(u + offset(a) * texels.across, v + offset(b) * texels.along) > 0) ++sum;
    return static_cast<double>(sum) / (shore_places * shore_places);
  }

 private:
  static double offset(int k) { return (k + 0.5) / shore_places - 0.5; }
  double over(double u, double v) const {
    const double sea = sea_ ? *sea_ - ground_.height_at(u, v) : -1;
    return ground_.water().empty() ? sea : std::max(sea, ground_.water().over_ground(u, v));
  }

  const LandGround& ground_;
  std::optional<double> sea_;
  int64_t width_, height_;
};

/// In the tangent space of a mesh with this normal whose u runs east and v south, as MikkTSpace (Mikkelsen 2008) and
/// glTF have it: x along the surface eastwards, y to the left of it.
Vec3 against_mesh(Vec3 normal, Vec3 mesh) {
  Vec3 east{mesh.z, 0, -mesh.x};
  east = east * (1 / length(east));
  const Vec3 tangent{dot(normal, east), dot(normal, cross(mesh, east)), dot(normal, mesh)};
  return tangent * (1 / length(tangent));
}

/// What a land's maps are made of.
struct BakedLand {
  BakedLand(const Terrain& land, const BakeParams& params, std::optional<double> sea_level, const Context& context)
      : texels(lay_texels(land.frame(), params)),
        ground(land, params, sea_level, context.stage("ground", 0, 0.1)),
        sheet(land),
        water(ground, land.frame(), sea_level) {
    if (params.occlusion) sky = light_from_sky(land, ground, texels, sea_level, context.stage("sky", 0.1, 1));
  }

  Texels texels;  ///< of all of it
  LandGround ground;
  SheetNormals sheet;
  WaterCover water;
  SkyGrid sky;
};

class Baker {
 public:
  Baker(const BakedLand& land, const BakeParams& params, const Texels& texels, const Mesh* mesh)
      : params_(params), texels_(texels), land_(land) {
    if (mesh != nullptr && params.normal == NormalMap::mesh) mesh_ = draw_normals(*mesh, texels_.width, texels_.height);
  }

  Bake bake(const Context& work) {
    if (params_.colour) colour_ = add("colour", {"red", "green", "blue"});
    if (params_.normal != NormalMap::none) normal_ = add("normal", {"east", "north", "up"});
    if (params_.occlusion) occlusion_ = add("occlusion", {"sky"});
    if (params_.roughness) roughness_ = add("roughness", {"roughness"});
    if (params_.slope) slope_ = add("slope", {"slope"});
    if (params_.water && land_.water.any()) water_ = add("water", {"water"});
    add_weights();
    // A row of many places to the texel takes a while already.
    parallel_chunks(texels_.height, 1, work, [&](int64_t begin, int64_t end) {
      for (auto j = static_cast<int>(begin); j < static_cast<int>(end); ++j)
        for (int i = 0; i < texels_.width; ++i) texel(i, j);
    });
    return std::move(bake_);
  }

 private:
  using Map = std::optional<size_t>;

  Map add(std::string name, std::vector<std::string> channels) {
    const int count = static_cast<int>(channels.size());
    bake_.maps.push_back({std::move(name), std::move(channels), Image(texels_.width, texels_.height, count)});
    return bake_.maps.size() - 1;
  }

  void add_weights() {
    if (params_.weights == WeightMaps::none) return;
    for (WeightMapName& map : weight_map_names(params_.weights == WeightMaps::rgba ? 4 : 1))
      weights_.push_back(*add(std::move(map.name), std::move(map.channels)));
  }

  uint8_t* at(size_t map, int i, int j) { return bake_.maps[map].image.at(i, texels_.height - 1 - j); }

  void texel(int i, int j) {
    const int n = texels_.places;
    Rgb colour;
    Vec3 normal{0, 0, 0};
    double slope = 0, roughness = 0;
    std::array<double, ground_kinds> shares{};
    for (int b = 0; b < n; ++b)
      for (int a = 0; a < n; ++a) {
        const double u = texels_.u(i + texels_.offset(a)), v = texels_.v(j + texels_.offset(b));
        const Vec3 own = land_.ground.normal_at(u, v);
        const GroundLook look = land_.ground.look(u, v, own, texels_.footprint);
        colour = colour + look.albedo;
        normal = normal + look.normal;
        if (slope_) slope += math::atan2(std::sqrt(own.x * own.x + own.y * own.y), own.z);
        roughness += static_cast<double>(look.roughness);
        for (size_t k = 0; k < ground_kinds; ++k) shares[k] += static_cast<double>(look.weights[k]);
      }
    const double u = texels_.u(i), v = texels_.v(j), share = 1.0 / (n * n);
    if (colour_) {
      uint8_t* out = at(*colour_, i, j);
      out[0] = srgb_(colour.r * static_cast<float>(share));
      out[1] = srgb_(colour.g * static_cast<float>(share));
      out[2] = srgb_(colour.b * static_cast<float>(share));
    }
    if (normal_) put_normal(at(*normal_, i, j), normal * (1 / length(normal)), i, j);
    if (occlusion_) *at(*occlusion_, i, j) = byte_of(255 * land_.sky.at(u, v));
    if (roughness_) *at(*roughness_, i, j) = byte_of(255 * roughness * share);
    if (slope_) *at(*slope_, i, j) = byte_of(math::degrees(slope * share) / 90 * 255);
    if (water_) *at(*water_, i, j) = byte_of(255 * land_.water.share(texels_, u, v));
    put_weights(shares, i, j);
  }

  Vec3 mesh_normal(int i, int j) const {
    return mesh_.empty() ? land_.sheet.at(texels_.u(i), texels_.v(j)) : to_vec(mesh_(i, j));
  }

  void put_normal(uint8_t* out, Vec3 normal, int i, int j) const {
    const Vec3 n = params_.normal == NormalMap::mesh ? against_mesh(normal, mesh_normal(i, j)) : normal;
    out[0] = byte_of((n.x + 1) / 2 * 255);
    out[1] = byte_of((n.y + 1) / 2 * 255);
    out[2] = byte_of((n.z + 1) / 2 * 255);
  }

  void put_weights(const std::array<double, ground_kinds>& shares, int i, int j) {
    if (weights_.empty()) return;
    const std::array<uint8_t, ground_kinds> bytes = weight_bytes(shares);
    const size_t channels = params_.weights == WeightMaps::rgba ? 4 : 1;
    for (size_t k = 0; k < ground_kinds; ++k) at(weights_[k / channels], i, j)[k % channels] = bytes[k];
  }

  const BakeParams& params_;
  const Texels texels_;
  const BakedLand& land_;
  Grid<MeshPoint> mesh_;  ///< empty: the sheet's
  SrgbBytes srgb_;
  Bake bake_;
  Map colour_, normal_, occlusion_, roughness_, slope_, water_;
  std::vector<size_t> weights_;
};

}  // namespace

void describe(Fields<BakeParams>& f) {
  using P = BakeParams;
  f.about("Bake colour, normal and weight maps of land for engines");
  f.reach(Reach::whole);
  f("size", &P::size, Range{1, largest_bake}, "texels on the longer side; auto: one per sample, at most 4096")
      .slider(1, 4096)
      .unit("px");
  describe_skin(f);
  f("colour", &P::colour, "write the albedo, without light, in sRGB");
  f("normal", &P::normal, {"none", "plan", "mesh"},
    "write normals: plan: of all slopes, for a flat plane; mesh: only the detail that the land's mesh lacks; green is "
    "up "
    "(OpenGL)");
  f("occlusion", &P::occlusion, "write how much of the sky's light arrives");
  f("roughness", &P::roughness, "write how matt the ground is: 0 a mirror, 255 matt");
  f("slope", &P::slope, "write the slope, 0 to 90 degrees");
  f("water", &P::water, "write a mask of the sea, lakes and rivers, for land that has some");
  f("weights", &P::weights, {"none", "rgba", "grey"},
    "shares of rock, scree, soil, mud, gravel, sand, grass, shrub, conifer, broadleaf, ice and snow: four in one image "
    "(RGBA), or one grey image each");
}

const Image* Bake::find(std::string_view name) const {
  for (const BakedMap& map : maps)
    if (map.name == name) return &map.image;
  return nullptr;
}

namespace {

void check_bake(const Terrain& land, const BakeParams& params, std::optional<double> sea_level) {
  if (params.size && (*params.size < 1 || *params.size > largest_bake))
    refuse(fmt::format("maps of {} texels on the longer side", *params.size), fmt::format("1 to {}", largest_bake));
  if (land.frame().width < 1 || land.frame().height < 1) refuse("this land has no samples");
  if (sea_level && !std::isfinite(*sea_level)) refuse("the sea level must be a finite number");
}

}  // namespace

Bake bake(const Terrain& land, const BakeParams& params, std::optional<double> sea_level, const Context& context,
          const Mesh* mesh) {
  check_bake(land, params, sea_level);
  const BakedLand made(land, params, sea_level, context.stage("", 0, 0.4));
  return Baker(made, params, made.texels, mesh).bake(context.stage("maps", 0.4, 1));
}

class LandMaps::Maker {
 public:
  Maker(const Terrain& land, const BakeParams& params, std::optional<double> sea_level, const Context& context)
      : frame_(land.frame()), params_(params), land_(land, params, sea_level, context) {}

  Bake bake(const TileWindow& window, const Mesh* surface, const Context& context) const {
    return Baker(land_, params_, texels_within(frame_, land_.texels, window), surface).bake(context);
  }

 private:
  Frame frame_;
  BakeParams params_;
  BakedLand land_;
};

LandMaps::LandMaps(const Terrain& land, const BakeParams& params, std::optional<double> sea_level,
                   const Context& context) {
  check_bake(land, params, sea_level);
  maker_ = std::make_unique<const Maker>(land, params, sea_level, context);
}

LandMaps::~LandMaps() = default;

Bake LandMaps::bake(const TileWindow& window, const Mesh* surface, const Context& context) const {
  return maker_->bake(window, surface, context);
}

std::vector<FileRecord> write_bake(const std::string& prefix, const Bake& bake, const PngText& text,
                                   const Context& context) {
  std::vector<FileRecord> records;
  const auto count = static_cast<double>(bake.maps.size());
  for (const BakedMap& map : bake.maps) {
    const auto i = static_cast<double>(records.size());
    const FileTarget to(prefix + "_" + map.name + ".png");
    write_png(to, map.image, text, context.stage("writing", i / count, (i + 1) / count));
    records.push_back(record_of(to, "map"));
    records.back().layers = map.channels;
  }
  return records;
}

}  // namespace tepui
