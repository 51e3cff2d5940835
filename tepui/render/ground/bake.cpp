#include "tepui/render/ground/bake.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/core/srgb.h"
#include "tepui/render/ground/land_ground.h"
#include "tepui/terrain/derivatives.h"
#include "tepui/terrain/horizon.h"

namespace tepui {

namespace {

constexpr int largest_size = 8192, own_size = 4096;
constexpr int most_places = 8;
/// Along each axis of a texel that the shore runs through.
constexpr int shore_places = 8;

/// To the nearest byte; 0 for what is not a number.
uint8_t byte_of(double v) { return v > 0 ? static_cast<uint8_t>(std::min(v + 0.5, 255.0)) : uint8_t{0}; }

/// Bytes of sRGB from linear light, rounded to the nearest encoded value; the same on every machine.
class SrgbBytes {
 public:
  SrgbBytes() {
    for (size_t i = 0; i < limits_.size(); ++i)
      limits_[i] = static_cast<float>(linear_from_srgb((static_cast<double>(i) + 0.5) / 255));
    uint8_t byte = 0;
    for (size_t i = 0; i < starts_.size(); ++i) {
      while (byte < 255 && static_cast<float>(i) / scale >= limits_[byte]) ++byte;
      starts_[i] = byte;
    }
  }
  uint8_t operator()(float linear) const {
    const float v = clamp01(linear);
    uint8_t byte = starts_[static_cast<size_t>(v * scale)];
    while (byte < 255 && v >= limits_[byte]) ++byte;
    return byte;
  }

 private:
  static constexpr float scale = 4096;
  std::array<float, 255> limits_{};  ///< above the i-th it is i + 1
  std::array<uint8_t, 4097> starts_{};
};

/// The texels over the land: texel i lies on the sample position (i + 1/2) samples - 1/2, from the south-west.
struct Texels {
  int width = 1, height = 1;
  double across = 1, along = 1;  ///< samples per texel
  int places = 1;                ///< looked at in a texel, along each axis
  double footprint = 1;          ///< metres

  double u(double i) const { return (i + 0.5) * across - 0.5; }
  double v(double j) const { return (j + 0.5) * along - 0.5; }
  /// Within a texel, of its own size around 0.
  double offset(int k) const { return (k + 0.5) / places - 0.5; }
};

Texels lay_texels(const Frame& frame, std::optional<int> size) {
  const int64_t longer = std::max(frame.width, frame.height);
  const double asked = size ? static_cast<double>(*size) : static_cast<double>(std::min<int64_t>(longer, own_size));
  const auto count = [&](int64_t samples) {
    const double share = static_cast<double>(samples) / static_cast<double>(longer) * asked;
    return static_cast<int>(std::max(1.0, std::floor(share + 0.5)));
  };
  Texels t;
  t.width = count(frame.width);
  t.height = count(frame.height);
  t.across = static_cast<double>(frame.width) / t.width;
  t.along = static_cast<double>(frame.height) / t.height;
  t.places = static_cast<int>(std::clamp(std::ceil(std::max(t.across, t.along)), 1.0, double{most_places}));
  t.footprint = std::max(t.across * frame.cell.x, t.along * frame.cell.y);
  return t;
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

/// The normal that a mesh of the land has there: between its vertices', which are those of central differences.
class MeshNormals {
 public:
  explicit MeshNormals(const Terrain& land)
      : z_(land.find("height") != nullptr ? &land.height() : nullptr), cell_(land.frame().cell) {}

  Vec3 at(double u, double v) const {
    if (z_ == nullptr) return {0, 0, 1};
    u = std::clamp(u, 0.0, static_cast<double>(z_->width() - 1));
    v = std::clamp(v, 0.0, static_cast<double>(z_->height() - 1));
    const auto x = static_cast<int64_t>(u), y = static_cast<int64_t>(v);
    const double s = u - static_cast<double>(x), t = v - static_cast<double>(y);
    const int64_t x1 = std::min(x + 1, z_->width() - 1), y1 = std::min(y + 1, z_->height() - 1);
    const Vec3 south = vertex(x, y) * (1 - s) + vertex(x1, y) * s, north = vertex(x, y1) * (1 - s) + vertex(x1, y1) * s;
    const Vec3 mean = south * (1 - t) + north * t;
    return mean * (1 / length(mean));
  }

 private:
  Vec3 vertex(int64_t x, int64_t y) const {
    const int64_t w = std::max<int64_t>(x - 1, 0), e = std::min(x + 1, z_->width() - 1);
    const int64_t s = std::max<int64_t>(y - 1, 0), n = std::min(y + 1, z_->height() - 1);
    const auto rise = [&](int64_t xa, int64_t ya, int64_t xb, int64_t yb) {
      return static_cast<double>((*z_)(xb, yb)) - static_cast<double>((*z_)(xa, ya));
    };
    const Vec3 up{e > w ? -rise(w, y, e, y) / (static_cast<double>(e - w) * cell_.x) : 0,
                  n > s ? -rise(x, s, x, n) / (static_cast<double>(n - s) * cell_.y) : 0, 1};
    return up * (1 / length(up));
  }

  const Grid<float>* z_;
  Vec2 cell_;
};

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

/// Shares as bytes that sum up to 255: what rounding down leaves goes to the largest remainders.
std::array<uint8_t, ground_kinds> weight_bytes(const std::array<double, ground_kinds>& shares) {
  std::array<uint8_t, ground_kinds> bytes{};
  std::array<double, ground_kinds> rest{};
  double sum = 0;
  for (const double share : shares) sum += share;
  int left = 255;
  for (size_t k = 0; k < ground_kinds; ++k) {
    const double exact = shares[k] / sum * 255;
    bytes[k] = static_cast<uint8_t>(exact);
    rest[k] = exact - bytes[k];
    left -= bytes[k];
  }
  for (; left > 0; --left) {
    const auto most = static_cast<size_t>(std::ranges::max_element(rest) - rest.begin());
    ++bytes[most];
    rest[most] = -1;
  }
  return bytes;
}

class Baker {
 public:
  Baker(const Terrain& land, const BakeParams& params, std::optional<double> sea_level, const Context& context)
      : params_(params),
        texels_(lay_texels(land.frame(), params.size)),
        ground_(land, params, sea_level, context.stage("ground", 0, 0.05)),
        mesh_(land),
        water_cover_(ground_, land.frame(), sea_level) {
    if (params.occlusion) sky_ = light_from_sky(land, ground_, texels_, sea_level, context.stage("sky", 0.05, 0.4));
  }

  Bake bake(const Context& context) {
    const Context work = context.stage("maps", 0.4, 1);
    if (params_.colour) colour_ = add("colour", {"red", "green", "blue"});
    if (params_.normal != NormalMap::none) normal_ = add("normal", {"east", "north", "up"});
    if (params_.occlusion) occlusion_ = add("occlusion", {"sky"});
    if (params_.slope) slope_ = add("slope", {"slope"});
    if (params_.water && water_cover_.any()) water_ = add("water", {"water"});
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
    const auto name = [](size_t k) {
      return k < ground_kinds ? std::string(ground_kind_name(static_cast<GroundKind>(k))) : std::string("none");
    };
    if (params_.weights == WeightMaps::grey)
      for (size_t k = 0; k < ground_kinds; ++k) weights_.push_back(*add("weight_" + name(k), {name(k)}));
    if (params_.weights == WeightMaps::rgba)
      for (size_t k = 0; k < ground_kinds; k += 4)
        weights_.push_back(*add(fmt::format("weights_{}", k / 4), {name(k), name(k + 1), name(k + 2), name(k + 3)}));
  }

  uint8_t* at(size_t map, int i, int j) { return bake_.maps[map].image.at(i, texels_.height - 1 - j); }

  void texel(int i, int j) {
    const int n = texels_.places;
    Rgb colour;
    Vec3 normal{0, 0, 0};
    double slope = 0;
    std::array<double, ground_kinds> shares{};
    for (int b = 0; b < n; ++b)
      for (int a = 0; a < n; ++a) {
        const double u = texels_.u(i + texels_.offset(a)), v = texels_.v(j + texels_.offset(b));
        const Vec3 own = ground_.normal_at(u, v);
        const GroundLook look = ground_.look(u, v, own, texels_.footprint);
        colour = colour + look.albedo;
        normal = normal + look.normal;
        if (slope_) slope += math::atan2(std::sqrt(own.x * own.x + own.y * own.y), own.z);
        for (size_t k = 0; k < ground_kinds; ++k) shares[k] += static_cast<double>(look.weights[k]);
      }
    const double u = texels_.u(i), v = texels_.v(j), share = 1.0 / (n * n);
    if (colour_) {
      uint8_t* out = at(*colour_, i, j);
      out[0] = srgb_(colour.r * static_cast<float>(share));
      out[1] = srgb_(colour.g * static_cast<float>(share));
      out[2] = srgb_(colour.b * static_cast<float>(share));
    }
    if (normal_) put_normal(at(*normal_, i, j), normal * (1 / length(normal)), u, v);
    if (occlusion_) *at(*occlusion_, i, j) = byte_of(255 * sky_.at(u, v));
    if (slope_) *at(*slope_, i, j) = byte_of(math::degrees(slope * share) / 90 * 255);
    if (water_) *at(*water_, i, j) = byte_of(255 * water_cover_.share(texels_, u, v));
    put_weights(shares, i, j);
  }

  void put_normal(uint8_t* out, Vec3 normal, double u, double v) const {
    const Vec3 n = params_.normal == NormalMap::mesh ? against_mesh(normal, mesh_.at(u, v)) : normal;
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
  Texels texels_;
  LandGround ground_;
  MeshNormals mesh_;
  WaterCover water_cover_;
  SkyGrid sky_;
  SrgbBytes srgb_;
  Bake bake_;
  Map colour_, normal_, occlusion_, slope_, water_;
  std::vector<size_t> weights_;
};

}  // namespace

void describe(Fields<BakeParams>& f) {
  using P = BakeParams;
  f.about("Bake colour, normal and weight maps of land for engines");
  f.reach(Reach::whole);
  f("size", &P::size, Range{1, largest_size}, "texels on the longer side; auto: one per sample, at most 4096")
      .slider(1, 4096)
      .unit("px");
  describe_skin(f);
  f("colour", &P::colour, "write the albedo, without light, in sRGB");
  f("normal", &P::normal, {"none", "plan", "mesh"},
    "write normals: plan: of all slopes, for a flat plane; mesh: only the detail that the land's mesh lacks; green is "
    "up "
    "(OpenGL)");
  f("occlusion", &P::occlusion, "write how much of the sky's light arrives");
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

Bake bake(const Terrain& land, const BakeParams& params, std::optional<double> sea_level, const Context& context) {
  if (params.size && (*params.size < 1 || *params.size > largest_size))
    refuse(fmt::format("maps of {} texels on the longer side", *params.size), fmt::format("1 to {}", largest_size));
  if (land.frame().width < 1 || land.frame().height < 1) refuse("this land has no samples");
  if (sea_level && !std::isfinite(*sea_level)) refuse("the sea level must be a finite number");
  return Baker(land, params, sea_level, context).bake(context);
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
