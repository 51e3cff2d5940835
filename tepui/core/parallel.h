#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

#include "tepui/core/context.h"

namespace tepui {

/// Calls body(begin, end) for every chunk of `grain` indices of [0, count), on the threads of the current scope. Chunks
/// are the same for any number of threads. Reports progress and stops with Error{cancelled} between chunks.
void parallel_chunks(int64_t count, int64_t grain, const Context& context,
                     const std::function<void(int64_t, int64_t)>& body);

/// map(begin, end) for every chunk, then combine(a, b) from the first chunk to the last: the same bits for any number
/// of threads.
template <class T, class Map, class Combine>
T parallel_reduce(int64_t count, int64_t grain, const Context& context, T zero, const Map& map,
                  const Combine& combine) {
  static_assert(!std::is_same_v<T, bool>, "std::vector<bool> has no separate elements for threads to write");
  grain = std::max<int64_t>(grain, 1);
  if (count <= 0) return zero;
  std::vector<T> parts(static_cast<size_t>((count + grain - 1) / grain), zero);
  parallel_chunks(count, grain, context,
                  [&](int64_t begin, int64_t end) { parts[static_cast<size_t>(begin / grain)] = map(begin, end); });
  T result = zero;
  for (const T& part : parts) result = combine(result, part);
  return result;
}

/// Runs `work` with exactly `threads` threads (0: one per core), also where that is more than the machine has cores.
void with_threads(int threads, const std::function<void()>& work);

/// The number of threads of the current scope.
int thread_count();

}  // namespace tepui
