#include "tepui/render/light/instance_scene.h"

#include <embree3/rtcore.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "tepui/core/error.h"

namespace tepui {

namespace {

constexpr float float_end = std::numeric_limits<float>::infinity();
/// Of a box's size: how far boxes stand out, more than rounding can move a ray.
constexpr float box_margin = 1e-4f;

bool go_on(void* context, double) { return !static_cast<const Context*>(context)->cancelled(); }

/// With a ray of larger numbers, or none at all, Embree ends the program.
bool is_sound(const RTCRay& ray) {
  constexpr float largest = 1.8e18f;
  for (const float v : {ray.org_x, ray.org_y, ray.org_z, ray.dir_x, ray.dir_y, ray.dir_z})
    if (!(std::abs(v) <= largest)) return false;
  return ray.tfar >= 0;
}

struct Form {
  RTCScene scene = nullptr;
  MeshBox box{};
};

/// From the world's axes to the instance's: the rows of the inverse.
struct Back {
  std::array<float, 3> x, y, z, foot;
  uint32_t form;

  explicit Back(const Instance& i) : foot(i.foot), form(i.form) {
    const Vec3 a = to_vec(i.x), b = to_vec(i.y), c = to_vec(i.z);
    const Vec3 r = cross(b, c), s = cross(c, a), t = cross(a, b);
    const double size = dot(a, r), per = size != 0 ? 1 / size : 0;
    const auto single = [&](Vec3 v) {
      return std::array<float, 3>{static_cast<float>(v.x * per), static_cast<float>(v.y * per),
                                  static_cast<float>(v.z * per)};
    };
    x = single(r), y = single(s), z = single(t);
  }

  /// The ray in the axes of the instance; distances stay what they are.
  void turn(const RTCRay& ray, RTCRay& out) const {
    const float ox = ray.org_x - foot[0], oy = ray.org_y - foot[1], oz = ray.org_z - foot[2];
    out = ray;
    out.org_x = x[0] * ox + x[1] * oy + x[2] * oz;
    out.org_y = y[0] * ox + y[1] * oy + y[2] * oz;
    out.org_z = z[0] * ox + z[1] * oy + z[2] * oz;
    out.dir_x = x[0] * ray.dir_x + x[1] * ray.dir_y + x[2] * ray.dir_z;
    out.dir_y = y[0] * ray.dir_x + y[1] * ray.dir_y + y[2] * ray.dir_z;
    out.dir_z = z[0] * ray.dir_x + z[1] * ray.dir_y + z[2] * ray.dir_z;
  }
};

}  // namespace

struct InstanceScene::Parts {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;
  std::vector<Form> forms;
  std::vector<Instance> instances;
  std::vector<Back> backs;
  Vec3 low, high;  ///< of the box around all of them

  ~Parts() {
    if (scene != nullptr) rtcReleaseScene(scene);
    for (const Form& form : forms) rtcReleaseScene(form.scene);
    if (device != nullptr) rtcReleaseDevice(device);
  }

  void require(bool sound) const {
    if (!sound) fail(fmt::format("ray tracing failed (Embree error {})", static_cast<int>(rtcGetDeviceError(device))));
  }

  /// Where a ray enters the box; nothing where it passes by. From there it may be rounded to single precision.
  std::optional<double> start_of(Vec3 from, Vec3 direction, double far) const {
    double in = 0, out = far;
    const auto cut = [&](double origin, double way, double a, double b) {
      if (way == 0) {
        if (!(origin >= a && origin <= b)) out = -1;
        return;
      }
      in = std::max(in, std::min((a - origin) / way, (b - origin) / way));
      out = std::min(out, std::max((a - origin) / way, (b - origin) / way));
    };
    cut(from.x, direction.x, low.x, high.x);
    cut(from.y, direction.y, low.y, high.y);
    cut(from.z, direction.z, low.z, high.z);
    return in <= out ? std::optional(in) : std::nullopt;
  }

  static void box_of(const RTCBoundsFunctionArguments* args);
  static void hit_instance(const RTCIntersectFunctionNArguments* args);
  static void blocked_by_instance(const RTCOccludedFunctionNArguments* args);
};

void InstanceScene::Parts::box_of(const RTCBoundsFunctionArguments* args) {
  const Parts& self = *static_cast<const Parts*>(args->geometryUserPtr);
  const Instance& instance = self.instances[args->primID];
  const MeshBox& box = self.forms[instance.form].box;
  std::array<float, 3> low{}, high{};
  for (size_t k = 0; k < 3; ++k) {
    low[k] = high[k] = instance.foot[k];
    for (const auto& [axis, from, to] : {std::tuple{instance.x[k], box.low[0], box.high[0]},
                                         {instance.y[k], box.low[1], box.high[1]},
                                         {instance.z[k], box.low[2], box.high[2]}}) {
      low[k] += std::min(axis * from, axis * to);
      high[k] += std::max(axis * from, axis * to);
    }
  }
  const float wide = box_margin * std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  *args->bounds_o = {low[0] - wide, low[1] - wide, low[2] - wide, 0, high[0] + wide, high[1] + wide, high[2] + wide, 0};
}

void InstanceScene::Parts::hit_instance(const RTCIntersectFunctionNArguments* args) {
  if (args->valid[0] == 0) return;
  const Parts& self = *static_cast<const Parts*>(args->geometryUserPtr);
  RTCRayHit& ray = *reinterpret_cast<RTCRayHit*>(args->rayhit);
  const Back& back = self.backs[args->primID];
  RTCRayHit inner;
  back.turn(ray.ray, inner.ray);
  inner.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(self.forms[back.form].scene, args->context, &inner);
  if (inner.hit.geomID == RTC_INVALID_GEOMETRY_ID) return;
  ray.ray.tfar = inner.ray.tfar;
  ray.hit = inner.hit;
  ray.hit.instID[0] = args->primID;
}

void InstanceScene::Parts::blocked_by_instance(const RTCOccludedFunctionNArguments* args) {
  if (args->valid[0] == 0) return;
  const Parts& self = *static_cast<const Parts*>(args->geometryUserPtr);
  RTCRay& ray = *reinterpret_cast<RTCRay*>(args->ray);
  const Back& back = self.backs[args->primID];
  RTCRay inner;
  back.turn(ray, inner);
  rtcOccluded1(self.forms[back.form].scene, args->context, &inner);
  if (inner.tfar < 0) ray.tfar = -float_end;
}

InstanceScene::InstanceScene() : parts_(std::make_unique<Parts>()) {
  parts_->device = rtcNewDevice(nullptr);
  parts_->require(parts_->device != nullptr);
}

InstanceScene::~InstanceScene() = default;

const std::vector<Instance>& InstanceScene::instances() const { return parts_->instances; }

uint32_t InstanceScene::add_form(std::span<const MeshPoint> positions, std::span<const MeshTriangle> triangles) {
  Form form;
  form.scene = rtcNewScene(parts_->device);
  parts_->require(form.scene != nullptr);
  parts_->forms.push_back(form);
  const RTCGeometry geometry = rtcNewGeometry(parts_->device, RTC_GEOMETRY_TYPE_TRIANGLE);
  parts_->require(geometry != nullptr);
  const auto fill = [&]<class T>(RTCBufferType type, RTCFormat format, std::span<const T> list) {
    void* buffer = rtcSetNewGeometryBuffer(geometry, type, 0, format, sizeof(T), list.size());
    parts_->require(buffer != nullptr);
    std::copy(list.begin(), list.end(), static_cast<T*>(buffer));
  };
  if (!triangles.empty()) {
    fill(RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, positions);
    fill(RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, triangles);
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(form.scene, geometry, 0);
  }
  rtcReleaseGeometry(geometry);
  rtcSetSceneBuildQuality(form.scene, RTC_BUILD_QUALITY_HIGH);
  rtcCommitScene(form.scene);
  MeshBox& box = parts_->forms.back().box;
  if (!positions.empty()) box = {positions.front(), positions.front()};
  for (const MeshPoint& p : positions)
    for (size_t k = 0; k < 3; ++k) box.low[k] = std::min(box.low[k], p[k]), box.high[k] = std::max(box.high[k], p[k]);
  return static_cast<uint32_t>(parts_->forms.size() - 1);
}

void InstanceScene::commit(std::vector<Instance> instances, const Context& context) {
  Parts& parts = *parts_;
  parts.instances = std::move(instances);
  parts.backs = std::vector<Back>(parts.instances.begin(), parts.instances.end());
  parts.scene = rtcNewScene(parts.device);
  parts.require(parts.scene != nullptr);
  const RTCGeometry geometry = rtcNewGeometry(parts.device, RTC_GEOMETRY_TYPE_USER);
  parts.require(geometry != nullptr);
  rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(parts.instances.size()));
  rtcSetGeometryUserData(geometry, &parts);
  rtcSetGeometryBoundsFunction(geometry, Parts::box_of, nullptr);
  rtcSetGeometryIntersectFunction(geometry, Parts::hit_instance);
  rtcSetGeometryOccludedFunction(geometry, Parts::blocked_by_instance);
  rtcCommitGeometry(geometry);
  rtcAttachGeometryByID(parts.scene, geometry, 0);
  rtcReleaseGeometry(geometry);
  rtcSetSceneProgressMonitorFunction(parts.scene, go_on, const_cast<Context*>(&context));
  rtcCommitScene(parts.scene);
  context.check();
  rtcSetSceneProgressMonitorFunction(parts.scene, nullptr, nullptr);
  parts.require(rtcGetDeviceError(parts.device) == RTC_ERROR_NONE);
  RTCBounds box{};
  rtcGetSceneBounds(parts.scene, &box);
  parts.low = to_vec(MeshPoint{box.lower_x, box.lower_y, box.lower_z});
  parts.high = to_vec(MeshPoint{box.upper_x, box.upper_y, box.upper_z});
}

namespace {

RTCRay single_ray(Vec3 from, Vec3 direction, double far) {
  RTCRay ray{};
  ray.org_x = static_cast<float>(from.x);
  ray.org_y = static_cast<float>(from.y);
  ray.org_z = static_cast<float>(from.z);
  ray.dir_x = static_cast<float>(direction.x);
  ray.dir_y = static_cast<float>(direction.y);
  ray.dir_z = static_cast<float>(direction.z);
  ray.tfar = static_cast<float>(far);
  ray.mask = ~0u;
  return ray;
}

}  // namespace

std::optional<InstanceHit> InstanceScene::hit(Vec3 from, Vec3 direction, double far) const {
  const auto start = parts_->start_of(from, direction, far);
  if (!start) return std::nullopt;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRayHit ray{};
  ray.ray = single_ray(from + direction * *start, direction, far - *start);
  ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  if (!is_sound(ray.ray)) return std::nullopt;
  rtcIntersect1(parts_->scene, &context, &ray);
  if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) return std::nullopt;
  return InstanceHit{std::min(*start + static_cast<double>(ray.ray.tfar), far), ray.hit.instID[0], ray.hit.primID,
                     static_cast<double>(ray.hit.u), static_cast<double>(ray.hit.v)};
}

bool InstanceScene::blocked(Vec3 from, Vec3 direction, double far) const {
  const auto start = parts_->start_of(from, direction, far);
  if (!start) return false;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRay ray = single_ray(from + direction * *start, direction, far - *start);
  if (!is_sound(ray)) return false;
  rtcOccluded1(parts_->scene, &context, &ray);
  return ray.tfar < 0;
}

}  // namespace tepui
