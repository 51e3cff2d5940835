#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "tepui/core/frame.h"
#include "tepui/core/random.h"
#include "tepui/core/vec.h"

// How an operator describes its parameters, once, for every reader: command line, recipe parser, JSON Schema, reference
// pages.

namespace tepui {

/// A length in metres, or as a share of the world's shorter side, so that a larger world keeps its look.
struct Length {
  double value = 0;
  bool percent = false;

  double in(const Frame& frame) const { return percent ? value * 0.01 * frame.shorter_side() : value; }
  friend bool operator==(const Length&, const Length&) = default;
};
constexpr Length metres(double value) { return {value, false}; }
constexpr Length percent(double value) { return {value, true}; }

/// From `low` to `high`; one number stands for both.
struct Interval {
  double low = 0, high = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};
struct LengthInterval {
  Length low, high;
  friend bool operator==(const LengthInterval&, const LengthInterval&) = default;
};

/// Degrees at the surface.
struct Angle {
  double degrees = 0;
  friend bool operator==(const Angle&, const Angle&) = default;
};

/// The index of one of a field's choices.
struct Choice {
  int index = 0;
  friend bool operator==(const Choice&, const Choice&) = default;
};

/// Control points (x, y) with increasing x; evaluated with core/curve.h.
struct Curve {
  std::vector<Vec2> points;
  friend bool operator==(const Curve&, const Curve&) = default;
};

/// sRGB in [0, 1].
struct Colour {
  double r = 0, g = 0, b = 0;
  friend bool operator==(const Colour&, const Colour&) = default;
};

/// A file; relative to the recipe until the evaluator has resolved it. Its contents, not its name, enter the node's
/// key.
struct FilePath {
  std::string path;
  friend bool operator==(const FilePath&, const FilePath&) = default;
};

/// A list of records: a params struct's `std::vector<Bed>`, where `describe(Fields<Bed>&)` tells of one bed.
struct Record;
struct Records {
  std::vector<Record> rows;
};
bool operator==(const Records& a, const Records& b);

/// What a parameter has instead of a value where it is left to Tepui: users write "auto". Only a `std::optional` of a
/// params struct can have it.
struct Automatic {
  friend bool operator==(const Automatic&, const Automatic&) = default;
};
inline constexpr std::string_view automatic_text = "auto";

/// The closed set of parameter types.
enum class ParamType {
  boolean,
  integer,
  number,
  length,
  angle,
  interval,
  length_interval,
  choice,
  text,
  vec2,
  vec3,
  list,
  curve,
  colour,
  file,
  seed,
  records
};

using ParamValue = std::variant<bool, int64_t, double, Length, Angle, Interval, LengthInterval, Choice, std::string,
                                Vec2, Vec3, std::vector<double>, Curve, Colour, FilePath, Seed, Records, Automatic>;

/// One value per field of the record.
struct Record {
  std::vector<ParamValue> values;
  friend bool operator==(const Record&, const Record&) = default;
};

std::string_view param_type_name(ParamType type);

/// Bounds, both included unless it is open. Of a length: metres, or per cent where the value is in per cent. Of
/// records: how many.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open = false;
};

/// At least zero.
inline constexpr Range not_negative{0};
/// Between the bounds, which are excluded.
constexpr Range open_range(double low, double high) { return {low, high, true}; }

struct ParamTable;

/// What a parameter means to an operator that may stop and go on later with the same result.
enum class AgeRole {
  none,
  end,    ///< the age of the land at which the run ends
  start,  ///< the age that it has already
};

/// One parameter, as every reader sees it.
struct Field {
  std::string name;
  ParamType type = ParamType::number;
  ParamValue fallback;
  Range range;       ///< a value outside is an error
  Range slider;      ///< what a slider offers; within `range`
  std::string unit;  ///< "m", "deg", "" for none
  std::string doc;
  std::vector<std::string> choices;
  bool automatic = false;          ///< it may be "auto": a std::optional of the struct
  bool sea_level = false;          ///< auto: the world's, where it has a sea; the evaluator puts it in
  std::string when;                ///< "by=noise": read only where that other field has that value; empty: always
  std::vector<std::string> sweep;  ///< of a main parameter: three values, as typed, that show what it does
  AgeRole age = AgeRole::none;
  std::shared_ptr<const ParamTable> record;  ///< of a list of records: what one holds
};

/// How far an operator looks: what a tile or another resolution can promise (docs/conventions.md).
enum class Reach { point, window, whole };
std::string_view reach_name(Reach reach);

/// How many samples on each side of a sample its value depends on.
struct Halo {
  int64_t x = 0, y = 0;
  friend bool operator==(const Halo&, const Halo&) = default;
};

/// All that is known of an operator's parameters.
struct ParamTable {
  std::string about;
  Reach reach = Reach::whole;  ///< where the parameters do not say otherwise
  std::string reach_radius;    ///< of a window: the field that is its radius; empty: a few cells
  std::string reach_else;      ///< when it is another: "whole with normalise=samples"; empty: never
  std::string example;         ///< a line of operators that shows this one, written {}; empty: example.h chooses
  std::vector<Field> fields;

  int find(std::string_view name) const;  ///< index, or -1
};

/// Collects the description of the parameter struct P: `void describe(Fields<P>& f)`.
template <class P>
class Fields;

namespace detail {

/// How a member of a params struct is held in a ParamValue, and back.
template <class M>
struct Stored {
  static constexpr bool automatic = false;
  using Type = std::conditional_t<std::is_enum_v<M>, Choice, std::conditional_t<std::is_same_v<M, int>, int64_t, M>>;
  static Type from(const M& member) {
    if constexpr (std::is_enum_v<M>)
      return Choice{static_cast<int>(member)};
    else
      return static_cast<Type>(member);
  }
  static M to(const Type& value) {
    if constexpr (std::is_enum_v<M>)
      return static_cast<M>(value.index);
    else
      return static_cast<M>(value);
  }
};
template <class T>
requires(!std::is_same_v<T, double>) struct Stored<std::vector<T>> {
  static constexpr bool automatic = false;
  using Type = Records;
  static const Fields<T>& fields() {
    static const Fields<T> all = [] {
      Fields<T> f;
      describe(f);
      return f;
    }();
    return all;
  }
  static Records from(const std::vector<T>& members) {
    Records list;
    for (const T& member : members) list.rows.push_back({fields().values(member)});
    return list;
  }
  static std::vector<T> to(const Records& list) {
    std::vector<T> members;
    for (const Record& record : list.rows) members.push_back(fields().make(record.values));
    return members;
  }
};

/// Nothing is "auto".
template <class T>
struct Stored<std::optional<T>> : Stored<T> {
  static constexpr bool automatic = true;
};

template <class M>
ParamValue value_of(const M& member) {
  return Stored<M>::from(member);
}
template <class T>
ParamValue value_of(const std::optional<T>& member) {
  if (member) return Stored<T>::from(*member);
  return Automatic{};
}
template <class M>
void set_member(M& member, const ParamValue& value) {
  member = Stored<M>::to(std::get<typename Stored<M>::Type>(value));
}
template <class T>
void set_member(std::optional<T>& member, const ParamValue& value) {
  member.reset();
  if (!std::holds_alternative<Automatic>(value)) set_member(member.emplace(), value);
}

/// Unless a field says less.
inline constexpr double most_records = 1000;

/// The description of a record; throws where it holds what a record cannot: files, seeds, other records.
std::shared_ptr<const ParamTable> record_table(const ParamTable& table);

}  // namespace detail

template <class P>
class Fields {
 public:
  /// Returned by operator(), to add what most fields do not need.
  class Entry {
   public:
    explicit Entry(Field& field) : field_(&field) {}
    Entry& slider(double low, double high) { return field_->slider = {low, high}, *this; }
    Entry& unit(std::string text) { return field_->unit = std::move(text), *this; }
    /// A main parameter: the reference pages show the operator with each of these.
    Entry& sweep(std::string first, std::string second, std::string third) {
      return field_->sweep = {std::move(first), std::move(second), std::move(third)}, *this;
    }
    /// The age at which the run ends. Of several such fields the last that is not "auto" counts.
    Entry& age() { return field_->age = AgeRole::end, *this; }
    /// The age that the land has already, a number in the measure of the `age` that counts: from 0 to a, and on from a
    /// to b, must give the very land that 0 to b gives.
    Entry& start_age() { return field_->age = AgeRole::start, *this; }
    /// Of a `std::optional<double>`: where it is auto and the world has a sea, the operator is given its level.
    Entry& sea_level() { return field_->sea_level = true, *this; }

   private:
    Field* field_;
  };

  void about(std::string text) { table_.about = std::move(text); }
  void reach(Reach reach) { table_.reach = reach; }
  /// The reach of a window: how many samples on each side, on land that lies as the frame says. `radius` names the
  /// field that is the radius, where one is.
  void window(std::function<Halo(const P& params, const Frame& frame)> halo, std::string radius = {}) {
    table_.reach = Reach::window;
    table_.reach_radius = std::move(radius);
    halo_ = std::move(halo);
  }
  /// A reach that follows from the parameters; `words` say when it is another than the usual one.
  void reach_by(std::function<Reach(const P& params)> reach, std::string words) {
    table_.reach_else = std::move(words);
    reach_ = std::move(reach);
  }

  /// The line that shows the operator at its best, "noise | {} terraces=6": {} is the operator, at its defaults but for
  /// what follows.
  void example(std::string line) { table_.example = std::move(line); }

  template <class M>
  Entry operator()(std::string name, M P::*member, Range range, std::string doc) {
    return add(std::move(name), member, range, std::move(doc), {});
  }
  template <class M>
  Entry operator()(std::string name, M P::*member, std::string doc) {
    return add(std::move(name), member, {}, std::move(doc), {});
  }
  /// An enumeration; the names are those of its values 0, 1, 2, ...
  template <class M>
  Entry operator()(std::string name, M P::*member, std::vector<std::string> choices, std::string doc) {
    static_assert(std::is_same_v<typename detail::Stored<M>::Type, Choice>);
    return add(std::move(name), member, {}, std::move(doc), std::move(choices));
  }
  /// The `seed` of an operator that draws random numbers, perhaps only where another field has a value: "by=noise".
  void seed(Seed P::*member, std::string when = {}) {
    add("seed", member, {}, "chooses another draw of the same kind", {});
    table_.fields.back().when = std::move(when);
  }

  const ParamTable& table() const { return table_; }

  /// The reach of the operator with these parameters.
  Reach reach_of(const P& params) const { return reach_ ? reach_(params) : table_.reach; }
  /// The samples on each side that it depends on, where that is a window of land that lies as the frame says.
  Halo halo_of(const P& params, const Frame& frame) const { return halo_ ? halo_(params, frame) : Halo(); }
  /// Whether it says how large its window is.
  bool has_halo() const { return static_cast<bool>(halo_); }

  /// The struct with these values, one per field.
  P make(const std::vector<ParamValue>& values) const {
    P params;
    for (size_t i = 0; i < setters_.size(); ++i) setters_[i](params, values[i]);
    return params;
  }
  /// And back.
  std::vector<ParamValue> values(const P& params) const {
    std::vector<ParamValue> list;
    for (const auto& get : getters_) list.push_back(get(params));
    return list;
  }

 private:
  template <class M>
  Entry add(std::string name, M P::*member, Range range, std::string doc, std::vector<std::string> choices) {
    Field field;
    field.name = std::move(name);
    using Stored = detail::Stored<M>;
    field.type = type_of<typename Stored::Type>();
    field.automatic = Stored::automatic;
    if (field.type == ParamType::records)
      range = {std::max(range.low, 0.0), std::min(range.high, detail::most_records), false};
    field.range = range;
    field.slider = range;
    field.doc = std::move(doc);
    field.choices = std::move(choices);
    field.unit = unit_of(field.type);
    if constexpr (std::is_same_v<typename Stored::Type, Records>)
      field.record = detail::record_table(Stored::fields().table());
    getters_.push_back([member](const P& params) { return detail::value_of(params.*member); });
    field.fallback = getters_.back()(defaults_);
    setters_.push_back([member](P& params, const ParamValue& value) { detail::set_member(params.*member, value); });
    table_.fields.push_back(std::move(field));
    return Entry(table_.fields.back());
  }

  template <class S>
  static constexpr ParamType type_of() {
    if constexpr (std::is_same_v<S, bool>)
      return ParamType::boolean;
    else if constexpr (std::is_same_v<S, int64_t>)
      return ParamType::integer;
    else if constexpr (std::is_same_v<S, double>)
      return ParamType::number;
    else if constexpr (std::is_same_v<S, Length>)
      return ParamType::length;
    else if constexpr (std::is_same_v<S, Angle>)
      return ParamType::angle;
    else if constexpr (std::is_same_v<S, Interval>)
      return ParamType::interval;
    else if constexpr (std::is_same_v<S, LengthInterval>)
      return ParamType::length_interval;
    else if constexpr (std::is_same_v<S, Choice>)
      return ParamType::choice;
    else if constexpr (std::is_same_v<S, std::string>)
      return ParamType::text;
    else if constexpr (std::is_same_v<S, Vec2>)
      return ParamType::vec2;
    else if constexpr (std::is_same_v<S, Vec3>)
      return ParamType::vec3;
    else if constexpr (std::is_same_v<S, std::vector<double>>)
      return ParamType::list;
    else if constexpr (std::is_same_v<S, Curve>)
      return ParamType::curve;
    else if constexpr (std::is_same_v<S, Colour>)
      return ParamType::colour;
    else if constexpr (std::is_same_v<S, FilePath>)
      return ParamType::file;
    else if constexpr (std::is_same_v<S, Records>)
      return ParamType::records;
    else {
      static_assert(std::is_same_v<S, Seed>, "not one of the closed set of parameter types");
      return ParamType::seed;
    }
  }

  static std::string unit_of(ParamType type) {
    if (type == ParamType::length || type == ParamType::length_interval) return "m";
    return type == ParamType::angle ? "deg" : "";
  }

  P defaults_;
  ParamTable table_;
  std::function<Reach(const P&)> reach_;
  std::function<Halo(const P&, const Frame&)> halo_;
  std::vector<std::function<void(P&, const ParamValue&)>> setters_;
  std::vector<std::function<ParamValue(const P&)>> getters_;
};

/// A field of one of the records, named in full: "beds[2].thickness", counted from 0.
Field record_field(const Field& field, size_t row, size_t column);

/// Throws with the bounds when a value is outside its field's hard range, not finite, or an interval is upside down;
/// and where a field that may be "auto" has an empty text or list, or an interval of equal ends.
void check_range(const Field& field, const ParamValue& value);

/// The description of a struct of parameters, made once.
template <class P>
const Fields<P>& fields_of() {
  static const Fields<P> fields = [] {
    Fields<P> f;
    describe(f);
    return f;
  }();
  return fields;
}

/// Refuses a struct with a value that its description excludes, for those who set its members themselves: recipes and
/// the command line have been checked by then. The field `but` is left to the caller.
template <class P>
void check_params(const P& params, std::string_view but = {}) {
  const Fields<P>& fields = fields_of<P>();
  const std::vector<ParamValue> values = fields.values(params);
  for (size_t i = 0; i < values.size(); ++i)
    if (const Field& field = fields.table().fields[i]; field.name != but) check_range(field, values[i]);
}

/// Adds the value to a node's key; independent of the order of choices.
void hash_param(Hasher& hasher, const Field& field, const ParamValue& value);

/// The value as a user would type it: "350", "10%", "1..700", "true", "auto", "sandstone:40,shale:20".
std::string param_text(const Field& field, const ParamValue& value);

/// The values a field takes: "0 to 1", "at least 0", "add, subtract"; empty: any.
std::string range_text(const Field& field);

/// "point", "window of 'radius'", "point; whole with normalise=samples".
std::string reach_text(const ParamTable& table);

/// Reads "350", "350m", "1.2km", "10%". Throws otherwise.
Length parse_length(std::string_view text);

/// The known name nearest to a misspelt one; empty if none is near.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

/// The hint for an unknown name: "did you mean 'noise'?", or the names there are.
std::string suggest_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace tepui
