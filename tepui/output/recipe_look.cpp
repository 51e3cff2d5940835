#include "tepui/output/recipe_look.h"

#include <optional>
#include <utility>

namespace tepui {

namespace {

/// The look of an output's picture of the land as it is; none if it shows something else.
std::optional<Json> look_of_output(const Json& output) {
  const Json* render = output.find("render");
  if (render == nullptr || !render->is_object() || render->find("colour") != nullptr) return std::nullopt;
  if (const Json* camera = render->find("camera"); camera != nullptr && camera->text == "top") return std::nullopt;
  Json look = *render;
  std::erase_if(look.members, [](const JsonMember& member) {
    return member.key == "size" || member.key == "samples" || member.key == "draft" || member.key == "linear";
  });
  return look;
}

/// What only a planet's picture has.
void forget_planet(Json& look) {
  std::erase_if(look.members, [](const JsonMember& member) {
    return member.key == "latitude" || member.key == "longitude" || member.key == "altitude" ||
           member.key == "heading" || member.key == "pitch";
  });
}

}  // namespace

Json look_of(const Plan& recipe, std::string_view node) {
  if (recipe.look_text.is_object()) return recipe.look_text;
  std::optional<Json> first;
  for (const JsonMember& output : recipe.outputs_text.members) {
    std::optional<Json> look = look_of_output(output.value);
    if (!look) continue;
    if (const Json* from = output.value.find("from"); from != nullptr && from->text == node) return *look;
    if (!first) first = std::move(look);
  }
  if (first) forget_planet(*first);
  return first.value_or(Json());
}

}  // namespace tepui
