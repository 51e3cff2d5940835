#include "tepui/recipe/stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/number.h"
#include "tepui/recipe/operators.h"
#include "tepui/recipe/param_json.h"

namespace tepui {

namespace {

bool is_end(const Field& field) { return field.age == AgeRole::end; }

size_t start_field(const Operator& op) {
  return static_cast<size_t>(std::ranges::find(op.params.fields, AgeRole::start, &Field::age) -
                             op.params.fields.begin());
}

/// Whether a stage can start from the one before; else each starts from the input.
bool goes_on(const Operator& op) { return start_field(op) < op.params.fields.size(); }

double number_of(const ParamValue& value) {
  if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* length = std::get_if<Length>(&value)) return length->value;
  return std::get<double>(value);
}

void set_number(ParamValue& value, double number) {
  if (std::holds_alternative<int64_t>(value))
    value = static_cast<int64_t>(number);
  else if (std::holds_alternative<Length>(value))
    value = Length{number, std::get<Length>(value).percent};
  else
    value = number;
}

bool is_given(const ParamValue& value) { return !std::holds_alternative<Automatic>(value); }

/// Of several ends the last that is not "auto" counts.
size_t end_field(const Operator& op, const std::vector<ParamValue>& params) {
  const std::vector<Field>& fields = op.params.fields;
  for (size_t i = fields.size(); i-- > 0;)
    if (is_end(fields[i]) && is_given(params[i])) return i;
  return fields.size();
}

std::string operators_with_ages() {
  std::vector<std::string> names;
  for (const Operator& op : operators())
    if (has_ages(op)) names.push_back(op.name);
  return fmt::format("operators with stages: {}", fmt::join(names, ", "));
}

/// What the node says of ages, defaults for the rest. What "every" counts must be clear.
std::vector<ParamValue> ages_from_json(const Operator& op, const Json& node,
                                       const std::function<Json(const Json&)>& resolve) {
  std::vector<ParamValue> params;
  const Field* first = nullptr;
  for (const Field& field : op.params.fields) {
    params.push_back(field.fallback);
    const Json* given = field.age == AgeRole::none ? nullptr : node.find(field.name);
    if (given == nullptr) continue;
    params.back() = param_from_json(field, resolve(*given));
    if (!is_end(field) || !is_given(params.back()) || !(number_of(params.back()) > 0)) continue;
    if (first != nullptr)
      refuse_at(given->at,
                fmt::format("both '{}' and '{}' are given, so \"every\" could count either", first->name, field.name),
                "leave one out");
    first = &field;
  }
  return params;
}

bool is_percent(const ParamValue& value) {
  const auto* length = std::get_if<Length>(&value);
  return length != nullptr && length->percent;
}

/// In the unit of the end, or the two could not be compared without the land.
double age_from_json(const Field& end, const ParamValue& age, const Json& every) {
  Field field = end;
  field.name = every_key;
  field.automatic = false;
  field.range = open_range(0, std::numeric_limits<double>::infinity());
  const ParamValue own = param_from_json(field, every);
  if (is_percent(own) != is_percent(age))
    refuse_at(every.at, fmt::format("\"every\" must be in {}, like '{}', which is {}",
                                    is_percent(age) ? "per cent" : "metres", end.name, param_text(end, age)));
  return number_of(own);
}

/// "1,3,10", as typed in a line, is a list.
Json as_list(const Json& every) {
  if (!every.is_string() || every.text.find(',') == std::string::npos) return every;
  std::vector<Json> ages;
  for (size_t begin = 0; begin <= every.text.size();) {
    const size_t end = std::min(every.text.find(',', begin), every.text.size());
    ages.push_back(parse_word(every.text.substr(begin, end - begin), every.at));
    begin = end + 1;
  }
  return json_list(std::move(ages), every.at);
}

/// Ages that are told one by one.
std::vector<double> listed_ages(const Field& end_field, const ParamValue& end_age, const Json& list, double start,
                                double end) {
  if (list.items.empty()) refuse_at(list.at, "the list of stages is empty", "leave \"every\" out");
  if (list.items.size() > most_stages)
    refuse_at(list.at, fmt::format("that makes {} stages; a node has at most {}", list.items.size(), most_stages));
  std::vector<double> ages;
  if (start < end) ages.push_back(start);
  for (const Json& item : list.items) {
    const double age = age_from_json(end_field, end_age, item);
    if (!(age > (ages.empty() ? start : ages.back()) && age <= end))
      refuse_at(item.at, fmt::format("stages must be in increasing order between {} and {}", start, end));
    ages.push_back(age);
  }
  if (ages.back() < end) ages.push_back(end);
  return ages;
}

/// The k-th multiple of the step as a person would write it: 0.3, not 0.30000000000000004.
double multiple(double step, double k, bool whole) {
  return whole ? k * step : *parse_number(fmt::format("{:.12g}", k * step));
}

}  // namespace

bool has_ages(const Operator& op) {
  const auto counts = [](const Field& field) { return is_end(field) && !field.automatic; };
  return std::ranges::any_of(op.params.fields, counts);
}

std::vector<double> stage_ages(const Operator& op, const Json& node, const std::function<Json(const Json&)>& resolve) {
  if (op.params.find(every_key) >= 0) return {};
  const Json every = as_list(resolve(*node.find(every_key)));
  if (!has_ages(op))
    refuse_at(every.at, fmt::format("'{}' does not age land, so \"every\" does not apply to it", op.name),
              operators_with_ages());
  const std::vector<ParamValue> params = ages_from_json(op, node, resolve);
  const size_t counting = end_field(op, params);
  const Field& field = op.params.fields[counting];
  const double start = goes_on(op) ? number_of(params[start_field(op)]) : 0, end = number_of(params[counting]);
  if (every.is_array()) return listed_ages(field, params[counting], every, start, end);
  const double step = age_from_json(field, params[counting], every);
  if (!((end - start) / step <= static_cast<double>(most_stages)))
    refuse_at(
        every.at, fmt::format("that makes {:.0f} stages; a node has at most {}", (end - start) / step, most_stages),
        fmt::format("use an \"every\" of at least {:.3g}", 1.01 * (end - start) / static_cast<double>(most_stages)));
  std::vector<double> ages;
  if (start < end) ages.push_back(start);
  const bool whole = field.type == ParamType::integer;
  for (size_t i = 0; i <= most_stages; ++i) {
    const double age = multiple(step, std::floor(start / step) + static_cast<double>(i), whole);
    if (age > start && age < end) ages.push_back(age);
  }
  ages.push_back(end);
  return ages;
}

std::string stage_name(std::string_view node, double age) { return fmt::format("{}@{}", node, age); }

void add_node(Graph& graph, const std::string& name, Position at, const std::vector<double>& ages) {
  const int whole = static_cast<int>(graph.nodes.size() + (ages.empty() ? 0 : ages.size() - 1));
  Node node{name, nullptr, {}, {}, at};
  for (size_t i = 0; i + 1 < ages.size(); ++i) {
    node.stages.push_back(static_cast<int>(graph.nodes.size()));
    Node stage{stage_name(name, ages[i]), nullptr, {}, {}, at};
    stage.age = ages[i];
    stage.whole = whole;
    graph.nodes.push_back(std::move(stage));
  }
  if (!ages.empty()) {
    node.stages.push_back(whole);
    node.age = ages.back();
  }
  graph.nodes.push_back(std::move(node));
}

void divide(Graph& graph, int node) {
  const Node whole = graph.nodes[static_cast<size_t>(node)];
  if (whole.stages.empty()) return;
  const Operator& op = *whole.op;
  const size_t end = end_field(op, whole.params), start = start_field(op);
  const auto port = static_cast<size_t>(std::ranges::find(op.inputs, op.output, &Port::kind) - op.inputs.begin());
  for (size_t k = 0; k < whole.stages.size(); ++k) {
    Node& stage = graph.nodes[static_cast<size_t>(whole.stages[k])];
    stage.op = &op;
    stage.inputs = whole.inputs;
    stage.params = whole.params;
    set_number(stage.params[end], stage.age);
    // The first one shows the land as it starts, the second starts like it.
    if (k < 2 || !goes_on(op)) continue;
    const int before = whole.stages[k - 1];
    set_number(stage.params[start], graph.nodes[static_cast<size_t>(before)].age);
    stage.inputs[port] = {Reference{before, "", whole.at}};
  }
}

int find_stage(const Graph& graph, int node, std::string_view age, Position at) {
  const Node& whole = graph.nodes[static_cast<size_t>(node)];
  const std::vector<int>& stages = require_stages(graph, {node, "", at});
  const std::optional<double> wanted = parse_number(age);
  std::vector<std::string> ages;
  for (const int stage : stages) {
    const double own = graph.nodes[static_cast<size_t>(stage)].age;
    if (wanted && *wanted == own) return stage;
    ages.push_back(fmt::format("{}", own));
  }
  constexpr size_t most_listed = 12;
  if (ages.size() > most_listed) {
    ages[most_listed - 2] = "...";
    ages.erase(ages.begin() + most_listed - 1, ages.end() - 1);
  }
  refuse_at(at, fmt::format("node '{}' does not stop at '{}'", whole.name, age),
            fmt::format("its stages: {}", fmt::join(ages, ", ")));
}

const std::vector<int>& require_stages(const Graph& graph, const Reference& node) {
  const Node& whole = graph.nodes[static_cast<size_t>(node.node)];
  if (whole.stages.empty())
    refuse_at(node.at, fmt::format("node '{}' has no stages", whole.name),
              has_ages(*whole.op) ? fmt::format("give it \"{}\"", every_key) : operators_with_ages());
  return whole.stages;
}

std::string age_text(const Graph& graph, int stage) {
  const Node& node = graph.nodes[static_cast<size_t>(stage)];
  const Node& whole = node.whole < 0 ? node : graph.nodes[static_cast<size_t>(node.whole)];
  const size_t end = end_field(*whole.op, whole.params);
  const Field& field = whole.op->params.fields[end];
  const std::string unit = is_percent(whole.params[end]) ? "%" : field.unit;
  return fmt::format("{} {}", node.age, unit.empty() ? field.name : unit);
}

}  // namespace tepui
