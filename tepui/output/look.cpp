#include "tepui/output/look.h"

#include "tepui/recipe/param_json.h"

namespace tepui {

Json with_look(const Json& object, const Json& look, const ParamTable& table) {
  if (!object.is_object()) return object;
  Json whole = object;
  for (const JsonMember& member : look.members)
    if (table.find(member.key) >= 0 && object.find(member.key) == nullptr) whole.members.push_back(member);
  return whole;
}

PictureParams picture_from_json(const Json& object, const Json& look) {
  const Fields<PictureParams>& fields = fields_of<PictureParams>();
  return fields.make(params_from_json(fields.table(), with_look(object, look, fields.table()), "\"render\""));
}

void check_look(const Json& look) {
  if (look.is_object()) params_from_json(fields_of<PictureParams>().table(), look, "\"look\"");
}

}  // namespace tepui
