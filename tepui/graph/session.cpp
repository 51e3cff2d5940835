#include "tepui/graph/session.h"

#include "tepui/graph/session_work.h"

namespace tepui {

Session::Session(ValueCache& cache, SessionEvents& events, SessionOptions options)
    : work_(std::make_unique<SessionWork>(cache, events, options)) {}

Session::~Session() = default;

void Session::show(SharedGraph graph, std::vector<Look> looks) { work_->show(std::move(graph), std::move(looks)); }

bool Session::wait_for(std::chrono::milliseconds time) { return work_->wait_for(time); }

void Session::wait() { work_->wait(); }

Evaluation Session::evaluation() const { return work_->evaluation(); }

}  // namespace tepui
