#include "tepui/io/mesh/glb_stage.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"

namespace tepui {

namespace {

using Json = nlohmann::ordered_json;

Json turned(Vec3 v) { return {v.x, v.z, -v.y}; }

/// A node whose axes are these and whose -Z is `ahead`.
Json node_at(const char* name, Vec3 at, Vec3 right, Vec3 up, Vec3 ahead) {
  Json matrix = Json::array();
  for (const Vec3 axis : {right, up, ahead * -1.0, at}) {
    for (const Json& value : turned(axis)) matrix.push_back(value);
    matrix.push_back(matrix.size() == 15 ? 1.0 : 0.0);
  }
  return {{"name", name}, {"matrix", matrix}};
}

/// Left, top, right and bottom of the picture in what the camera sees.
Json picture_in(const GlbScene& scene, double wide, double high) {
  const auto share = [](double v, double half) { return 0.5 + 0.5 * v / half; };
  return {share(scene.shift_x - scene.half_x, wide), 1 - share(scene.shift_y + scene.half_y, high),
          share(scene.shift_x + scene.half_x, wide), 1 - share(scene.shift_y - scene.half_y, high)};
}

Json camera_of(const GlbScene& scene) {
  const double wide = scene.half_x + std::abs(scene.shift_x), high = scene.half_y + std::abs(scene.shift_y);
  Json camera = {{"name", "camera"}};
  if (scene.parallel) {
    camera["type"] = "orthographic";
    camera["orthographic"] = {{"xmag", wide}, {"ymag", high}, {"znear", scene.near}, {"zfar", scene.far}};
  } else {
    camera["type"] = "perspective";
    camera["perspective"] = {
        {"aspectRatio", wide / high}, {"yfov", 2 * math::atan2(high, 1)}, {"znear", scene.near}, {"zfar", scene.far}};
  }
  camera["extras"] = {{"picture", picture_in(scene, wide, high)}};
  return camera;
}

}  // namespace

void add_stage(Json& gltf, const GlbScene& scene, Vec3 centre) {
  constexpr const char* lights = "KHR_lights_punctual";
  gltf["extensionsUsed"].push_back(lights);
  Json camera = node_at("camera", scene.eye - centre, scene.right, scene.up, scene.forward);
  camera["camera"] = 0;
  // Any axes across its direction do.
  const Vec3 ahead = scene.to_sun * -1.0;
  Vec3 right = cross(ahead, {0, 0, 1});
  right = length(right) > 1e-6 ? right * (1 / length(right)) : Vec3{1, 0, 0};
  Json sun = node_at("sun", {}, right, cross(right, ahead), ahead);
  sun["extensions"] = {{lights, {{"light", 0}}}};
  const double intensity = std::ranges::max(scene.sun);
  const auto& c = scene.sun;
  gltf["extensions"] = {{lights,
                         {{"lights", Json::array({{{"type", "directional"},
                                                   {"name", "sun"},
                                                   {"color", {c[0] / intensity, c[1] / intensity, c[2] / intensity}},
                                                   {"intensity", intensity},
                                                   {"extras", {{"sky", scene.sky}}}}})}}}};
  gltf["cameras"] = Json::array({camera_of(scene)});
  for (Json* node : {&camera, &sun}) {
    gltf["scenes"][0]["nodes"].push_back(gltf["nodes"].size());
    gltf["nodes"].push_back(*node);
  }
}

}  // namespace tepui
