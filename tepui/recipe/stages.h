#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/core/json.h"
#include "tepui/graph/graph.h"

// Stages: a node that "every" divides becomes several nodes, one for each age. Where the operator can go on from an
// age, each starts from the one before it, else all start from the input. So the cache keeps each, and each can be
// referred to: "life@20".

namespace tepui {

/// The most that one node is divided into.
inline constexpr size_t most_stages = 1000;

/// The key of a node that divides it.
inline constexpr const char* every_key = "every";

/// What it does, for help and schema.
inline constexpr const char* every_doc =
    "saves a stage each time the land has aged by this much, or at the ages of a list, in the unit of its end; each "
    "stage is a node, NODE@AGE";

/// Whether the operator ages land, so that it can stop at any age.
bool has_ages(const Operator& op);

/// The ages of a node's stages: that of the land as it starts, each multiple of "every" after it or those it lists, and
/// that at which the node ends. None where "every" is a parameter of the operator itself. `resolve` puts in variables.
std::vector<double> stage_ages(const Operator& op, const Json& node, const std::function<Json(const Json&)>& resolve);

/// "life@20".
std::string stage_name(std::string_view node, double age);

/// Adds a node of that name and, where there are ages, its stages before it; divide() makes them work.
void add_node(Graph& graph, const std::string& name, Position at, const std::vector<double>& ages);

/// Gives the stages of a node what they compute, and the node itself only what is left to do after them.
void divide(Graph& graph, int node);

/// Resolves the "20" of "life@20"; refuses an age at which the node does not stop.
int find_stage(const Graph& graph, int node, std::string_view age, Position at);

/// The nodes of all stages in order, the node itself the last; refuses a node that is not divided.
const std::vector<int>& require_stages(const Graph& graph, const Reference& node);

/// The age of a stage, for people: "20 m", "2 %", "100 steps".
std::string age_text(const Graph& graph, int stage);

}  // namespace tepui
