#pragma once

#include <optional>
#include <string_view>

#include "tepui/mesh/mesh.h"
#include "tepui/mesh/species.h"

namespace tepui {

/// The species of that name; nothing where there is none.
std::optional<Species> species_of(std::string_view name);

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
