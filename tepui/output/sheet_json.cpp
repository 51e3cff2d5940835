#include "tepui/output/sheet_json.h"

#include <fmt/format.h>

#include "tepui/core/error.h"
#include "tepui/core/file.h"
#include "tepui/output/figure_json.h"
#include "tepui/terrain/lines.h"
#include "tepui/volume/volume.h"

namespace tepui {

namespace {

constexpr size_t most_panels = 256;

/// The plain keys of a panel and of a sheet, read as parameters are.
struct PanelWords {
  std::string from, caption;
};
void describe(Fields<PanelWords>& f) {
  f("from", &PanelWords::from, "the node, or node.layer");
  f("caption", &PanelWords::caption, "caption below the panel");
}

struct SheetWords {
  std::string title;
  std::optional<int> columns{};
};
void describe(Fields<SheetWords>& f) {
  f("title", &SheetWords::title, "title above the sheet");
  f("columns", &SheetWords::columns, Range{1, static_cast<double>(most_panels)},
    "number of columns; auto: chosen to suit the pictures");
}

/// Those members that are not `objects`.
Json without(const Json& object, const std::vector<std::string_view>& objects) {
  Json rest = object;
  std::erase_if(rest.members,
                [&](const JsonMember& member) { return std::ranges::find(objects, member.key) != objects.end(); });
  return rest;
}

template <class P>
P words_of(const Json& object, std::string_view what) {
  const Fields<P>& fields = fields_of<P>();
  return fields.make(params_from_json(fields.table(), object, what));
}

Panel panel_of(const Json& object, const Recipe& recipe) {
  if (!object.is_object()) refuse_at(object.at, fmt::format("a panel must be an object, not {}", object.type_name()));
  const Json *render = object.find("render"), *figure = object.find("figure"), *from = object.find("from");
  const PanelWords words =
      words_of<PanelWords>(without(object, {"render", "figure", "rock", "rivers", "along", "scatter"}), "a panel");
  if (from == nullptr) refuse_at(object.at, "a panel needs \"from\", the node it shows");
  if (render != nullptr && figure != nullptr) refuse_at(figure->at, "a panel has \"render\" or \"figure\", not both");
  Panel panel{recipe.reference(words.from, from->at), words.caption, {}, {}};
  panel.rock = rock_from_json(object, recipe, panel.from);
  panel.rivers = rivers_from_json(object, recipe, panel.from);
  panel.along = along_from_json(object, recipe, panel.from);
  panel.scatter = scatter_from_json(object, recipe, panel.from, "");
  const Node& shown = recipe.node(panel.from);
  const Kind& kind = *shown.op->output;
  if (figure == nullptr) {
    panel.render = picture_from_json(render != nullptr ? *render : json_object(object.at), recipe.look_text);
    try {
      if (render != nullptr) require_pictured(kind, fmt::format("node '{}'", shown.name));
    } catch (const Error& error) {
      throw error.at(render->at.place());
    }
    return panel;
  }
  const ValueFigure drawn = figure_from_json(*figure, "panel.webp", kind);
  if (!std::holds_alternative<FigureParams>(drawn)) refuse_at(figure->at, "an animation cannot be part of a sheet");
  panel.figure = std::get<FigureParams>(drawn);
  return panel;
}

/// What else an output of land or of a volume may name.
struct Beside {
  const Kind &kind, &of;
  const char *takes, *only;  ///< the beginning of what is said where it, or what is shown, is of another kind
};

void require_kind(const Node& node, const Kind& kind, const char* takes, const Json& named) {
  if (node.op->output != &kind)
    refuse_at(named.at, fmt::format("{}, but node '{}' gives {}", takes, node.name, node.op->output->name));
}

/// A node by its name, which must give this kind.
Reference node_of_kind(const Json& named, const Kind& kind, const char* takes, const Recipe& recipe) {
  const Reference reference = recipe.reference(named.text, named.at);
  require_kind(recipe.node(reference), kind, takes, named);
  return reference;
}

std::optional<Reference> beside_shown(const Json& object, const char* key, const Beside& beside, const Recipe& recipe,
                                      const Reference& shown) {
  const Json* named = object.find(key);
  if (named == nullptr) return std::nullopt;
  if (!named->is_string()) refuse_at(named->at, fmt::format("\"{}\" must be text, not {}", key, named->type_name()));
  const Reference reference = node_of_kind(*named, beside.kind, beside.takes, recipe);
  require_kind(recipe.node(shown), beside.of, beside.only, *named);
  return reference;
}

}  // namespace

Sheet sheet_from_json(const Json& object, const std::string& name, const Recipe& recipe) {
  if (!object.is_object()) refuse_at(object.at, fmt::format("\"sheet\" must be an object, not {}", object.type_name()));
  try {
    check_figure_name(name, "sheet");
  } catch (const Error& error) {
    throw error.at(object.at.place());
  }
  const SheetWords words = words_of<SheetWords>(without(object, {"panels"}), "\"sheet\"");
  const Json* panels = object.find("panels");
  if (panels == nullptr || !panels->is_array() || panels->items.empty())
    refuse_at(panels != nullptr ? panels->at : object.at, "a sheet has a list of \"panels\"",
              "\"panels\": [{ \"from\": \"land\", \"caption\": \"...\", \"render\": {} }]");
  if (panels->items.size() > most_panels)
    refuse_at(panels->at, fmt::format("{} panels are too many for one sheet; at most {} are shown",
                                      panels->items.size(), most_panels));
  Sheet sheet{words.title, words.columns.value_or(0), {}};
  for (const Json& item : panels->items) sheet.panels.push_back(panel_of(item, recipe));
  return sheet;
}

std::optional<Reference> rock_from_json(const Json& object, const Recipe& recipe, const Reference& shown) {
  return beside_shown(
      object, "rock",
      {kind_of<Geology>(), kind_of<Terrain>(), "\"rock\" takes geology", "\"rock\" only applies to land"}, recipe,
      shown);
}

std::optional<Reference> rivers_from_json(const Json& object, const Recipe& recipe, const Reference& shown) {
  const std::optional<Reference> rivers =
      beside_shown(object, "rivers",
                   {kind_of<Lines>(), kind_of<Terrain>(), "\"rivers\" takes lines", "\"rivers\" only applies to land"},
                   recipe, shown);
  if (rivers && object.find("figure") == nullptr)
    refuse_at(object.find("rivers")->at, "\"rivers\" only applies to maps, and this is none",
              R"("figure": { "kind": "atlas" }, or "map")");
  return rivers;
}

std::optional<Reference> along_from_json(const Json& object, const Recipe& recipe, const Reference& shown) {
  const std::optional<Reference> along =
      beside_shown(object, "along",
                   {kind_of<Lines>(), kind_of<Volume>(), "\"along\" takes lines", "\"along\" only applies to volumes"},
                   recipe, shown);
  if (along && object.find("render") == nullptr && object.find("figure") == nullptr)
    refuse_at(object.find("along")->at, "\"along\" only applies to pictures, and this is none",
              R"("render": { "camera": "inside" })");
  return along;
}

std::vector<Reference> scatter_from_json(const Json& object, const Recipe& recipe, const Reference& shown,
                                         const std::string& file) {
  const Json* named = object.find("scatter");
  if (named == nullptr) return {};
  const bool list = named->is_array();
  if (list && named->items.empty()) refuse_at(named->at, "\"scatter\" is an empty list", "leave it out");
  std::vector<Reference> all;
  for (const Json& one : list ? named->items : std::vector<Json>{*named}) {
    if (!one.is_string())
      refuse_at(one.at,
                fmt::format("\"scatter\" takes the name of a node or a list of names, not {}", one.type_name()));
    all.push_back(node_of_kind(one, kind_of<Lines>(), "\"scatter\" takes lines", recipe));
  }
  const Node& node = recipe.node(shown);
  if (!output_kind(*node.op->output).stood_upon)
    refuse_at(named->at, fmt::format("\"scatter\" only applies to land, volumes and meshes, but node '{}' gives {}",
                                     node.name, node.op->output->name));
  const bool shown_so = object.find("render") != nullptr || object.find("figure") != nullptr;
  if (!shown_so && !(output_kind(*node.op->output).stood_upon_in_glb && file_ending(file) == ".glb"))
    refuse_at(named->at, "\"scatter\" only applies to pictures and to land's .glb, and this is neither",
              R"("render": { "camera": "ground" })");
  return all;
}

}  // namespace tepui
