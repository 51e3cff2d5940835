#include "tepui/recipe/figure_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"

namespace tepui {

namespace {

constexpr const char* turntable = "turntable";

const Fields<FigureParams>& figure_fields() {
  static const Fields<FigureParams> fields = [] {
    Fields<FigureParams> f;
    describe(f);
    return f;
  }();
  return fields;
}

/// Which kind the object asks for; one that this kind of value has.
std::string kind_of(const Json& object, ValueType type) {
  const ValueKind& shown = value_kind(type);
  if (!object.is_object())
    refuse_at(object.at, fmt::format("\"figure\" must be an object, not {}", object.type_name()));
  const Json* kind = object.find("kind");
  if (kind == nullptr)
    refuse_at(object.at, "\"figure\" does not say its \"kind\"",
              fmt::format("one of {}", fmt::join(shown.figures, ", ")));
  if (!kind->is_string()) refuse_at(kind->at, fmt::format("\"kind\" must be text, not {}", kind->type_name()));
  if (std::ranges::find(figure_kinds(), kind->text) == figure_kinds().end())
    refuse_at(kind->at, fmt::format("there is no figure '{}'", kind->text), suggest_name(kind->text, figure_kinds()));
  if (std::ranges::find(shown.figures, kind->text) == shown.figures.end())
    refuse_at(kind->at, fmt::format("'{}' is not a figure of {}", kind->text, shown.noun),
              fmt::format("figures of {}: {}", shown.noun, fmt::join(shown.figures, ", ")));
  return kind->text;
}

}  // namespace

const std::vector<std::string>& figure_kinds() {
  static const std::vector<std::string> kinds = [] {
    const ParamTable& table = figure_fields().table();
    std::vector<std::string> names = table.fields[static_cast<size_t>(table.find("kind"))].choices;
    names.emplace_back(turntable);
    return names;
  }();
  return kinds;
}

void check_figure_name(const std::string& name, bool animated) {
  const std::string ending = file_ending(name);
  if (animated && ending != ".webp")
    refuse(fmt::format("cannot write '{}': an animation's name must end in .webp", name));
  if (!animated && ending != ".png" && ending != ".webp" && ending != ".svg")
    refuse(fmt::format("cannot write '{}': a figure's name must end in .png, .webp or .svg", name));
}

ValueFigure figure_from_json(const Json& object, const std::string& name, ValueType type) {
  const std::string kind = kind_of(object, type);
  try {
    check_figure_name(name, kind == turntable);
  } catch (const Error& error) {
    throw error.at(object.at.text());
  }
  const std::string what = "\"figure\"";
  if (kind != turntable) return figure_fields().make(params_from_json(figure_fields().table(), object, what));
  Json rest = object;
  std::erase_if(rest.members, [](const JsonMember& member) { return member.key == "kind"; });
  auto [turn, picture] = params_of_both<TurntableParams, PictureParams>(rest, what);
  if (picture.camera == Camera::top || picture.camera == Camera::free)
    refuse_at(object.at, "a turntable needs a camera that stands beside the land",
              "for example camera = three_quarter");
  return Turntable{turn, picture};
}

void hash_figure(Hasher& key, const ValueFigure& figure) {
  key.add(static_cast<int64_t>(figure.index()));
  if (const auto* params = std::get_if<FigureParams>(&figure)) return hash_params(key, *params);
  hash_params(key, std::get<Turntable>(figure).turn);
  hash_params(key, std::get<Turntable>(figure).picture);
}

void write_value_figure(const std::string& path, const Value& value, const ValueFigure& figure, const Setting& around,
                        const PngText& text, const Context& context) {
  if (const auto* params = std::get_if<FigureParams>(&figure)) {
    const Drawing drawing = value_kind(value).draw(value, *params, around, context.stage("drawing", 0, 0.8));
    write_figure(path, drawing, text, context.stage("writing", 0.8, 1));
    return;
  }
  const Turntable& table = std::get<Turntable>(figure);
  write_turntable(
      path, [&](const PictureParams& params, const Context& step) { return draw_value(value, params, around, step); },
      table.picture, table.turn, text, context);
}

}  // namespace tepui
