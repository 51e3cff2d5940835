#include "apps/tepui/words.h"

#include <algorithm>
#include <set>

#include "apps/tepui/land.h"

namespace tepui::app {

namespace {

/// The variables of the recipes that the sources name.
std::set<std::string> variables_of(const std::vector<std::string>& sources, bool& any_recipe) {
  std::set<std::string> names;
  for (const std::string& source : sources) {
    const std::optional<Json> document = recipe_document(source.substr(0, source.find('#')));
    any_recipe |= document.has_value();
    const Json* vars = document ? document->find("vars") : nullptr;
    if (vars == nullptr) continue;
    for (const JsonMember& member : vars->members) names.insert(member.key);
  }
  return names;
}

}  // namespace

void part_words(std::vector<std::string>& set, std::vector<std::string>& look, const std::vector<std::string>& sources,
                const ParamTable& drawn) {
  bool any_recipe = false;
  const std::set<std::string> variables = variables_of(sources, any_recipe);
  std::vector<std::string> of_recipe;
  for (std::string& word : set) {
    const std::string name = word.substr(0, word.find('='));
    const bool is_variable = variables.contains(name), is_drawn = drawn.find(name) >= 0;
    if (is_drawn || (!is_variable && !(any_recipe && name.find('.') != std::string::npos))) look.push_back(word);
    if (is_variable || (any_recipe && !is_drawn && name.find('.') != std::string::npos))
      of_recipe.push_back(std::move(word));
  }
  set = std::move(of_recipe);
}

}  // namespace tepui::app
