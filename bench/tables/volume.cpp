// Scenes of the sizes of Table 1 of Paris et al. 2019: the meshes, which took 13.3, 14.2 and 32.6 s there, and an edit.
#include <fmt/format.h>

#include "bench/mesh/polygonize_scenes.h"

namespace tepui::bench {

namespace {

[[maybe_unused]] const bool listed = [] {
  struct Scene {
    const char* name;
    VolumeScene (*make)();
  };
  for (const Scene& scene : {Scene{"sea", sea_scene}, Scene{"karst", karst_scene}, Scene{"canyon", canyon_scene}}) {
    Registrar(fmt::format("volume/mesh/{}", scene.name), [make = scene.make] { return polygonize_row(make()); });
    Registrar(fmt::format("volume/edit/{}", scene.name), [make = scene.make] { return edit_row(make()); });
  }
  return true;
}();

}  // namespace

}  // namespace tepui::bench
