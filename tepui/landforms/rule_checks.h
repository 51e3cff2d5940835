#pragma once  // internal

#include "tepui/core/json.h"
#include "tepui/landforms/rule_set.h"

namespace tepui {

/// Refuses rules that do not end or are not all used, at their place in the document that they were read from.
void check_rules(const RuleSet& set, const Json& document);

/// How many points a feature has at most, whatever is drawn.
double most_points_of(const RuleSet& set);

}  // namespace tepui
