#include "tepui/render/ray_scene.h"

#include <embree3/rtcore.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tepui/core/error.h"

namespace tepui {

namespace {

/// Beyond this many triangles memory counts for more than the last bit of speed.
constexpr size_t many = size_t{4} << 20;

bool go_on(void* context, double) { return !static_cast<const Context*>(context)->cancelled(); }

RTCRay make_ray(Vec3 from, Vec3 direction) {
  RTCRay ray{};
  ray.org_x = static_cast<float>(from.x);
  ray.org_y = static_cast<float>(from.y);
  ray.org_z = static_cast<float>(from.z);
  ray.dir_x = static_cast<float>(direction.x);
  ray.dir_y = static_cast<float>(direction.y);
  ray.dir_z = static_cast<float>(direction.z);
  ray.tfar = std::numeric_limits<float>::infinity();
  ray.mask = ~0u;
  return ray;
}

}  // namespace

struct RayScene::Parts {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;

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
};

RayScene::RayScene(std::span<const MeshPoint> positions, std::span<const MeshTriangle> triangles,
                   const Context& context)
    : parts_(std::make_unique<Parts>()) {
  parts_->device = rtcNewDevice(nullptr);
  parts_->require(parts_->device != nullptr);
  parts_->scene = rtcNewScene(parts_->device);
  parts_->require(parts_->scene != nullptr);
  // Rays must not slip through between neighbours.
  rtcSetSceneFlags(parts_->scene, triangles.size() > many
                                      ? static_cast<RTCSceneFlags>(RTC_SCENE_FLAG_ROBUST | RTC_SCENE_FLAG_COMPACT)
                                      : RTC_SCENE_FLAG_ROBUST);
  const RTCGeometry geometry = rtcNewGeometry(parts_->device, RTC_GEOMETRY_TYPE_TRIANGLE);
  parts_->require(geometry != nullptr);
  rtcAttachGeometry(parts_->scene, geometry);
  rtcReleaseGeometry(geometry);
  parts_->fill(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, positions);
  parts_->fill(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, triangles);
  rtcCommitGeometry(geometry);
  rtcSetSceneProgressMonitorFunction(parts_->scene, go_on, const_cast<Context*>(&context));
  rtcCommitScene(parts_->scene);
  context.check();
  rtcSetSceneProgressMonitorFunction(parts_->scene, nullptr, nullptr);
  parts_->require(rtcGetDeviceError(parts_->device) == RTC_ERROR_NONE);
}

RayScene::~RayScene() = default;

std::optional<RayHit> RayScene::hit(Vec3 from, Vec3 direction) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRayHit ray{};
  ray.ray = make_ray(from, direction);
  ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  rtcIntersect1(parts_->scene, &context, &ray);
  if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) return std::nullopt;
  return RayHit{static_cast<double>(ray.ray.tfar), ray.hit.primID, static_cast<double>(ray.hit.u),
                static_cast<double>(ray.hit.v)};
}

bool RayScene::blocked(Vec3 from, Vec3 direction) const {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  RTCRay ray = make_ray(from, direction);
  rtcOccluded1(parts_->scene, &context, &ray);
  return ray.tfar < 0;
}

}  // namespace tepui
