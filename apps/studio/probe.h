#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/studio/frames.h"
#include "tepui/graph/evaluate.h"
#include "tepui/output/plan.h"

namespace tepui::studio {

/// What is shown, as those take it who look at it closely.
struct Snapshot {
  std::shared_ptr<const Plan> plan;
  SharedGraph quick;  ///< the graph of its preview, or all of it
  std::string node;
  Value value;                        ///< of the node
  ValueCache* cache = nullptr;        ///< with values of the plan
  ValueCache* quick_cache = nullptr;  ///< with those of `quick`
};

/// The land at a place, and what each node on the way to it added or took there.
Ordered probe_point(const Snapshot& shown, Vec2 at, const Context& context);

/// The land along a line, and the rock below it where a node or the land's materials tell of rock; of a volume, where
/// it has rock.
Ordered probe_section(const Snapshot& shown, const std::vector<Vec2>& line, int64_t samples, const Context& context);

}  // namespace tepui::studio
