#include "tepui/core/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "tepui/core/error.h"
#include "tests/support/support.h"

namespace tepui::parallel_test {

RC_GTEST_PROP(Parallel, ChunksCoverEverythingOnceAndDoNotDependOnThreads, ()) {
  const auto count = *rc::gen::inRange<int64_t>(0, 5000), grain = *rc::gen::inRange<int64_t>(1, 700);
  std::set<std::pair<int64_t, int64_t>> seen[2];
  for (const int run : {0, 1})
    with_threads(run == 0 ? 1 : 7, [&] {
      std::vector<std::atomic<int>> touched(static_cast<size_t>(count));
      std::mutex mutex;
      parallel_chunks(count, grain, {}, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) ++touched[static_cast<size_t>(i)];
        const std::lock_guard lock(mutex);
        seen[run].emplace(begin, end);
      });
      RC_ASSERT(std::ranges::all_of(touched, [](const auto& n) { return n == 1; }));
    });
  RC_ASSERT(seen[0] == seen[1]);
}

TEST(Parallel, SumsHaveTheSameBitsForAnyThreads) {
  test::expect_same_bits([] {
    const double sum = parallel_reduce(
        100'000, 37, Context(), 0.0,
        [](int64_t begin, int64_t end) {
          double part = 0;
          for (int64_t i = begin; i < end; ++i) part += 1.0 / static_cast<double>(i + 1);
          return part;
        },
        [](double a, double b) { return a + b; });
    return Hasher().add(sum).finish();
  });
}

TEST(Parallel, PartsAreCombinedFromFirstToLast) {
  with_threads(7, [] {
    const std::string text = parallel_reduce(
        26, 3, Context(), std::string(),
        [](int64_t begin, int64_t end) {
          std::string part;
          for (int64_t i = begin; i < end; ++i) part.push_back(static_cast<char>('a' + i));
          return part;
        },
        [](const std::string& a, const std::string& b) { return a + b; });
    EXPECT_EQ(text, "abcdefghijklmnopqrstuvwxyz");
  });
}

TEST(Parallel, NothingReducesToZero) {
  const auto never = [](int64_t, int64_t) -> int { throw std::logic_error("called"); };
  EXPECT_EQ(parallel_reduce(0, 8, Context(), 42, never, [](int a, int b) { return a + b; }), 42);
}

TEST(Parallel, ErrorsComeOut) {
  for (const int threads : {1, 7})
    with_threads(threads, [] {
      EXPECT_NE(test::error_of([] {
                  parallel_chunks(1000, 1, {}, [](int64_t begin, int64_t) {
                    if (begin == 500) refuse("chunk 500");
                  });
                }).find("chunk 500"),
                std::string::npos);
    });
}

TEST(Parallel, CancelStopsBetweenChunks) {
  for (const int threads : {1, 7})
    with_threads(threads, [] {
      CancelFlag cancel = false;
      std::atomic<int> done = 0;
      try {
        parallel_chunks(100'000, 1, Context(nullptr, &cancel), [&](int64_t, int64_t) {
          if (++done == 50) cancel = true;
        });
        ADD_FAILURE() << "not cancelled";
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::cancelled);
      }
      EXPECT_GE(done, 50);
      EXPECT_LT(done, 100);
    });
}

TEST(Parallel, WithThreadsReallyHasSoMany) {
  for (const int threads : {1, 2, 7})
    with_threads(threads, [threads] {
      EXPECT_EQ(thread_count(), threads);
      std::mutex mutex;
      std::set<std::thread::id> ids;
      std::atomic<int> waiting = 0;
      // Every chunk waits until all threads have one, or for half a minute.
      parallel_chunks(threads, 1, {}, [&](int64_t, int64_t) {
        {
          const std::lock_guard lock(mutex);
          ids.insert(std::this_thread::get_id());
        }
        ++waiting;
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (waiting < threads && std::chrono::steady_clock::now() < until) std::this_thread::yield();
      });
      EXPECT_EQ(static_cast<int>(ids.size()), threads);
    });
}

TEST(Parallel, LoopsNest) {
  with_threads(3, [] {
    std::atomic<int> sum = 0;
    parallel_chunks(10, 1, {}, [&](int64_t, int64_t) {
      parallel_chunks(10, 3, {}, [&](int64_t begin, int64_t end) { sum += static_cast<int>(end - begin); });
    });
    EXPECT_EQ(sum, 100);
  });
}

}  // namespace tepui::parallel_test
