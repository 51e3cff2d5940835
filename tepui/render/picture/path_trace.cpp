#include "tepui/render/picture/path_trace.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/render/light/grain.h"
#include "tepui/render/light/sampler.h"

namespace tepui {

namespace {

constexpr double lift_off = 1e-6;
constexpr float per_pi = 0.31830989f;
/// Light that has met this many surfaces is lost; only a closed white room keeps any that long.
constexpr uint32_t most_bounces = 200;

/// Two unit vectors at right angles to n and to each other (Duff et al. 2017).
std::pair<Vec3, Vec3> around(Vec3 n) {
  const double sign = std::copysign(1.0, n.z);
  const double a = -1 / (sign + n.z), b = n.x * n.y * a;
  return {{1 + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}};
}

/// A point of the unit disc, areas kept (Shirley and Chiu 1997).
Vec2 on_disc(Vec2 p) {
  const double a = 2 * p.x - 1, b = 2 * p.y - 1;
  if (a == 0 && b == 0) return {0, 0};
  const bool wide = std::abs(a) > std::abs(b);
  const double radius = wide ? a : b;
  const double angle = wide ? math::pi / 4 * (b / a) : math::pi / 2 - math::pi / 4 * (a / b);
  // Good to 1e-7 in the range asked for, and much faster than the exact ones.
  const double s2 = angle * angle;
  const double sine = angle * (1 - s2 / 6 * (1 - s2 / 20 * (1 - s2 / 42 * (1 - s2 / 72 * (1 - s2 / 110)))));
  const double cosine = 1 - s2 / 2 * (1 - s2 / 12 * (1 - s2 / 30 * (1 - s2 / 56 * (1 - s2 / 90 * (1 - s2 / 132)))));
  return {radius * cosine, radius * sine};
}

/// In proportion to the cosine around the normal; what would start into the surface is turned out of it, so that no
/// light is lost.
Vec3 leave(const SurfacePoint& point, Vec2 p) {
  const Vec2 disc = on_disc(p);
  const auto [right, up] = around(point.normal);
  const double height = std::sqrt(std::max(0.0, 1 - disc.x * disc.x - disc.y * disc.y));
  const Vec3 d = right * disc.x + up * disc.y + point.normal * height;
  const double out = dot(d, point.facet);
  return out >= 0 ? d : d - point.facet * (2 * out);
}

float single(double v) { return static_cast<float>(v); }

float decay(double v) { return single(math::exp(-v)); }

Rgb saturated(Rgb c, double saturation) {
  const float grey = luminance(c);
  return mix({grey, grey, grey}, c, single(saturation));
}

/// A pale floor, like paper.
const Rgb floor_albedo{0.72f, 0.70f, 0.67f};

}  // namespace

/// What a ray meets first.
struct PathTracer::Meeting {
  enum What { nothing, subject, ground, plant } what = nothing;
  double distance = RayScene::no_end;
  RayHit hit;
  InstanceHit plant_hit{};
};

/// One sample's way through the scene.
class PathTracer::Path {
 public:
  Path(const PathTracer& tracer, int rows, uint64_t pixel, uint64_t sample)
      : t_(tracer), rows_(rows), numbers_(pixel, sample) {}

  FilmSample look(double x, double y);

 private:
  /// Light on a point in parts: what is known of its film sample before the air.
  struct Lit {
    Rgb direct, bounced, arriving;
    Rgb reflectance;  ///< bounced of arriving
  };

  Meeting meet(Vec3 from, Vec3 direction) const;
  Meeting meet_bank(const Meeting& meeting, Vec3 from, Vec3 direction) const;
  SurfacePoint ground_point(Vec3 at, double footprint) const;
  SurfacePoint seen(const Meeting& meeting, Vec3 from, Vec3 direction, double footprint) const;
  SurfacePoint met(const Meeting& meeting, Vec3 from, Vec3 direction) const;

  Rgb sky(Vec3 direction) const { return saturated(t_.sky_.radiance(direction), t_.settings_.saturation); }
  Rgb air(Vec3 direction) const { return saturated(t_.sky_.air(direction), t_.settings_.saturation); }
  /// From the sun on a point, divided by pi.
  Rgb sunlight(const SurfacePoint& point, uint32_t use) const;
  /// The same from the lamp.
  Rgb lamplight(const SurfacePoint& point, uint32_t use) const;
  /// From everywhere else, divided by pi. Uses numbers from `use` on.
  Rgb arriving(SurfacePoint point, uint32_t use) const;
  Lit light(const SurfacePoint& point, uint32_t use) const;
  Lit reflected(Vec3 from, Vec3 direction) const;

  /// Where the ray enters the sea; nothing if it meets land first.
  std::optional<WaterEntry> enter_sea(Vec3 from, Vec3 direction, double far) const;
  /// The same of the sea, a lake or a river, whichever comes first.
  std::optional<WaterEntry> enter_water(Vec3 from, Vec3 direction, double far) const;
  Lit water(const WaterEntry& entry, Vec3 from, Vec3 direction) const;
  /// How much of the water is white there: where waves break on a shore, and where a river falls.
  float foam(const WaterEntry& entry, Vec3 at, double footprint) const;
  /// Through a cut side of the water light comes in, too.
  Lit under_water(const WaterEntry& entry, Vec3 from, Vec3 direction, double footprint) const;
  Rgb water_let_through(double length, bool inland) const;

  void add_air(FilmSample& sample, Vec3 from, Vec3 direction, double distance) const;
  float floor_kept(Vec3 at) const;

  const PathTracer& t_;
  int rows_;
  PathSampler numbers_;
};

PathTracer::Meeting PathTracer::Path::meet(Vec3 from, Vec3 direction) const {
  Meeting meeting;
  if (t_.planting_ != nullptr)
    if (const auto hit = t_.planting_->hit(from, direction, RayScene::no_end))
      meeting = {Meeting::plant, hit->distance, {}, *hit};
  if (const auto hit = t_.rays_.hit(from, direction, meeting.distance))
    meeting = {Meeting::subject, hit->distance, *hit, {}};
  const Subject& subject = t_.subject_;
  if (t_.settings_.surroundings == Surroundings::none || subject.bottomless) return meeting;
  if (subject.bounded && from.z < subject.floor) return meet_bank(meeting, from, direction);
  if (direction.z >= 0) return meeting;
  const double down = (subject.floor - from.z) / direction.z;
  if (!(down > 0) || down >= meeting.distance) return meeting;
  if (t_.settings_.surroundings == Surroundings::country) {
    const double x = from.x + down * direction.x, y = from.y + down * direction.y, apron = subject.apron;
    if ((apron > 0 || subject.bounded) && x > subject.low.x - apron && x < subject.high.x + apron &&
        y > subject.low.y - apron && y < subject.high.y + apron)
      return subject.bounded ? meet_bank(meeting, from, direction) : meeting;
  }
  return {Meeting::ground, down, {}, {}};
}

/// Where the subject's own land is lower than the level ground around it, as in a canyon that leaves its plan, the
/// ground begins with a bank.
PathTracer::Meeting PathTracer::Path::meet_bank(const Meeting& meeting, Vec3 from, Vec3 d) const {
  const Subject& s = t_.subject_;
  double way = RayScene::no_end;
  if (d.x != 0) way = std::min(way, ((d.x > 0 ? s.high.x : s.low.x) - from.x) / d.x);
  if (d.y != 0) way = std::min(way, ((d.y > 0 ? s.high.y : s.low.y) - from.y) / d.y);
  if (!(way > 0) || way >= meeting.distance || !(from.z + way * d.z < s.floor)) return meeting;
  return {Meeting::ground, way, {}, {}};
}

SurfacePoint PathTracer::Path::ground_point(Vec3 at, double footprint) const {
  SurfacePoint point;
  point.at = at;
  point.start = at + Vec3{0, 0, lift_off};
  point.facet = point.normal = {0, 0, 1};
  const Subject& s = t_.subject_;
  if (s.bounded && at.z < s.floor - lift_off) {
    const bool across = std::min(at.x - s.low.x, s.high.x - at.x) < std::min(at.y - s.low.y, s.high.y - at.y);
    point.facet = across ? Vec3{at.x < 0.5 * (s.low.x + s.high.x) ? 1.0 : -1.0, 0, 0}
                         : Vec3{0, at.y < 0.5 * (s.low.y + s.high.y) ? 1.0 : -1.0, 0};
    point.normal = point.facet;
    point.start = at + point.facet * lift_off;
  }
  point.albedo =
      t_.settings_.surroundings == Surroundings::country ? t_.subject_.plain({at.x, at.y}, footprint) : floor_albedo;
  return point;
}

SurfacePoint PathTracer::Path::seen(const Meeting& meeting, Vec3 from, Vec3 direction, double footprint) const {
  if (meeting.what == Meeting::ground) return ground_point(from + direction * meeting.distance, footprint);
  if (meeting.what == Meeting::plant) return t_.planting_->seen(meeting.plant_hit, direction);
  return t_.subject_.seen(meeting.hit, from, direction, footprint);
}

SurfacePoint PathTracer::Path::met(const Meeting& meeting, Vec3 from, Vec3 direction) const {
  if (meeting.what == Meeting::ground) return ground_point(from + direction * meeting.distance, 1);
  if (meeting.what == Meeting::plant) return t_.planting_->seen(meeting.plant_hit, direction);
  return t_.subject_.met(meeting.hit, from, direction);
}

Rgb PathTracer::Path::sunlight(const SurfacePoint& point, uint32_t use) const {
  const Vec3 to_sun = t_.sky_.to_sun();
  const double facing = dot(point.normal, to_sun);
  if (facing <= 0 || luminance(t_.sun_) <= 0) return {};
  if (t_.settings_.plain) return t_.sun_ * single(facing * static_cast<double>(per_pi));
  const Vec2 disc = on_disc(numbers_.pair(use));
  const double radius = t_.sky_.sun_radius();
  const Vec3 d = to_sun + t_.sun_right_ * (radius * disc.x) + t_.sun_up_ * (radius * disc.y);
  if (dot(d, point.facet) <= 0 || d.z <= 0 || t_.blocked(point.start, d)) return {};
  return t_.sun_ * single(facing * static_cast<double>(per_pi));
}

Rgb PathTracer::Path::lamplight(const SurfacePoint& point, uint32_t use) const {
  if (!t_.settings_.lamp) return {};
  const Lamp& lamp = *t_.settings_.lamp;
  const Vec2 disc = on_disc(numbers_.pair(use));
  const Vec3 middle = lamp.at - point.start;
  const auto [right, up] = around(middle * (1 / std::max(length(middle), 1e-12)));
  const Vec3 way = middle + right * (lamp.radius * disc.x) + up * (lamp.radius * disc.y);
  const double far = length(way);
  if (!(far > 0)) return {};
  const Vec3 d = way * (1 / far);
  const double facing = dot(point.normal, d);
  if (facing <= 0 || dot(d, point.facet) <= 0 || t_.blocked(point.start, d, far)) return {};
  const double away = std::max(far, lamp.nearest);
  return lamp.strength * single(facing * static_cast<double>(per_pi) / (away * away));
}

Rgb PathTracer::Path::arriving(SurfacePoint point, uint32_t use) const {
  Rgb sum, carried{1, 1, 1};
  for (uint32_t bounce = 0; bounce < most_bounces; ++bounce, use += 3) {
    const Vec3 d = leave(point, numbers_.pair(use));
    const Meeting meeting = meet(point.start, d);
    if (meeting.what == Meeting::nothing) return sum + carried * sky(d);
    const Vec3 from = point.start;
    point = met(meeting, from, d);
    carried = carried * point.albedo;
    sum = sum + carried * (sunlight(point, use + 1) + lamplight(point, use + 1));
    const float most = std::max({carried.r, carried.g, carried.b});
    if (bounce > 0 && most < 0.7f) {
      const float stay = std::max(most, 0.05f);
      if (single(numbers_.pair(use + 2).x) >= stay) return sum;
      carried = carried * (1 / stay);
    }
  }
  return sum;
}

PathTracer::Path::Lit PathTracer::Path::light(const SurfacePoint& point, uint32_t use) const {
  Lit lit;
  lit.direct = point.albedo * (sunlight(point, use) + lamplight(point, use));
  lit.arriving = t_.settings_.plain ? Rgb{0.28f, 0.28f, 0.28f} : arriving(point, use + 1);
  lit.bounced = point.albedo * lit.arriving;
  lit.reflectance = point.albedo;
  return lit;
}

Rgb PathTracer::Path::water_let_through(double length, bool inland) const {
  // Red is lost first. Wide scenes get a clearer sea, or every coast would be a hard line; rivers, which are shallow,
  // would not be seen in water as clear.
  const double clear = inland ? 3.0 : std::clamp(0.006 * t_.subject_.metres, 6.0, 40.0);
  const double metres = length * t_.subject_.metres;
  return {decay(metres / (0.3 * clear)), decay(metres / clear), decay(metres / (1.25 * clear))};
}

std::optional<WaterEntry> PathTracer::Path::enter_sea(Vec3 from, Vec3 d, double far) const {
  const Subject& s = t_.subject_;
  if (!s.sea) return std::nullopt;
  double in = 0, out = far;
  bool top = false;
  const auto cut = [&](double origin, double direction, double low, double high, bool is_top) {
    if (direction == 0) {
      if (origin < low || origin > high) out = -1;
      return;
    }
    const double a = (low - origin) / direction, b = (high - origin) / direction;
    if (std::min(a, b) > in) in = std::min(a, b), top = is_top;
    out = std::min(out, std::max(a, b));
  };
  cut(from.x, d.x, s.sea_left, s.sea_right, false);
  cut(from.y, d.y, s.sea_front, s.sea_back, false);
  cut(from.z, d.z, -1e30, *s.sea, true);
  if (in <= 0 || in + 1e-6 >= out) return std::nullopt;
  return WaterEntry{in, top, *s.sea, false};
}

std::optional<WaterEntry> PathTracer::Path::enter_water(Vec3 from, Vec3 d, double far) const {
  const std::optional<WaterEntry> sea = enter_sea(from, d, far);
  const std::optional<WaterEntry> inland = t_.subject_.enter_inland_water(from, d, sea ? sea->distance : far);
  return inland ? inland : sea;
}

PathTracer::Path::Lit PathTracer::Path::under_water(const WaterEntry& entry, Vec3 from, Vec3 direction,
                                                    double footprint) const {
  // Where colours mean something, the bed's would make land of shallow water.
  static const Rgb natural{0.010f, 0.052f, 0.068f}, clear_blue{0.022f, 0.065f, 0.13f};
  const Rgb body = t_.settings_.saturation < 1 ? clear_blue : natural;
  const Meeting meeting = meet(from + direction * lift_off, direction);
  Lit lit;
  Rgb through;
  if (meeting.what != Meeting::nothing) {
    SurfacePoint bed = seen(meeting, from, direction, footprint);
    if (t_.settings_.saturation < 1) bed.albedo = mix(bed.albedo, {0.45f, 0.45f, 0.42f}, 0.8f);
    lit = light(bed, 1000);
    const double depth = std::max(0.0, entry.level - bed.at.z);
    through = water_let_through(meeting.distance, entry.inland);
    const Rgb both = entry.through_top ? through * water_let_through(depth, entry.inland) : through;
    lit.direct = lit.direct * both;
    lit.bounced = lit.bounced * both;
    lit.reflectance = lit.reflectance * both;
  }
  const Rgb cloudy{1 - through.r, 1 - through.g, 1 - through.b};
  const Vec3 above{from.x, from.y, entry.level + lift_off};
  if (!t_.subject_.roofed(above)) {
    lit.direct = lit.direct + body * saturated(t_.sky_.falling(), t_.settings_.saturation) * cloudy;
    return lit;
  }
  const Rgb clouded = body * cloudy;
  // Under a roof there is less than the open sky's: about as much as comes to the bed.
  const SurfacePoint top{above, above, {0, 0, 1}, {0, 0, 1}, {1, 1, 1}};
  if (meeting.what == Meeting::nothing) lit.arriving = arriving(top, 3001);
  lit.direct = lit.direct + clouded * (sunlight(top, 3000) + lamplight(top, 3000));
  lit.bounced = lit.bounced + clouded * lit.arriving;
  lit.reflectance = lit.reflectance + clouded;
  return lit;
}

PathTracer::Path::Lit PathTracer::Path::reflected(Vec3 from, Vec3 direction) const {
  const Meeting meeting = meet(from, direction);
  if (meeting.what != Meeting::nothing) return light(met(meeting, from, direction), 2000);
  // Ripples spread the sun's image.
  constexpr double spread = 0.07;
  const double off = 2 * (1 - dot(direction, t_.sky_.to_sun())) / (spread * spread);
  const Rgb glint = off < 12 ? t_.sun_ * single(math::exp(-off) / (math::pi * spread * spread)) : Rgb{};
  Lit lit;
  lit.direct = sky(direction) + glint;
  return lit;
}

float PathTracer::Path::foam(const WaterEntry& entry, Vec3 at, double footprint) const {
  const Subject& s = t_.subject_;
  // Where colours mean something, water is plain.
  if (t_.settings_.saturation < 1 || t_.settings_.plain) return 0;
  const double pixel = footprint * s.metres;
  // Noise of that many metres, which fades where pixels are wider.
  const auto noise = [&](double size) {
    const double seen = 1 / (1 + (pixel / size) * (pixel / size));
    return single(seen * 1.6 * static_cast<double>(grain_sum(at.x * s.metres / size, at.y * s.metres / size, 4)));
  };
  if (entry.inland) {
    const float falls = smooth_step(0.1f, 0.45f, single(entry.steep));
    return falls > 0 ? 0.9f * falls * smooth_step(-0.5f, 0.5f, noise(3) + 1.4f * falls - 0.6f) : 0;
  }
  // Waves reach a few metres up a shore, in a wide picture a pixel or two.
  const double width = std::clamp(1.4 * pixel, 2.5, 0.004 * s.metres + 2.5), reach = 4 * width / s.metres;
  constexpr int ways = 7;
  const double turn = numbers_.pair(4001).x;
  double shore = reach;
  for (int i = 0; i < ways; ++i) {
    const double angle = 2 * math::pi * (i + turn) / ways;
    const Vec3 way{math::cos(angle), math::sin(angle), 0};
    if (const auto hit = t_.rays_.hit({at.x, at.y, entry.level + lift_off}, way, shore))
      shore = std::min(shore, hit->distance);
  }
  if (!(shore < reach)) return 0;
  const float off = single(shore * s.metres / width), ragged = noise(14), fine = noise(4);
  const float wash = smooth_step(1.15f, 0.3f, off + 0.5f * ragged) * smooth_step(-0.75f, 0.1f, fine + 0.8f * ragged);
  const float line =
      smooth_step(0.55f, 0.1f, std::abs(off - 2.6f - 1.1f * ragged)) * smooth_step(0.05f, 0.45f, fine + 0.4f * ragged);
  return std::min(0.95f, 0.9f * wash + 0.5f * line);
}

PathTracer::Path::Lit PathTracer::Path::water(const WaterEntry& entry, Vec3 from, Vec3 d) const {
  const Vec3 at = from + d * entry.distance;
  const double footprint = t_.lens_.footprint(entry.distance, rows_);
  if (!entry.through_top) {
    Lit lit = under_water(entry, at, d, footprint);
    lit.direct = lit.direct * 0.94f;
    return lit;
  }
  // Ripples a few pixels wide at the near end, smooth where they would be smaller than a pixel.
  constexpr double reach = 0.4;
  const double wave = t_.settings_.lamp ? t_.subject_.metres / 1.4 : 420;
  const double height = static_cast<double>(grain_sum(at.x * wave, at.y * wave, 3));
  const double strength = (entry.inland && t_.settings_.lamp ? 0.006 : 0.022) / (1 + footprint * wave);
  const double gx = (static_cast<double>(grain_sum(at.x * wave + reach, at.y * wave, 3)) - height) / reach,
               gy = (static_cast<double>(grain_sum(at.x * wave, at.y * wave + reach, 3)) - height) / reach;
  Vec3 n{-strength * gx, -strength * gy, 1};
  n = n * (1 / length(n));
  const double facing = std::max(0.0, -dot(d, n));
  const double g = 1 - facing, mirror = 0.02 + 0.98 * g * g * g * g * g;
  Vec3 r = d + n * (2 * facing);
  r.z = std::max(r.z, 0.002);
  const double bend = 1 / 1.333, k = 1 - bend * bend * (1 - facing * facing);
  const Vec3 down = d * bend + n * (bend * facing - std::sqrt(k));
  Lit lit = under_water(entry, at, down, footprint);
  const Lit image = reflected(at + Vec3{0, 0, lift_off}, r * (1 / length(r)));
  const auto m = single(mirror);
  lit.reflectance = lit.reflectance * (1 - m);
  lit.bounced = lit.bounced * (1 - m);
  const auto covered_by_foam = [&] {
    const float white = foam(entry, at, footprint);
    if (!(white > 0)) return;
    const Vec3 above = at + Vec3{0, 0, 2 * lift_off};
    const Lit froth = light({above, above, {0, 0, 1}, n, {0.78f, 0.8f, 0.8f}}, 4002);
    lit.direct = mix(lit.direct, froth.direct, white);
    lit.bounced = mix(lit.bounced, froth.bounced, white);
    lit.arriving = mix(lit.arriving, froth.arriving, white);
    lit.reflectance = mix(lit.reflectance, froth.reflectance, white);
  };
  if (!t_.subject_.roofed(at + Vec3{0, 0, lift_off})) {
    lit.direct = lit.direct * (1 - m) + (image.direct + image.bounced) * m;
    covered_by_foam();
    return lit;
  }
  // What is mirrored in a cave is as noisy as the rest, and is smoothed with it.
  const float below = luminance(lit.reflectance), mirrored = luminance(image.reflectance) * m;
  if (below + mirrored > 0) lit.arriving = mix(lit.arriving, image.arriving, mirrored / (below + mirrored));
  lit.direct = lit.direct * (1 - m) + image.direct * m;
  lit.reflectance = lit.reflectance + image.reflectance * m;
  lit.bounced = lit.bounced + image.bounced * m;
  // Waves break under overhangs, too; pools of caves lie still.
  if (!entry.inland && !t_.settings_.lamp) covered_by_foam();
  return lit;
}

void PathTracer::Path::add_air(FilmSample& sample, Vec3 from, Vec3 d, double distance) const {
  if (t_.settings_.haze <= 0 || t_.lens_.parallel) return;
  const double start = std::min(t_.lens_.near, distance), way = distance - start;
  const Subject& s = t_.subject_;
  // Thinner higher up: the mean of exp(-z / scale) along the way.
  const double scale = 0.15 + 0.5 * (s.high.z - s.low.z);
  const double a = std::max(0.0, (from.z + d.z * start - s.low.z) / scale),
               b = std::max(0.0, (from.z + d.z * distance - s.low.z) / scale);
  const double mean = std::abs(b - a) > 1e-4 ? (math::exp(-a) - math::exp(-b)) / (b - a) : math::exp(-0.5 * (a + b));
  const double thick = -math::log(1 - std::min(t_.settings_.haze, 0.99)) * way * mean;
  const Rgb through{decay(0.78 * thick), decay(thick), decay(1.32 * thick)};
  sample.direct = sample.direct * through + air(d) * Rgb{1 - through.r, 1 - through.g, 1 - through.b};
  sample.bounced = sample.bounced * through;
  sample.reflectance = sample.reflectance * through;
}

/// The floor fades into the backdrop, sooner behind the subject.
float PathTracer::Path::floor_kept(Vec3 at) const {
  const Subject& s = t_.subject_;
  const double dx = std::max({s.low.x - at.x, at.x - s.high.x, 0.0}),
               dy = std::max({s.low.y - at.y, at.y - s.high.y, 0.0});
  const double behind = at.x * t_.lens_.forward.x + at.y * t_.lens_.forward.y;
  const double reach = 0.55 - 0.40 * static_cast<double>(smooth_step(-0.3f, 0.6f, single(behind)));
  return 1 - smooth_step(0, single(reach), single(std::sqrt(dx * dx + dy * dy)));
}

FilmSample PathTracer::Path::look(double x, double y) {
  const bool map = t_.lens_.parallel;
  // A map ends with the picture.
  Lens::Ray ray = map ? t_.lens_.ray(std::clamp(x, -1.0, 1.0), std::clamp(y, -1.0, 1.0)) : t_.lens_.ray(x, y);
  if (map) {
    // The outermost samples are as wide as the others.
    const auto onto = [](double v, double low, double high, double margin) {
      return v > low - margin && v < high + margin ? std::clamp(v, low + 1e-9, high - 1e-9) : v;
    };
    const Subject& s = t_.subject_;
    ray.from.x = onto(ray.from.x, s.low.x, s.high.x, t_.lens_.margin.x + 1e-9);
    ray.from.y = onto(ray.from.y, s.low.y, s.high.y, t_.lens_.margin.y + 1e-9);
  }
  const Meeting meeting = meet(ray.from, ray.direction);
  const bool backdrop = t_.settings_.surroundings != Surroundings::country;
  FilmSample sample;
  const auto take = [&](const Lit& lit, Vec3 normal, double distance) {
    sample.direct = lit.direct;
    sample.bounced = lit.bounced;
    sample.reflectance = lit.reflectance;
    sample.arriving = lit.arriving;
    sample.normal = normal;
    sample.depth = single(distance);
    add_air(sample, ray.from, ray.direction, distance);
  };
  if (const auto entry = enter_water(ray.from, ray.direction, meeting.distance)) {
    take(water(*entry, ray.from, ray.direction), {0, 0, 1}, entry->distance);
    return sample;
  }
  if (meeting.what == Meeting::nothing) {
    sample.depth = 1e3f;
    if (backdrop)
      sample.solid = 0;
    else
      sample.direct = sky(ray.direction);
    return sample;
  }
  const SurfacePoint point = seen(meeting, ray.from, ray.direction, t_.lens_.footprint(meeting.distance, rows_));
  if (backdrop && meeting.what == Meeting::ground) {
    sample.solid = floor_kept(point.at);
    if (sample.solid <= 0) return sample;
  }
  take(light(point, 1), point.normal, meeting.distance);
  sample.direct = sample.direct * sample.solid;
  sample.bounced = sample.bounced * sample.solid;
  sample.reflectance = sample.reflectance * sample.solid;
  return sample;
}

PathTracer::PathTracer(const Subject& subject, const RayScene& rays, const Lens& lens, const Sky& sky,
                       const TraceSettings& settings, const Planting* planting)
    : subject_(subject), rays_(rays), lens_(lens), sky_(sky), planting_(planting), settings_(settings) {
  std::tie(sun_right_, sun_up_) = around(sky.to_sun());
  sun_ = saturated(sky.sun(), settings.saturation);
  if (settings.plain) {
    const double strength = 0.72 * math::pi / std::max(sky.to_sun().z, math::sin(math::radians(5)));
    sun_ = Rgb{1, 1, 1} * single(strength);
  }
}

FilmSample PathTracer::look(double x, double y, int rows, uint64_t pixel, uint64_t sample) const {
  return Path(*this, rows, pixel, sample).look(x, y);
}

void PathTracer::trace(Film& film, int count, const Context& context) const {
  // A tent three quarters of a pixel to each side: edges without stairs, detail without blur.
  const auto tent = [](double u) { return 0.75 * (u < 0.5 ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u)); };
  parallel_chunks(film.height, 1, context, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      for (int x = 0; x < film.width; ++x) {
        const auto pixel = static_cast<uint64_t>(row) * static_cast<uint64_t>(film.width) + static_cast<uint64_t>(x);
        for (int k = film.samples; k < film.samples + count; ++k) {
          const Vec2 p = PathSampler(pixel, static_cast<uint64_t>(k)).pair(0);
          const double px = 2 * (x + 0.5 + tent(p.x)) / film.width - 1;
          const double py = 1 - 2 * (static_cast<double>(row) + 0.5 + tent(p.y)) / film.height;
          film.add(x, static_cast<int>(row), look(px, py, film.height, pixel, static_cast<uint64_t>(k)));
        }
      }
  });
  film.samples += count;
}

}  // namespace tepui
