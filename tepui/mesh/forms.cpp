#include "tepui/mesh/forms.h"

#include <algorithm>
#include <cmath>

#include "tepui/mesh/form_builder.h"

namespace tepui {

namespace {

constexpr size_t index_of(Species species) { return static_cast<size_t>(species); }

int form_number(int form) { return ((form % species_forms) + species_forms) % species_forms; }

}  // namespace

std::optional<Species> species_of(std::string_view name) {
  const auto found = std::ranges::find(species_names, name);
  if (found == species_names.end()) return std::nullopt;
  return static_cast<Species>(found - species_names.begin());
}

Mesh plant_form(Species species, int form, FormDetail detail, const FormDress& dress) {
  FormBuilder builder;
  const FormRequest request{species, form_number(form), detail, dress.season};
  switch (species) {
    case Species::conifer:
    case Species::larch:
      grow_conifer(builder, request);
      break;
    case Species::pine:
    case Species::broadleaf:
    case Species::birch:
    case Species::acacia:
    case Species::shrub:
      grow_leafy(builder, request);
      break;
    case Species::grass:
      grow_grass(builder, request);
      break;
    case Species::rock:
      grow_rock(builder, request);
      break;
    case Species::dead:
      grow_dead(builder, request);
      break;
  }
  return builder.finish(dress.snow);
}

double form_radius(Species species, int form) {
  // As the forms are made; a test measures them.
  static constexpr std::array<std::array<double, species_forms>, species_names.size()> radii{{
      {0.17, 0.20, 0.15, 0.14, 0.11, 0.21},  // conifer
      {0.24, 0.28, 0.20, 0.22, 0.18, 0.30},  // pine
      {0.18, 0.20, 0.16, 0.15, 0.13, 0.21},  // larch
      {0.36, 0.44, 0.30, 0.34, 0.40, 0.50},  // broadleaf
      {0.20, 0.24, 0.18, 0.22, 0.17, 0.26},  // birch
      {0.62, 0.75, 0.55, 0.68, 0.60, 0.82},  // acacia
      {0.62, 0.75, 0.55, 0.68, 0.80, 0.95},  // shrub
      {0.55, 0.70, 0.50, 0.60, 0.45, 0.80},  // grass
      {0.75, 0.90, 0.65, 0.80, 0.70, 1.10},  // rock
      {0.12, 0.16, 0.10, 0.14, 0.09, 0.18},  // dead
  }};
  return radii[index_of(species)][static_cast<size_t>(form_number(form))];
}

FormScale form_scale(Species species, int form, double height, double crown) {
  return form_scale(form_radius(species, form), height > 0 ? height : usual_height(species), crown);
}

FormScale form_scale(double radius, double height, double crown) {
  const double wide = crown > 0 ? crown / radius : height;
  return {std::clamp(wide, 0.65 * height, 1.5 * height), height};
}

double usual_height(Species species) {
  static constexpr std::array<double, species_names.size()> metres{18, 16, 18, 15, 13, 8, 1.6, 0.45, 1.0, 12};
  return metres[index_of(species)];
}

}  // namespace tepui
