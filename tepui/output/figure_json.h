#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tepui/core/json.h"
#include "tepui/output/look.h"
#include "tepui/output/output.h"
#include "tepui/output/output_kind.h"
#include "tepui/recipe/param_json.h"
#include "tepui/render/page/figure.h"
#include "tepui/render/picture/animation.h"

namespace tepui {

/// The names of its kinds, of all kinds of values.
const std::vector<std::string>& figure_kinds();

/// A figure of a kind of value from the object that describes it, its "kind" among the keys; `name` is the file it
/// becomes, `look` what it leaves open.
ValueFigure figure_from_json(const Json& object, const std::string& name, const Kind& kind, const Json& look = {});

/// Refuses a name that does not end as figures of this kind do: .webp where they move, and .csv only of plots.
void check_figure_name(const std::string& name, const std::string& kind);

/// Two structs of parameters from one object: a key belongs to the first that has it.
template <class A, class B>
std::pair<A, B> params_of_both(const Json& object, std::string_view what, const Json& look = {}) {
  Fields<A> first;
  Fields<B> second;
  describe(first);
  describe(second);
  ParamTable all = first.table();
  for (const Field& field : second.table().fields)
    if (all.find(field.name) < 0) all.fields.push_back(field);
  const std::vector<ParamValue> values = params_from_json(all, with_look(object, look, second.table()), what);
  std::vector<ParamValue> of_second;
  for (const Field& field : second.table().fields)
    of_second.push_back(values[static_cast<size_t>(all.find(field.name))]);
  return {first.make(values), second.make(of_second)};
}

}  // namespace tepui
