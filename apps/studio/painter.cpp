#include "apps/studio/painter.h"

#include <atomic>
#include <new>
#include <utility>

#include "tepui/core/parallel.h"

namespace tepui::studio {

namespace {

/// Sends what is made as soon as the pages have room for it.
class WireSink : public FrameSink {
 public:
  WireSink(Wire& wire, uint64_t generation, const Context& context)
      : wire_(wire), generation_(generation), context_(context) {}

  void text(const Ordered& object) override { wire_.queue(generation_, frame_text(object), false); }
  void frame(FrameKind kind, const Ordered& head, std::string_view cells) override {
    wire_.wait_for_room(context_);
    std::string bytes = frame_bytes(kind, head, cells);
    bytes_ += bytes.size();
    wire_.queue(generation_, std::move(bytes), true);
  }
  uint64_t bytes() const { return bytes_; }

 private:
  Wire& wire_;
  uint64_t generation_;
  const Context& context_;
  std::atomic<uint64_t> bytes_ = 0;
};

}  // namespace

Painter::Painter(Wire& wire) : wire_(wire), threads_(thread_count()), thread_([this] { run(); }) {}

Painter::~Painter() {
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
    if (now_) now_->cancel = true;
  }
  news_.notify_all();
  thread_.join();
}

void Painter::start(uint64_t generation, Work work, Then then) {
  auto job = std::make_shared<Job>();
  job->generation = generation;
  job->work = std::move(work);
  job->then = std::move(then);
  const std::lock_guard lock(mutex_);
  if (now_) now_->cancel = true;
  next_ = std::move(job);
  news_.notify_all();
}

void Painter::stop() {
  const std::lock_guard lock(mutex_);
  next_.reset();
  if (now_) now_->cancel = true;
}

void Painter::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    news_.wait(lock, [this] { return end_ || next_ != nullptr; });
    if (end_) return;
    now_ = std::exchange(next_, nullptr);
    lock.unlock();
    with_threads(threads_, [&] { do_job(*now_); });
    lock.lock();
    now_.reset();
  }
}

void Painter::do_job(Job& job) {
  const Context context(nullptr, &job.cancel);
  WireSink sink(wire_, job.generation, context);
  std::optional<Error> error;
  try {
    job.work(sink, context);
  } catch (const Error& thrown) {
    if (thrown.kind() == ErrorKind::cancelled) return;
    error = thrown;
  } catch (const std::bad_alloc&) {
    error = Error(ErrorKind::failure, "out of memory", "lower the resolution");
  } catch (const std::exception& thrown) {
    error = Error(ErrorKind::failure, thrown.what());
  }
  if (!job.cancel) job.then(sink.bytes(), error);
}

}  // namespace tepui::studio
