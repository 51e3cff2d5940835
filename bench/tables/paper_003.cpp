// Table 1 of Paris et al. 2019: generation, memory and meshing of its scenes, beside what the paper reports.
#include "bench/tables/paper_003.h"

#include <fmt/format.h>

#include <memory>

#include "bench/mesh/polygonize_scenes.h"
#include "tepui/core/error.h"

namespace tepui::bench {

namespace {

constexpr PaperScene scenes[] = {{"sea", 50'693, 5.5, 3.0, 13.3, 91.5, 9, 210},
                                 {"karst", 165'773, 6.2, 9.9, 14.2, 188.4, 14, 1000},
                                 {"canyon", 137'043, 6.8, 9.3, 32.6, 159.0, 30, 569},
                                 {"hoodoo", 55'619, 2.1, 5.5, 2.9, 15.8, 4, 111},
                                 {"benagil", 13'264, 0, 1.3, 2.7, 3.9, 8, 20}};

/// A volume whose sketch tells where the land is but not that its height is the surface.
class AskedAlongLand : public Solid {
 public:
  explicit AskedAlongLand(SolidPointer solid) : solid_(std::move(solid)) {}
  void values(const FieldPoints& at, float* v) const override { solid_->values(at, v); }
  void gradients(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const override {
    solid_->gradients(at, v, dx, dy, dz);
  }
  FieldRange range(const Box3& box) const override { return solid_->range(box); }
  Box3 support() const override { return solid_->support(); }
  SurfaceSketch sketch() const override {
    SurfaceSketch sketch = solid_->sketch();
    if (sketch.sheet != nullptr) sketch.bands.push_back({sketch.ground, 0, 0, 0});
    return sketch;
  }
  void hash(Hasher& hasher) const override { solid_->hash(hasher); }
  size_t bytes() const override { return solid_->bytes(); }

 private:
  SolidPointer solid_;
};

enum class Asked { optimized, bounds_alone, everywhere };

Row mesh_row(const PaperScene& paper, VolumeScene made, Asked asked) {
  const auto scene = std::make_shared<const VolumeScene>(std::move(made));
  SurfaceOptions options = bare_sheet();
  options.full = asked == Asked::everywhere;
  const Volume volume = asked == Asked::bounds_alone
                            ? scene->volume.with_root(std::make_shared<AskedAlongLand>(scene->volume.share()))
                            : scene->volume;
  const auto tiles = [scene, options, volume] { return SurfaceTiles(volume, scene->lattice, options, Context()); };
  Row row;
  row.fast = [tiles] { tiles().take(Context()); };
  row.hash = [tiles] { return tiles().take(Context()).hash(); };
  const SurfaceLattice& grid = scene->lattice;
  row.size = fmt::format("{}x{}x{}", grid.nx, grid.ny, grid.nz);
  row.items = static_cast<double>(grid.nx * grid.ny * grid.nz);
  row.paper_seconds = asked == Asked::everywhere ? paper.plain_mesh : asked == Asked::optimized ? paper.mesh : 0;
  row.tells = [scene, tiles, &paper, asked] {
    const SurfaceFacts facts = tiles().facts();
    const double calls = asked == Asked::everywhere  ? paper.standard_calls
                         : asked == Asked::optimized ? paper.calls
                                                     : 0;
    std::string told = fmt::format("{:.2f} M calls of f", static_cast<double>(facts.asked) / 1e6);
    if (calls > 0) told += fmt::format(" (paper: {:g} M)", calls);
    if (asked != Asked::optimized) return told;
    const double bytes = static_cast<double>(scene->volume.bytes() - scene->bare.bytes());
    return told + fmt::format(", {} primitives, {:.2f} MB (paper: {} MB)", scene->primitives.size(), bytes / 1e6,
                              paper.megabytes);
  };
  return row;
}

}  // namespace

const PaperScene& paper_scene(const std::string& name) {
  for (const PaperScene& scene : scenes)
    if (scene.name == name) return scene;
  fail(fmt::format("Table 1 has no scene '{}'", name));
}

void add_mesh_rows(const std::string& name, VolumeScene (*make)()) {
  struct Way {
    const char* what;
    Asked asked;
  };
  for (const Way& way : {Way{"mesh", Asked::optimized}, Way{"mesh, bounds alone", Asked::bounds_alone},
                         Way{"mesh, every point", Asked::everywhere}})
    Registrar(fmt::format("paper-003/{}/{}", name, way.what),
              [name, make, asked = way.asked] { return mesh_row(paper_scene(name), make(), asked); });
}

void add_generation_row(const std::string& name, std::function<MakeVolume()> prepare) {
  Registrar(fmt::format("paper-003/{}/generation", name), [name, prepare] {
    const PaperScene& paper = paper_scene(name);
    const MakeVolume make = prepare();
    Row row;
    row.fast = [make] { make(); };
    row.hash = [make] { return make().hash(); };
    row.size = fmt::format("{} primitives", paper.primitives);
    row.paper_seconds = paper.generation;
    return row;
  });
}

namespace {

[[maybe_unused]] const bool listed = [] {
  add_mesh_rows("sea", sea_scene);
  add_mesh_rows("karst", karst_scene);
  add_mesh_rows("canyon", canyon_scene);
  add_mesh_rows("hoodoo", hoodoo_scene);
  add_mesh_rows("benagil", benagil_scene);
  return true;
}();

}  // namespace

}  // namespace tepui::bench
