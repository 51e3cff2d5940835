#include "apps/studio/errands.h"

#include <new>
#include <utility>

#include "tepui/core/parallel.h"

namespace tepui::studio {

namespace {

constexpr size_t most_errands = 16;

}  // namespace

Ordered error_json(const Error& error) {
  std::string path = error.place().node;
  if (!error.place().field.empty()) path += (path.empty() ? "" : ".") + error.place().field;
  return {{"message", error.message()}, {"hint", error.hint()}, {"path", path}};
}

Errands::Errands() : threads_(thread_count()), thread_([this] { run(); }) {}

Errands::~Errands() {
  stop();
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  news_.notify_all();
  thread_.join();
}

void Errands::start(Work work, Then then) {
  auto errand = std::make_shared<Errand>();
  errand->work = std::move(work);
  errand->then = std::move(then);
  const std::lock_guard lock(mutex_);
  if (waiting_.size() >= most_errands) refuse("too much is asked at once", "wait for an answer");
  waiting_.push_back(std::move(errand));
  news_.notify_all();
}

void Errands::stop() {
  const std::lock_guard lock(mutex_);
  if (now_) now_->cancel = true;
  for (const auto& errand : waiting_) errand->cancel = true;
}

void Errands::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    news_.wait(lock, [this] { return end_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    now_ = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    with_threads(threads_, [&] { do_errand(*now_); });
    lock.lock();
    now_.reset();
  }
}

void Errands::do_errand(Errand& errand) {
  const Context context(nullptr, &errand.cancel);
  Ordered answer;
  try {
    context.check();
    answer = errand.work(context);
  } catch (const Error& error) {
    answer = {{"error", error_json(error)}};
  } catch (const std::bad_alloc&) {
    answer = {{"error", error_json(Error(ErrorKind::failure, "out of memory", "lower the resolution"))}};
  } catch (const std::exception& error) {
    answer = {{"error", error_json(Error(ErrorKind::failure, error.what()))}};
  }
  errand.then(std::move(answer));
}

}  // namespace tepui::studio
