#include "tepui/core/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/number.h"

namespace tepui {

namespace {

bool is_within(const Range& range, double value) {
  return range.open ? value > range.low && value < range.high : value >= range.low && value <= range.high;
}

std::string bounds_text(const Range& range, std::string_view unit) {
  if (std::isinf(range.high)) return fmt::format("{} {:g}{}", range.open ? "more than" : "at least", range.low, unit);
  if (std::isinf(range.low)) return fmt::format("{} {:g}{}", range.open ? "less than" : "at most", range.high, unit);
  if (range.open) return fmt::format("between {:g} and {:g}{}, both excluded", range.low, range.high, unit);
  return fmt::format("from {:g} to {:g}{}", range.low, range.high, unit);
}

/// Empty where the value is within the field's range.
std::string what_it_must_be(const Field& field, double value, std::string_view unit) {
  if (is_within(field.range, value)) return {};
  return bounds_text(field.range, unit) + (field.automatic ? ", or auto" : "");
}

void check_number(const Field& field, double value, std::string_view unit) {
  if (!std::isfinite(value)) refuse(fmt::format("'{}' must be a finite number", field.name));
  const std::string right = what_it_must_be(field, value, unit);
  if (!right.empty()) refuse(fmt::format("'{}' is {:g}{}, but must be {}", field.name, value, unit, right));
}

std::string unit_suffix(const Field& field) { return field.unit.empty() ? "" : " " + field.unit; }

struct RangeCheck {
  const Field& field;

  void operator()(int64_t v) const { check_number(field, static_cast<double>(v), unit_suffix(field)); }
  void operator()(double v) const { check_number(field, v, unit_suffix(field)); }
  void operator()(const Length& v) const { check_number(field, v.value, v.percent ? " %" : " m"); }
  void operator()(const Angle& v) const { check_number(field, v.degrees, " deg"); }
  void operator()(const Interval& v) const {
    check_number(field, v.low, unit_suffix(field));
    check_number(field, v.high, unit_suffix(field));
    if (v.low > v.high) upside_down();
    if (v.low == v.high) say_auto("has two equal ends");
  }
  void operator()(const LengthInterval& v) const {
    (*this)(v.low);
    (*this)(v.high);
    if (v.low.percent == v.high.percent && v.low.value > v.high.value) upside_down();
    if (v.low == v.high) say_auto("has two equal ends");
  }
  void operator()(const std::string& v) const {
    if (v.empty()) say_auto("is empty");
  }
  void operator()(const Vec2& v) const { all({v.x, v.y}); }
  void operator()(const Vec3& v) const { all({v.x, v.y, v.z}); }
  void operator()(const std::vector<double>& v) const {
    if (v.empty()) say_auto("is empty");
    Field item = field;
    for (size_t i = 0; i < v.size(); ++i) {
      item.name = fmt::format("{}[{}]", field.name, i);
      check_number(item, v[i], unit_suffix(field));
    }
  }
  void operator()(const Curve& v) const {
    for (size_t i = 0; i < v.points.size(); ++i) {
      if (!std::isfinite(v.points[i].x) || !std::isfinite(v.points[i].y))
        refuse(fmt::format("'{}' must hold finite numbers", field.name));
      if (i > 0 && v.points[i].x <= v.points[i - 1].x)
        refuse(fmt::format("the first number of each point of '{}' must be larger than that of the point before",
                           field.name));
    }
    if (v.points.size() == 1) refuse(fmt::format("'{}' needs at least two points", field.name));
  }
  void operator()(const Records& v) const {
    const std::string right = what_it_must_be(field, static_cast<double>(v.rows.size()), "");
    if (!right.empty()) refuse(fmt::format("'{}' has {} records, but must have {}", field.name, v.rows.size(), right));
    for (size_t row = 0; row < v.rows.size(); ++row)
      for (size_t column = 0; column < v.rows[row].values.size(); ++column)
        check_range(record_field(field, row, column), v.rows[row].values[column]);
  }
  void operator()(const Automatic&) const {
    if (!field.automatic) refuse(fmt::format("'{}' cannot be auto", field.name));
  }
  template <class Other>
  void operator()(const Other&) const {}

  /// What says nothing would only look like a value.
  void say_auto(const char* what) const {
    if (field.automatic)
      refuse(fmt::format("'{}' {}", field.name, what), fmt::format("remove it, or write {}", automatic_text));
  }
  void all(const std::vector<double>& values) const {
    for (const double v : values) check_number(field, v, unit_suffix(field));
  }
  [[noreturn]] void upside_down() const {
    refuse(fmt::format("'{}' goes from high to low", field.name), "write the smaller value first");
  }
};

struct HashVisitor {
  Hasher& hasher;
  const Field& field;

  void operator()(bool v) const { hasher.add(v); }
  void operator()(int64_t v) const { hasher.add(v); }
  void operator()(double v) const { hasher.add(v); }
  void operator()(const Length& v) const { hasher.add(v.value).add(v.percent); }
  void operator()(const Angle& v) const { hasher.add(v.degrees); }
  void operator()(const Interval& v) const { hasher.add(v.low).add(v.high); }
  void operator()(const LengthInterval& v) const {
    (*this)(v.low);
    (*this)(v.high);
  }
  void operator()(const Choice& v) const { hasher.add(field.choices.at(static_cast<size_t>(v.index))); }
  void operator()(const std::string& v) const { hasher.add(v); }
  void operator()(const Vec2& v) const { hasher.add(v.x).add(v.y); }
  void operator()(const Vec3& v) const { hasher.add(v.x).add(v.y).add(v.z); }
  void operator()(const std::vector<double>& v) const {
    hasher.add(static_cast<int64_t>(v.size()));
    for (const double d : v) hasher.add(d);
  }
  void operator()(const Curve& v) const {
    hasher.add(static_cast<int64_t>(v.points.size()));
    for (const Vec2& p : v.points) (*this)(p);
  }
  void operator()(const Colour& v) const { hasher.add(v.r).add(v.g).add(v.b); }
  // The evaluator adds the file's contents.
  void operator()(const FilePath& v) const { hasher.add(v.path.empty()); }
  void operator()(const Seed& v) const { hasher.add(v.node).add(v.recipe); }
  void operator()(const Records& v) const {
    hasher.add(static_cast<int64_t>(v.rows.size()));
    for (const Record& record : v.rows)
      for (size_t i = 0; i < record.values.size(); ++i) hash_param(hasher, field.record->fields[i], record.values[i]);
  }
  // hash_param has told it already.
  void operator()(const Automatic&) const {}
};

struct TextVisitor {
  const Field& field;

  std::string operator()(bool v) const { return v ? "true" : "false"; }
  std::string operator()(int64_t v) const { return fmt::format("{}", v); }
  std::string operator()(double v) const { return fmt::format("{}", v); }
  std::string operator()(const Length& v) const { return fmt::format("{}{}", v.value, v.percent ? "%" : ""); }
  std::string operator()(const Angle& v) const { return fmt::format("{}", v.degrees); }
  std::string operator()(const Interval& v) const {
    return v.low == v.high ? (*this)(v.low) : fmt::format("{}..{}", v.low, v.high);
  }
  std::string operator()(const LengthInterval& v) const {
    return v.low == v.high ? (*this)(v.low) : (*this)(v.low) + ".." + (*this)(v.high);
  }
  std::string operator()(const Choice& v) const { return field.choices.at(static_cast<size_t>(v.index)); }
  std::string operator()(const std::string& v) const { return v; }
  std::string operator()(const Vec2& v) const { return fmt::format("[{}, {}]", v.x, v.y); }
  std::string operator()(const Vec3& v) const { return fmt::format("[{}, {}, {}]", v.x, v.y, v.z); }
  std::string operator()(const std::vector<double>& v) const { return fmt::format("[{}]", fmt::join(v, ", ")); }
  std::string operator()(const Curve& v) const {
    std::vector<std::string> points;
    for (const Vec2& p : v.points) points.push_back((*this)(p));
    return fmt::format("[{}]", fmt::join(points, ", "));
  }
  std::string operator()(const Colour& v) const {
    const auto byte = [](double c) { return static_cast<int>(c * 255 + 0.5); };
    return fmt::format("#{:02x}{:02x}{:02x}", byte(v.r), byte(v.g), byte(v.b));
  }
  std::string operator()(const FilePath& v) const { return v.path; }
  std::string operator()(const Seed& v) const { return fmt::format("{}", v.node); }
  std::string operator()(const Records& v) const {
    std::vector<std::string> records;
    for (const Record& record : v.rows) {
      std::vector<std::string> parts;
      for (size_t i = 0; i < record.values.size(); ++i)
        parts.push_back(param_text(field.record->fields[i], record.values[i]));
      records.push_back(fmt::format("{}", fmt::join(parts, ":")));
    }
    return records.empty() ? "[]" : fmt::format("{}", fmt::join(records, ","));
  }
  std::string operator()(const Automatic&) const { return std::string(automatic_text); }
};

/// Names beyond this are no misspellings, and comparing them is not worth its square cost.
constexpr size_t longest_name = 64;
constexpr size_t most_names = 30;

/// Damerau-Levenshtein distance (optimal string alignment).
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i)
    for (size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string_view param_type_name(ParamType type) {
  static constexpr std::string_view names[] = {"boolean",         "integer", "number", "length", "angle",  "interval",
                                               "length interval", "choice",  "text",   "vec2",   "vec3",   "list",
                                               "curve",           "colour",  "file",   "seed",   "records"};
  return names[static_cast<size_t>(type)];
}

std::string_view reach_name(Reach reach) {
  static constexpr std::string_view names[] = {"point", "window", "whole"};
  return names[static_cast<size_t>(reach)];
}

int ParamTable::find(std::string_view name) const {
  for (size_t i = 0; i < fields.size(); ++i)
    if (fields[i].name == name) return static_cast<int>(i);
  return -1;
}

bool operator==(const Records& a, const Records& b) { return a.rows == b.rows; }

std::shared_ptr<const ParamTable> detail::record_table(const ParamTable& table) {
  for (const Field& field : table.fields)
    if (field.type == ParamType::file || field.type == ParamType::seed || field.type == ParamType::records)
      fail(fmt::format("a record cannot hold '{}', {}", field.name, param_type_name(field.type)));
  return std::make_shared<const ParamTable>(table);
}

Field record_field(const Field& field, size_t row, size_t column) {
  Field inner = field.record->fields[column];
  inner.name = fmt::format("{}[{}].{}", field.name, row, inner.name);
  return inner;
}

void check_range(const Field& field, const ParamValue& value) { std::visit(RangeCheck{field}, value); }

void hash_param(Hasher& hasher, const Field& field, const ParamValue& value) {
  hasher.add(field.name).add(param_type_name(field.type));
  if (field.automatic) hasher.add(std::holds_alternative<Automatic>(value));
  std::visit(HashVisitor{hasher, field}, value);
}

std::string param_text(const Field& field, const ParamValue& value) { return std::visit(TextVisitor{field}, value); }

std::string range_text(const Field& field) {
  if (field.type == ParamType::choice) return fmt::format("{}", fmt::join(field.choices, ", "));
  const bool low = std::isfinite(field.range.low), high = std::isfinite(field.range.high);
  if (field.type == ParamType::records && low && high)
    return fmt::format("{:g} to {:g} of them", field.range.low, field.range.high);
  const bool open = field.range.open;
  if (low && high) return fmt::format("{:g} to {:g}{}", field.range.low, field.range.high, open ? ", excluded" : "");
  if (low) return fmt::format("{} {:g}", open ? "more than" : "at least", field.range.low);
  return high ? fmt::format("{} {:g}", open ? "less than" : "at most", field.range.high) : "";
}

std::string reach_text(const ParamTable& table) {
  std::string text(reach_name(table.reach));
  if (!table.reach_radius.empty()) text += fmt::format(" of '{}'", table.reach_radius);
  if (!table.reach_else.empty()) text += "; " + table.reach_else;
  return text;
}

Length parse_length(std::string_view text) {
  static constexpr std::pair<std::string_view, double> units[] = {{"%", 0},      {"km", 1000}, {"cm", 0.01},
                                                                  {"mm", 0.001}, {"m", 1},     {"", 1}};
  for (const auto& [unit, factor] : units) {
    if (!text.ends_with(unit)) continue;
    const std::optional<double> number = parse_number(text.substr(0, text.size() - unit.size()));
    if (!number) break;
    return factor == 0 ? percent(*number) : metres(*number * factor);
  }
  refuse(fmt::format("'{}' is not a length", text),
         "write metres as 350, 350m or 1.2km, or 10% of the world's shorter side");
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  if (name.size() > longest_name) return {};
  std::string best;
  size_t best_distance = std::max<size_t>(2, name.size() / 3) + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() > longest_name) continue;
    const size_t distance = edit_distance(name, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

/// What had another name in earlier versions.
constexpr std::pair<std::string_view, std::string_view> renamed[] = {{"palette", "biome"}};

std::string suggest_name(std::string_view name, const std::vector<std::string>& known) {
  for (const auto& [former, now] : renamed)
    if (name == former && std::ranges::find(known, now) != known.end())
      return fmt::format("it is called '{}' now", now);
  const std::string near = nearest_name(name, known);
  if (!near.empty()) return fmt::format("did you mean '{}'?", near);
  if (known.empty()) return "there is none";
  const auto last = known.begin() + static_cast<std::ptrdiff_t>(std::min(known.size(), most_names));
  return fmt::format("there is {}{}", fmt::join(known.begin(), last, ", "), last == known.end() ? "" : ", ...");
}

}  // namespace tepui
