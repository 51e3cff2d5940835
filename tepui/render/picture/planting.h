#pragma once  // internal

#include <map>
#include <memory>
#include <vector>

#include "tepui/io/mesh/form_models.h"
#include "tepui/mesh/standing.h"
#include "tepui/render/light/instance_scene.h"
#include "tepui/render/picture/lens.h"
#include "tepui/render/picture/subject.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// How plants and rocks are drawn.
struct PlantingLook {
  Season season = Season::summer;
  PictureColour colour = PictureColour::natural;
};

/// Plants and rocks that stand on a subject: each a copy of a form, in the detail that its size in the picture asks
/// for. Where there is land they stand on its surface, and on its `snow` they carry some; elsewhere they stand where
/// they say. What stands beyond the plan is left out, and so is what the eye is in.
class Planting {
 public:
  Planting(std::vector<Standing> standing, const PlantingLook& look, const Terrain* land, FormModels models = {});
  ~Planting();

  /// Once the subject's own rays are ready.
  void stand(const Subject& subject, const Lens& lens, int rows, const Context& context);

  std::optional<InstanceHit> hit(Vec3 from, Vec3 direction, double far) const {
    return scene_ ? scene_->hit(from, direction, far) : std::nullopt;
  }
  bool blocked(Vec3 from, Vec3 direction, double far = RayScene::no_end) const {
    return scene_ && scene_->blocked(from, direction, far);
  }
  SurfacePoint seen(const InstanceHit& hit, Vec3 direction) const;

 private:
  struct Form;
  /// What an instance differs in from its form.
  struct Dress {
    Rgb tint{1, 1, 1};
    float snow = 0;
  };
  struct Placed;

  std::optional<Placed> placed(const Standing& standing, const Subject& subject, const Lens& lens, int rows) const;
  uint32_t form_of(size_t key);
  int forms_of(Species species) const;
  float snow_at(Vec3 foot) const;

  std::vector<Standing> standing_;
  PlantingLook look_;
  const Terrain* land_ = nullptr;
  FormModels models_;
  std::vector<std::unique_ptr<Form>> forms_;
  std::map<size_t, uint32_t> numbers_;  ///< of forms, by species, form and detail
  std::vector<Dress> dresses_;
  std::unique_ptr<InstanceScene> scene_;
};

}  // namespace tepui
