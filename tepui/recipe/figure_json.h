#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tepui/recipe/json.h"
#include "tepui/recipe/param_json.h"
#include "tepui/recipe/value_kind.h"
#include "tepui/render/page/figure.h"
#include "tepui/render/picture/animation.h"

namespace tepui {

/// A picture from all around.
struct Turntable {
  TurntableParams turn;
  PictureParams picture;
};

/// A figure of one value.
using ValueFigure = std::variant<FigureParams, Turntable>;

/// The names of its kinds, of all kinds of values.
const std::vector<std::string>& figure_kinds();

/// A figure of a kind of value from the object that describes it, its "kind" among the keys; `name` is the file it
/// becomes.
ValueFigure figure_from_json(const Json& object, const std::string& name, ValueType type);

/// Refuses a name that does not end as figures or, if it is `animated`, animations do.
void check_figure_name(const std::string& name, bool animated);

void hash_figure(Hasher& key, const ValueFigure& figure);

/// Draws it into a file.
void write_value_figure(const std::string& path, const Value& value, const ValueFigure& figure, const Setting& around,
                        const PngText& text, const Context& context);

/// Adds all of a struct's parameters to a key.
template <class P>
void hash_params(Hasher& key, const P& params) {
  Fields<P> fields;
  describe(fields);
  const std::vector<ParamValue> values = fields.values(params);
  for (size_t i = 0; i < values.size(); ++i) hash_param(key, fields.table().fields[i], values[i]);
}

/// Two structs of parameters from one object: a key belongs to the first that has it.
template <class A, class B>
std::pair<A, B> params_of_both(const Json& object, std::string_view what) {
  Fields<A> first;
  Fields<B> second;
  describe(first);
  describe(second);
  ParamTable all = first.table();
  for (const Field& field : second.table().fields)
    if (all.find(field.name) < 0) all.fields.push_back(field);
  const std::vector<ParamValue> values = params_from_json(all, object, what);
  std::vector<ParamValue> of_second;
  for (const Field& field : second.table().fields)
    of_second.push_back(values[static_cast<size_t>(all.find(field.name))]);
  return {first.make(values), second.make(of_second)};
}

}  // namespace tepui
