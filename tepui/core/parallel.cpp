#include "tepui/core/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

#include "tepui/core/error.h"

namespace tepui {

void parallel_chunks(int64_t count, int64_t grain, const Context& context,
                     const std::function<void(int64_t, int64_t)>& body) {
  if (count <= 0) return;
  grain = std::max<int64_t>(grain, 1);
  const int64_t chunks = (count + grain - 1) / grain;
  std::atomic<int64_t> done = 0;
  const auto run = [&](int64_t chunk) {
    context.check();
    body(chunk * grain, std::min(count, (chunk + 1) * grain));
    context.progress(static_cast<double>(++done) / static_cast<double>(chunks));
  };
  // A thread that waits here must not pick up another node's work, which could hold its memory for long: hence the
  // isolation.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(tbb::blocked_range<int64_t>(0, chunks, 1), [&](const tbb::blocked_range<int64_t>& range) {
      for (int64_t chunk = range.begin(); chunk != range.end(); ++chunk) run(chunk);
    });
  });
  // Where another task of the same group has failed, TBB ends this loop early and says nothing: never go on with half a
  // result.
  if (done != chunks) throw Error(ErrorKind::cancelled, "stopped because another task failed");
}

void with_threads(int threads, const std::function<void()>& work) {
  const int wanted = threads > 0 ? threads : tbb::info::default_concurrency();
  tbb::global_control control(tbb::global_control::max_allowed_parallelism, static_cast<size_t>(std::max(wanted, 1)));
  tbb::task_arena arena(wanted);
  arena.execute([&] { work(); });
}

int thread_count() { return tbb::this_task_arena::max_concurrency(); }

}  // namespace tepui
