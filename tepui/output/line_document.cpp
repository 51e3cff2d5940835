#include "tepui/output/line_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/output/output_json.h"
#include "tepui/output/output_kind.h"
#include "tepui/recipe/param_words.h"

namespace tepui {

namespace {

/// A figure that shows the value as its kind is usually shown.
Json usual_figure_of(const OutputKind& kind, Position at) {
  Json figure = json_object(at);
  figure.members.push_back({"kind", at, json_string(kind.figures.front(), at)});
  // A cut says nothing without its scale.
  if (!kind.takes_world) figure.members.push_back({"axes", at, json_boolean(false, at)});
  return figure;
}

/// An output, of all stages where its name holds {age}, with those options that its format takes; drawn, where files
/// hold no such value but show it.
Json output_of(const std::string& file, const std::string& node, const Kind& type, const Json& words) {
  const OutputKind& kind = output_kind(type);
  const std::string ending = file_ending(file);
  Json output = json_object({});
  const bool frames = file.find("{age}") != std::string::npos;
  output.members.push_back({frames ? "frames" : "from", {}, json_string(node, {})});
  for (const JsonMember& word : words.members)
    if (takes_option(type, file, word.key)) output.members.push_back(word);
  const bool image = ending == ".png" || ending == ".webp";
  if (kind.is_pictured() && !kind.held_by_images && image)
    output.members.push_back({"render", {}, json_object({})});
  else if (!kind.held_by_images && kind.draw != nullptr && (image || ending == ".svg"))
    output.members.push_back({"figure", {}, usual_figure_of(kind, {})});
  return frames || output.members.size() > 1 ? output : json_string(node, {});
}

/// Throws unless one of the files takes the option.
void require_taker(const std::string& option, const std::vector<std::string>& files, const Kind& type) {
  const auto takes = [&](const std::string& file) { return takes_option(type, file, option); };
  if (std::ranges::any_of(files, takes)) return;
  if (files.empty()) refuse("--out applies to the files of -o, and there are none");
  for (const std::string& file : files) require_option(type, file, option);
}

/// The picture that stands for the value.
Json picture_of(const std::string& node, const Kind& type, const Json& words, Position start) {
  Json output = json_object(start);
  output.members.push_back({"from", start, json_string(node, start)});
  if (!output_kind(type).is_pictured()) {
    if (!words.members.empty())
      refuse(fmt::format("{} is drawn as a figure, which has no '{}'", type.noun, words.members.front().key),
             "leave it out");
    output.members.push_back({"figure", start, usual_figure_of(output_kind(type), start)});
    return output;
  }
  Json render = json_object(start);
  if (words.find("camera") == nullptr) render.members.push_back({"camera", start, json_string("three_quarter", start)});
  for (const JsonMember& word : words.members) render.members.push_back(word);
  if (words.find("samples") == nullptr && words.find("draft") == nullptr)
    render.members.push_back({"draft", start, json_boolean(true, start)});
  output.members.push_back({"render", start, std::move(render)});
  return output;
}

}  // namespace

Json line_document(const Source& line, const LineOptions& options) {
  const Position start{&line, 1, 1};
  const Kind& type = line_kind(line);
  // What the command line's options say has no place in the line.
  const Position option;
  const Json words = output_words(options.out, "--out");
  Json document = parse_one_liner(line, {.size = options.size, .resolution = options.resolution, .seed = options.seed});
  for (const JsonMember& word : words.members) require_taker(word.key, options.outputs, type);
  const std::string last = document.find("nodes")->members.back().key;
  const auto file_name_of = [](const std::string& file) { return std::filesystem::path(file).filename().string(); };
  Json outputs = json_object(option);
  for (const std::string& file : options.outputs)
    outputs.members.push_back({file_name_of(file), option, output_of(file, last, type, words)});
  if (!options.picture.empty())
    outputs.members.push_back(
        {file_name_of(options.picture), start, picture_of(last, type, object_from_words(options.look), start)});
  document.members.push_back({"outputs", start, std::move(outputs)});
  return document;
}

}  // namespace tepui
