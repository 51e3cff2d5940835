#include "tepui/graph/session_job.h"

namespace tepui {

Computed compute_job(const SessionJob& job, const Context& context) {
  const KnownNodes known{[&](int node) -> const NodeFacts& { return job.facts.at(node); },
                         [&](int node) -> const Value& { return job.values.at(node); }, [&] { return *job.world; }};
  RunOperator again;
  if (job.slot != nullptr)
    again = [&](const Operator& op, const OperatorCall& call, const Context& own) {
      const std::lock_guard lock(job.slot->mutex);
      return op.again(call, job.slot->kept, own);
    };
  return compute_node(*job.graph, job.node, job.inputs, job.outside, known, context, again);
}

}  // namespace tepui
