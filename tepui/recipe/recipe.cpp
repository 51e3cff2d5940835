#include "tepui/recipe/recipe.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/recipe/stages.h"

namespace tepui {

namespace {

constexpr size_t largest_recipe = size_t{8} << 20;

/// How far the number at the start of the text goes; a dot that no digit follows is not its part.
size_t number_length(std::string_view text) {
  const auto digits = [&](size_t i) {
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i;
  };
  size_t end = digits(0);
  if (end < text.size() && text[end] == '.' && digits(end + 1) > end + 1) end = digits(end + 1);
  if (end == 0 || end == text.size() || text[end] != 'e') return end;
  const size_t sign = end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+') ? 1 : 0;
  return digits(end + 1 + sign) > end + 1 + sign ? digits(end + 1 + sign) : end;
}

}  // namespace

Reference Recipe::reference(const std::string& text, Position at) const {
  const size_t name_end = text.find_first_of(".@");
  const std::string node_name = text.substr(0, name_end);
  int node = find_node(node_name);
  if (node < 0) {
    std::vector<std::string> known;
    for (const Node& candidate : nodes)
      if (candidate.whole < 0) known.push_back(candidate.name);
    refuse_at(at, fmt::format("there is no node '{}'", node_name), suggest_name(node_name, known));
  }
  std::string rest = name_end == std::string::npos ? "" : text.substr(name_end);
  if (rest.starts_with('@')) {
    const size_t length = number_length(std::string_view(rest).substr(1));
    const size_t end = length == 0 ? std::min(rest.find('.'), rest.size()) : length + 1;
    const bool whole_word = end == rest.size() || rest[end] == '.';
    node = find_stage(*this, node, whole_word ? rest.substr(1, end - 1) : rest.substr(1), at);
    rest.erase(0, end);
  }
  if (rest == ".") refuse_at(at, fmt::format("'{}' does not name its layer", text));
  return {node, rest.empty() ? "" : rest.substr(1), at};
}

Source read_recipe(const std::string& path) { return {path, read_file(path, largest_recipe)}; }

Recipe load_recipe(const std::string& path, const Overrides& overrides) {
  return parse_recipe(read_recipe(path), overrides);
}

Recipe parse_recipe(Source source, const Overrides& overrides) {
  Problems first;
  return parse_recipe(std::move(source), overrides, first);
}

Recipe parse_recipe(Source source, const Overrides& overrides, Problems& problems) {
  auto kept = std::make_shared<const Source>(std::move(source));
  Json document;
  if (!problems.attempt([&] { document = parse_json(*kept); })) return {};
  return build_recipe(std::move(document), {kept}, overrides, problems);
}

}  // namespace tepui
