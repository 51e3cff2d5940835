#include "tepui/output/look.h"

#include <filesystem>

#include "tepui/recipe/param_json.h"

namespace tepui {

Json with_look(const Json& object, const Json& look, const ParamTable& table) {
  if (!object.is_object()) return object;
  Json whole = object;
  for (const JsonMember& member : look.members)
    if (table.find(member.key) >= 0 && object.find(member.key) == nullptr) whole.members.push_back(member);
  return whole;
}

namespace {

/// Relative to the recipe's folder, or to the current one where the command line names it.
FilePath located(const FilePath& file, const Position& at) {
  const std::filesystem::path path = file.path;
  if (file.path.empty() || !path.is_relative() || at.source == nullptr || at.source->name.starts_with("--"))
    return file;
  return {(std::filesystem::path(at.source->name).parent_path() / path).string()};
}

}  // namespace

PictureParams picture_from_json(const Json& object, const Json& look) {
  const Fields<PictureParams>& fields = fields_of<PictureParams>();
  const Json whole = with_look(object, look, fields.table());
  PictureParams params = fields.make(params_from_json(fields.table(), whole, "\"render\""));
  if (const Json* models = whole.find("models")) params.models = located(params.models, models->at);
  return params;
}

void check_look(const Json& look) {
  if (look.is_object()) params_from_json(fields_of<PictureParams>().table(), look, "\"look\"");
}

}  // namespace tepui
