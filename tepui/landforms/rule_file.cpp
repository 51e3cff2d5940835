#include "tepui/landforms/rule_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/file.h"
#include "tepui/core/json.h"
#include "tepui/core/json_checks.h"
#include "tepui/landforms/rule_checks.h"

namespace tepui {

namespace {

constexpr size_t largest_file = size_t{1} << 20;
constexpr size_t most_names = 200, most_items = 64;

std::vector<std::string> names_of(RulePart part) {
  std::vector<std::string> names;
  for (const RuleKey& key : rule_keys(part)) names.emplace_back(key.name);
  return names;
}

double number_within(const Json& value, std::string_view what, double low, double high) {
  const double number = plain_number(value, what);
  if (!(number >= low && number <= high))
    refuse_at(value.at, fmt::format("{} must be from {:g} to {:g}, not {:g}", what, low, high, number));
  return number;
}

/// A number that is there, or what it is without.
double number_or(const Json& object, std::string_view key, double fallback, double low, double high) {
  const Json* value = object.find(key);
  return value != nullptr ? number_within(*value, fmt::format("\"{}\"", key), low, high) : fallback;
}

/// [low, high], or one number for both.
Interval interval_or(const Json& object, std::string_view key, Interval fallback, double low, double high) {
  const Json* value = object.find(key);
  if (value == nullptr) return fallback;
  const std::string what = fmt::format("\"{}\"", key);
  if (!value->is_array()) {
    const double both = number_within(*value, what, low, high);
    return {both, both};
  }
  if (value->items.size() != 2) refuse_at(value->at, fmt::format("{} must be a number or a list of two", what));
  const Interval found{number_within(value->items[0], what, low, high),
                       number_within(value->items[1], what, low, high)};
  if (found.low > found.high) refuse_at(value->at, fmt::format("{} runs from high to low", what));
  return found;
}

RuleNumber rock_number_or(const Json& object, std::string_view key, RuleNumber fallback, double low, double high) {
  const Json* value = object.find(key);
  if (value == nullptr) return fallback;
  const std::string what = fmt::format("\"{}\"", key);
  if (!value->is_object()) return {number_within(*value, what, low, high)};
  allow_keys(*value, names_of(RulePart::number), what);
  const double most = std::max(std::abs(low), std::abs(high));
  RuleNumber number;
  number.base = number_or(*value, "base", 0, -most, most);
  number.resistance = number_or(*value, "resistance", 0, -most, most);
  number.hardness = number_or(*value, "hardness", 0, -most, most);
  number.height = number_or(*value, "height", 0, -most, most);
  number.vary = number_or(*value, "vary", 0, 0, most);
  return number;
}

const Json& needed(const Json& object, std::string_view key, std::string_view where) {
  const Json* value = object.find(key);
  if (value == nullptr) refuse_at(object.at, fmt::format("{} has no \"{}\"", where, key));
  return *value;
}

/// Reads one file; names become indices when all of them are known.
class RuleReader {
 public:
  explicit RuleReader(const Json& document) : document_(document) {}

  RuleSet read() {
    require_object(document_, "a file of rules");
    allow_keys(document_, names_of(RulePart::set), "a file of rules");
    read_frame();
    const Json& shapes = needed(document_, "shapes", "a file of rules");
    const Json& symbols = needed(document_, "symbols", "a file of rules");
    list_names(shapes, "shapes", shapes_);
    list_names(symbols, "symbols", symbols_);
    for (const JsonMember& member : symbols.members)
      if (std::ranges::find(shapes_, member.key) != shapes_.end())
        refuse_at(member.at, fmt::format("'{}' is both a shape and a symbol", member.key), "rename one of them");
    for (const JsonMember& member : shapes.members) set_.shapes.push_back(read_shape(member));
    for (const JsonMember& member : symbols.members) set_.symbols.push_back(read_symbol(member));
    const Json& axiom = needed(document_, "axiom", "a file of rules");
    set_.axiom = index_of(axiom, symbols_, "symbol");
    return std::move(set_);
  }

 private:
  void read_frame() {
    if (const Json* about = document_.find("about")) set_.about = plain_text(*about, "\"about\"");
    set_.height = interval_or(document_, "height", set_.height, 0.1, 1000);
    set_.spacing = number_or(document_, "spacing", set_.spacing, 0.1, 1000);
    set_.slope = interval_or(document_, "slope", set_.slope, 0, 90);
    set_.size = rock_number_or(document_, "size", set_.size, 0.01, 100);
    set_.size_for_height = number_or(document_, "size_for_height", 0, 0, 1);
    const Json* limits = document_.find("limits");
    if (limits == nullptr) return;
    require_object(*limits, "\"limits\"");
    allow_keys(*limits, names_of(RulePart::limits), "\"limits\"");
    const double depth = number_or(*limits, "depth", set_.depth, 1, 1000);
    if (depth != std::floor(depth)) refuse_at(limits->find("depth")->at, "\"depth\" must be a whole number");
    set_.depth = static_cast<int>(depth);
    set_.tallest = number_or(*limits, "height", set_.tallest, 0.1, 1000);
  }

  static void list_names(const Json& object, std::string_view what, std::vector<std::string>& names) {
    require_object(object, fmt::format("\"{}\"", what));
    if (object.members.empty()) refuse_at(object.at, fmt::format("there are no {}", what));
    if (object.members.size() > most_names)
      refuse_at(object.at, fmt::format("there are more than {} {}", most_names, what));
    for (const JsonMember& member : object.members) names.push_back(member.key);
  }

  static int index_of(const Json& name, const std::vector<std::string>& names, std::string_view what) {
    const std::string word = plain_text(name, fmt::format("the name of a {}", what));
    const auto found = std::ranges::find(names, word);
    if (found == names.end())
      refuse_at(name.at, fmt::format("there is no {} '{}'", what, word), suggest_name(word, names));
    return static_cast<int>(found - names.begin());
  }

  static RuleShape read_shape(const JsonMember& member) {
    const Json& value = member.value;
    const std::string where = fmt::format("the shape '{}'", member.key);
    require_object(value, where);
    allow_keys(value, names_of(RulePart::shape), where);
    RuleShape shape;
    shape.name = member.key;
    shape.rise = number_or(value, "rise", 0, 0, 10);
    shape.step = number_or(value, "step", 0, 0, 100);
    if (shape.rise > 0 && shape.step > 0)
      refuse_at(value.at, fmt::format("{} rises by a share of its size and by metres", where),
                "keep \"rise\" or \"step\"");
    shape.radius = rock_number_or(value, "radius", shape.radius, 0, 10);
    if (!(shape.radius.highest() > 0)) refuse_at(value.at, fmt::format("{} never has a radius above 0", where));
    shape.lobes = interval_or(value, "lobes", shape.lobes, 1, 12);
    if (shape.lobes.low != std::floor(shape.lobes.low) || shape.lobes.high != std::floor(shape.lobes.high))
      refuse_at(value.find("lobes")->at, "\"lobes\" must be whole numbers");
    shape.spread = number_or(value, "spread", shape.spread, 0, 0.75);
    shape.jitter = number_or(value, "jitter", shape.jitter, 0, 1);
    shape.turn = number_or(value, "turn", shape.turn, 0, 180);
    shape.falloff = number_or(value, "falloff", shape.falloff, 1.2, 4);
    return shape;
  }

  RuleSymbol read_symbol(const JsonMember& member) const {
    const std::string where = fmt::format("the symbol '{}'", member.key);
    if (!member.value.is_array() || member.value.items.empty())
      refuse_at(member.value.at, fmt::format("{} must be a list of alternatives, at least one", where));
    if (member.value.items.size() > most_items)
      refuse_at(member.value.at, fmt::format("{} has more than {} alternatives", where, most_items));
    RuleSymbol symbol{member.key, {}};
    for (const Json& value : member.value.items) symbol.alternatives.push_back(read_alternative(value, where));
    return symbol;
  }

  RuleAlternative read_alternative(const Json& value, const std::string& where) const {
    const std::string words = fmt::format("an alternative of {}", where);
    require_object(value, words);
    allow_keys(value, names_of(RulePart::symbol), words);
    RuleAlternative alternative;
    alternative.odds = rock_number_or(value, "odds", alternative.odds, 0, 1000);
    alternative.between.low = number_or(value, "from", 0, 0, 1);
    alternative.between.high = number_or(value, "until", 1, 0, 1);
    if (!(alternative.odds.highest() > 0) || alternative.between.low >= alternative.between.high)
      refuse_at(value.at, fmt::format("{} is never chosen", words),
                "its odds must be above 0 somewhere, and \"from\" below \"until\"");
    const Json& then = needed(value, "then", words);
    if (!then.is_array()) refuse_at(then.at, "\"then\" must be a list of names and of things to grow");
    if (then.items.size() > most_items)
      refuse_at(then.at, fmt::format("there are more than {} things in \"then\"", most_items));
    for (const Json& item : then.items) alternative.then.push_back(read_item(item));
    return alternative;
  }

  RuleItem read_item(const Json& value) const {
    RuleItem item;
    if (value.is_string()) return with_name(item, value);
    require_object(value, "a thing to grow");
    allow_keys(value, names_of(RulePart::item), "a thing to grow");
    item = with_name(item, needed(value, "grow", "a thing to grow"));
    item.size = number_or(value, "size", 1, 0.01, 1);
    item.lean = rock_number_or(value, "lean", item.lean, 0, 60);
    item.aside = number_or(value, "aside", 0, 0, 10);
    return item;
  }

  RuleItem with_name(RuleItem item, const Json& name) const {
    const std::string word = plain_text(name, "the name of a shape or symbol");
    const auto shape = std::ranges::find(shapes_, word);
    item.is_shape = shape != shapes_.end();
    if (item.is_shape) {
      item.which = static_cast<int>(shape - shapes_.begin());
      return item;
    }
    std::vector<std::string> all = symbols_;
    all.insert(all.end(), shapes_.begin(), shapes_.end());
    item.which =
        index_of(name, std::ranges::find(symbols_, word) != symbols_.end() ? symbols_ : all, "shape or symbol");
    return item;
  }

  const Json& document_;
  RuleSet set_;
  std::vector<std::string> shapes_, symbols_;
};

}  // namespace

RuleSet parse_rules(std::string_view text, const std::string& name) {
  const Source source{name, std::string(text)};
  const Json document = parse_json(source);
  RuleSet set = RuleReader(document).read();
  check_rules(set, document);
  return set;
}

RuleSet read_rules(const std::string& path) { return parse_rules(read_file(path, largest_file), path); }

}  // namespace tepui
