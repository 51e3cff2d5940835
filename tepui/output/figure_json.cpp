#include "tepui/output/figure_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"

namespace tepui {

namespace {

constexpr const char *turntable = "turntable", *timelapse = "timelapse";

const Fields<FigureParams>& figure_fields() {
  static const Fields<FigureParams> fields = [] {
    Fields<FigureParams> f;
    describe(f);
    return f;
  }();
  return fields;
}

/// The kinds that have numbers.
const std::vector<std::string>& plots() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    const ParamTable& table = figure_fields().table();
    const std::vector<std::string>& all = table.fields[static_cast<size_t>(table.find("kind"))].choices;
    for (size_t i = 0; i < all.size(); ++i)
      if (has_numbers(static_cast<FigureKind>(i))) list.push_back(all[i]);
    return list;
  }();
  return names;
}

/// Which kind the object asks for; one that this kind of value has.
std::string kind_in(const Json& object, const Kind& of) {
  const OutputKind& shown = output_kind(of);
  if (!object.is_object())
    refuse_at(object.at, fmt::format("\"figure\" must be an object, not {}", object.type_name()));
  const Json* kind = object.find("kind");
  if (kind == nullptr)
    refuse_at(object.at, "\"figure\" needs a \"kind\"", fmt::format("one of {}", fmt::join(shown.figures, ", ")));
  if (!kind->is_string()) refuse_at(kind->at, fmt::format("\"kind\" must be text, not {}", kind->type_name()));
  if (std::ranges::find(figure_kinds(), kind->text) == figure_kinds().end())
    refuse_at(kind->at, fmt::format("there is no figure '{}'", kind->text), suggest_name(kind->text, figure_kinds()));
  if (std::ranges::find(shown.figures, kind->text) == shown.figures.end())
    refuse_at(kind->at, fmt::format("'{}' is not a figure of {}", kind->text, of.noun),
              fmt::format("figures of {}: {}", of.noun, fmt::join(shown.figures, ", ")));
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

void check_figure_name(const std::string& name, const std::string& kind) {
  const std::string ending = file_ending(name);
  if (kind == turntable || kind == timelapse) {
    if (ending != ".webp") refuse(fmt::format("cannot write '{}': an animation's name must end in .webp", name));
    return;
  }
  const bool plot = std::ranges::find(plots(), kind) != plots().end();
  if (ending == ".png" || ending == ".webp" || ending == ".svg" || (plot && ending == ".csv")) return;
  refuse(fmt::format("cannot write '{}': a figure's name must end in .png, .webp or .svg{}", name,
                     plot ? ", or in .csv for its numbers" : ""),
         ending == ".csv" ? fmt::format("figures with numbers are {}", fmt::join(plots(), ", ")) : "");
}

ValueFigure figure_from_json(const Json& object, const std::string& name, const Kind& of, const Json& look) {
  const std::string kind = kind_in(object, of);
  try {
    check_figure_name(name, kind);
  } catch (const Error& error) {
    throw error.at(object.at.place());
  }
  const std::string what = "\"figure\"";
  if (kind != turntable) return figure_fields().make(params_from_json(figure_fields().table(), object, what));
  Json rest = object;
  std::erase_if(rest.members, [](const JsonMember& member) { return member.key == "kind"; });
  auto [turn, picture] = params_of_both<TurntableParams, PictureParams>(rest, what, look);
  if (picture.camera == Camera::top || picture.camera == Camera::free)
    refuse_at(object.at, "a turntable needs a camera beside the land", "for example camera = three_quarter");
  return Turntable{turn, picture};
}

}  // namespace tepui
