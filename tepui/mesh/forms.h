#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "tepui/core/season.h"
#include "tepui/mesh/mesh.h"

namespace tepui {

/// What stands on land and has models built in.
enum class Species { conifer, pine, larch, broadleaf, birch, acacia, shrub, grass, rock, dead };

/// Of the values in their order.
inline constexpr std::array<std::string_view, 10> species_names{"conifer", "pine",  "larch", "broadleaf", "birch",
                                                                "acacia",  "shrub", "grass", "rock",      "dead"};
/// The species of that name; nothing where there is none.
std::optional<Species> species_of(std::string_view name);

/// Every species has so many forms, from 0 on: young, old, slender, ragged, ...
inline constexpr int species_forms = 6;

/// About how many triangles a form has: 40, 300, 1500, 8000.
enum class FormDetail { coarse, middle, fine, close };

/// What the time of year makes of a form.
struct FormDress {
  Season season = Season::summer;
  double snow = 0;  ///< share of what faces up that is under snow, 0 to 1
};

/// A plant or a rock of height 1 that stands on z = 0 with its foot at the origin, x east, y north, with normals and
/// colours of vertices. The same bits everywhere. Any whole number names a form: they repeat.
Mesh plant_form(Species species, int form, FormDetail detail, const FormDress& dress = {});

/// The mean radius in plan of the form's crown, or of a rock, as a share of its height.
double form_radius(Species species, int form);

/// How large a form is drawn, as factors in plan and in height, for a plant of this height and radius of the crown in
/// metres; NaN where it is not known. A crown is never squeezed or stretched beyond what looks natural.
struct FormScale {
  double across = 1, up = 1;
};
FormScale form_scale(Species species, int form, double height, double crown);
/// The same of a model whose radius is this share of its height; the height must be known.
FormScale form_scale(double radius, double height, double crown);

/// What a plant is as high as that says nothing of it, in metres.
double usual_height(Species species);

}  // namespace tepui
