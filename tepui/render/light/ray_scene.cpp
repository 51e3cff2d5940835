#include "tepui/render/light/ray_scene.h"

#include <embree3/rtcore.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include "tepui/core/error.h"

namespace tepui {

namespace {

/// Beyond this many triangles memory counts for more than the last bit of speed.
constexpr size_t many = size_t{4} << 20;
/// Of the scene's reach: how far boxes stand out, more than the rounding of a ray to single precision can move it.
constexpr double box_margin = 4e-6;
/// Rays that start farther away than this, in reaches of the scene, are moved towards it before they are rounded.
constexpr double nearby = 4;
constexpr float float_end = std::numeric_limits<float>::infinity();

bool go_on(void* context, double) { return !static_cast<const Context*>(context)->cancelled(); }

/// Never less than the value.
float rounded_up(double value) {
  const float f = static_cast<float>(value);
  return static_cast<double>(f) < value ? std::nextafter(f, float_end) : f;
}

/// Whether Embree takes it; with a ray of larger numbers, or none at all, it ends the program.
bool is_sound(const RTCRay& ray) {
  constexpr float largest = 1.8e18f;
  for (const float v : {ray.org_x, ray.org_y, ray.org_z, ray.dir_x, ray.dir_y, ray.dir_z})
    if (!(std::abs(v) <= largest)) return false;
  return ray.tfar >= 0;
}

struct Field {
  const HeightField* field = nullptr;
  uint32_t shape = 0;
  const double* margin = nullptr;
};

/// A ray on its way through Embree, which passes it on to the height fields in double precision.
struct Passage {
  RTCIntersectContext context;
  Vec3 from, direction;
  double start = 0;  ///< where the ray of single precision starts
  const HeightField* field = nullptr;
  HeightField::Ray in_field;
  RayHit best;

  const HeightField::Ray& ray_in(const HeightField& other) {
    if (field != &other) {
      field = &other;
      in_field = other.ray(from, direction);
    }
    return in_field;
  }
};

void box_of(const RTCBoundsFunctionArguments* args) {
  const Field& self = *static_cast<const Field*>(args->geometryUserPtr);
  const auto [low, high] = self.field->bounds(args->primID);
  const double margin = *self.margin;
  RTCBounds& box = *args->bounds_o;
  box.lower_x = -rounded_up(margin - low.x);
  box.lower_y = -rounded_up(margin - low.y);
  box.lower_z = -rounded_up(margin - low.z);
  box.upper_x = rounded_up(high.x + margin);
  box.upper_y = rounded_up(high.y + margin);
  box.upper_z = rounded_up(high.z + margin);
}

void hit_square(const RTCIntersectFunctionNArguments* args) {
  if (args->valid[0] == 0) return;
  const Field& self = *static_cast<const Field*>(args->geometryUserPtr);
  Passage& passage = *reinterpret_cast<Passage*>(args->context);
  RTCRayHit& ray = *reinterpret_cast<RTCRayHit*>(args->rayhit);
  RayHit& best = passage.best;
  double far = best.distance;
  if (ray.hit.geomID != RTC_INVALID_GEOMETRY_ID) far = std::min(far, passage.start + static_cast<double>(ray.ray.tfar));
  const auto hit = self.field->hit(args->primID, passage.ray_in(*self.field), 0, far);
  if (!hit || (hit->distance == best.distance && self.shape > best.shape)) return;
  best = {hit->distance, self.shape, 0, hit->u, hit->v};
  ray.ray.tfar = std::min(ray.ray.tfar, static_cast<float>(hit->distance - passage.start));
  // What Embree found before is behind this.
  ray.hit.geomID = self.shape;
}

void blocked_by_square(const RTCOccludedFunctionNArguments* args) {
  if (args->valid[0] == 0) return;
  const Field& self = *static_cast<const Field*>(args->geometryUserPtr);
  Passage& passage = *reinterpret_cast<Passage*>(args->context);
  if (self.field->blocked(args->primID, passage.ray_in(*self.field), 0, passage.best.distance))
    reinterpret_cast<RTCRay*>(args->ray)->tfar = -float_end;
}

}  // namespace

struct RayScene::Parts {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;
  std::deque<Field> fields;
  uint32_t shapes = 0;
  size_t triangles = 0;
  Vec3 low{no_end, no_end, no_end}, high{-no_end, -no_end, -no_end};
  double reach = 0, margin = 0;  ///< the largest coordinate, sign aside, and of boxes

  ~Parts() {
    if (scene != nullptr) rtcReleaseScene(scene);
    if (device != nullptr) rtcReleaseDevice(device);
  }

  void require(bool sound) const {
    if (!sound) fail(fmt::format("ray tracing failed (Embree error {})", static_cast<int>(rtcGetDeviceError(device))));
  }

  template <class T>
  void fill(RTCGeometry geometry, RTCBufferType type, RTCFormat format, std::span<const T> list) const {
    void* buffer = rtcSetNewGeometryBuffer(geometry, type, 0, format, sizeof(T), list.size());
    require(buffer != nullptr);
    std::copy(list.begin(), list.end(), static_cast<T*>(buffer));
  }

  RTCGeometry attach(RTCGeometryType type) {
    const RTCGeometry geometry = rtcNewGeometry(device, type);
    require(geometry != nullptr);
    rtcAttachGeometryByID(scene, geometry, shapes);
    rtcReleaseGeometry(geometry);
    return geometry;
  }

  void include(Vec3 a, Vec3 b) {
    low = {std::min(low.x, a.x), std::min(low.y, a.y), std::min(low.z, a.z)};
    high = {std::max(high.x, b.x), std::max(high.y, b.y), std::max(high.z, b.z)};
  }

  /// From where on the way the ray may be rounded to single precision, before it meets anything.
  double start_of(Vec3 from, Vec3 direction) const {
    const double away = std::max({std::abs(from.x), std::abs(from.y), std::abs(from.z)});
    if (away <= nearby * reach) return 0;
    const double most = std::max({std::abs(direction.x), std::abs(direction.y), std::abs(direction.z)});
    return most > 0 ? (away - 2 * reach) / most : 0;
  }

  RTCRay prepare(Passage& passage, Vec3 from, Vec3 direction, double far) const {
    rtcInitIntersectContext(&passage.context);
    passage.from = from;
    passage.direction = direction;
    passage.start = start_of(from, direction);
    passage.best = {far, shapes, 0, 0, 0};
    const Vec3 at = passage.start > 0 ? from + direction * passage.start : from;
    RTCRay ray{};
    ray.org_x = static_cast<float>(at.x);
    ray.org_y = static_cast<float>(at.y);
    ray.org_z = static_cast<float>(at.z);
    ray.dir_x = static_cast<float>(direction.x);
    ray.dir_y = static_cast<float>(direction.y);
    ray.dir_z = static_cast<float>(direction.z);
    ray.tfar = static_cast<float>(far - passage.start);
    ray.mask = ~0u;
    return ray;
  }
};

RayScene::RayScene() : parts_(std::make_unique<Parts>()) {
  parts_->device = rtcNewDevice(nullptr);
  parts_->require(parts_->device != nullptr);
  parts_->scene = rtcNewScene(parts_->device);
  parts_->require(parts_->scene != nullptr);
}

RayScene::~RayScene() = default;

uint32_t RayScene::add(std::span<const MeshPoint> positions, std::span<const MeshTriangle> triangles) {
  if (!triangles.empty()) {
    const RTCGeometry geometry = parts_->attach(RTC_GEOMETRY_TYPE_TRIANGLE);
    parts_->fill(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, positions);
    parts_->fill(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, triangles);
    rtcCommitGeometry(geometry);
    for (const MeshPoint& p : positions) parts_->include(to_vec(p), to_vec(p));
  }
  parts_->triangles += triangles.size();
  return parts_->shapes++;
}

uint32_t RayScene::add(const HeightField& field) {
  const RTCGeometry geometry = parts_->attach(RTC_GEOMETRY_TYPE_USER);
  rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(field.squares()));
  rtcSetGeometryUserData(geometry, &parts_->fields.emplace_back(Field{&field, parts_->shapes, &parts_->margin}));
  rtcSetGeometryBoundsFunction(geometry, box_of, nullptr);
  rtcSetGeometryIntersectFunction(geometry, hit_square);
  rtcSetGeometryOccludedFunction(geometry, blocked_by_square);
  rtcCommitGeometry(geometry);
  for (size_t square = 0; square < field.squares(); ++square) {
    const auto [low, high] = field.bounds(square);
    parts_->include(low, high);
  }
  return parts_->shapes++;
}

void RayScene::commit(const Context& context) {
  Parts& parts = *parts_;
  if (parts.low.x <= parts.high.x) {
    for (const double c : {parts.low.x, parts.low.y, parts.low.z, parts.high.x, parts.high.y, parts.high.z})
      parts.reach = std::max(parts.reach, std::abs(c));
    parts.margin = box_margin * parts.reach;
  }
  // Rays must not slip through between neighbours.
  rtcSetSceneFlags(parts.scene, parts.triangles > many
                                    ? static_cast<RTCSceneFlags>(RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_COMPACT)
                                    : RTC_SCENE_FLAG_ROBUST);
  rtcSetSceneProgressMonitorFunction(parts.scene, go_on, const_cast<Context*>(&context));
  rtcCommitScene(parts.scene);
  context.check();
  rtcSetSceneProgressMonitorFunction(parts.scene, nullptr, nullptr);
  parts.require(rtcGetDeviceError(parts.device) == RTC_ERROR_NONE);
}

std::optional<RayHit> RayScene::hit(Vec3 from, Vec3 direction, double far) const {
  Passage passage;
  RTCRayHit ray{};
  ray.ray = parts_->prepare(passage, from, direction, far);
  ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  if (!is_sound(ray.ray)) return std::nullopt;
  rtcIntersect1(parts_->scene, &passage.context, &ray);
  const RayHit& best = passage.best;
  if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) return std::nullopt;
  if (ray.hit.geomID == best.shape) return best;
  return RayHit{std::min(passage.start + static_cast<double>(ray.ray.tfar), far), ray.hit.geomID, ray.hit.primID,
                static_cast<double>(ray.hit.u), static_cast<double>(ray.hit.v)};
}

bool RayScene::blocked(Vec3 from, Vec3 direction, double far) const {
  Passage passage;
  RTCRay ray = parts_->prepare(passage, from, direction, far);
  if (!is_sound(ray)) return false;
  rtcOccluded1(parts_->scene, &passage.context, &ray);
  return ray.tfar < 0;
}

}  // namespace tepui
