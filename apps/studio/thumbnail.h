#pragma once

#include <string>

#include "tepui/core/context.h"
#include "tepui/graph/value.h"
#include "tepui/output/output_row.h"

namespace tepui::studio {

/// A small picture of a value, a PNG: land from above in its own colours and a little light, anything else as it is
/// usually drawn.
std::string thumbnail(const Value& value, const Setting& around, const Context& context);

}  // namespace tepui::studio
