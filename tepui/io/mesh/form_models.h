#pragma once

#include <array>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/hash.h"
#include "tepui/mesh/standing.h"

namespace tepui {

/// Models that stand in for the plants and rocks built in.
class FormModels {
 public:
  /// None.
  FormModels() = default;
  /// From the files of a folder: conifer_0.glb, conifer_1.glb and so on, rock_0.glb, ... for the species that stand
  /// somewhere; refuses a folder that lacks one of these. A model is as high as it is above its own ground, z = 0, on
  /// which it stands at the origin; its size is set by the point, its shape is its own.
  FormModels(const std::string& folder, const std::vector<Standing>& standing, const Context& context);

  /// How many there are of a species; 0 where those built in are to be used.
  int count(Species species) const { return static_cast<int>(of(species).size()); }
  /// Of height 1. Any number from 0 on names a form: they repeat.
  const Mesh& form(Species species, int number) const;
  /// Its mean radius in plan.
  double radius(Species species, int number) const;

 private:
  struct Model {
    Mesh mesh;
    double radius = 0;
  };
  const std::vector<Model>& of(Species species) const { return models_[static_cast<size_t>(species)]; }

  std::array<std::vector<Model>, species_names.size()> models_;
};

/// Of all files that a folder of models holds.
Hash models_key(const std::string& folder);

}  // namespace tepui
