#pragma once  // internal

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "tepui/core/context.h"
#include "tepui/core/parallel.h"
#include "tepui/core/pool_vector.h"

namespace tepui {

/// Some of the numbers from 0 up, in order, and the place of every number among them; -1: it is not kept.
struct KeptNumbers {
  PoolVector<int32_t> kept, place;
};

/// Those for which `keep` is true.
template <class Keep>
KeptNumbers kept_numbers(size_t count, const Context& context, const Keep& keep) {
  constexpr int64_t grain = 4096;
  const auto all = static_cast<int64_t>(count);
  KeptNumbers numbers;
  numbers.place.resize(count);
  // How many are kept before each chunk.
  PoolVector<int32_t> before(static_cast<size_t>((all + grain - 1) / grain) + 1, 0);
  parallel_chunks(all, grain, context, [&](int64_t begin, int64_t end) {
    int32_t own = 0;
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
      numbers.place[i] = keep(i) ? own++ : -1;
    before[static_cast<size_t>(begin / grain) + 1] = own;
  });
  std::partial_sum(before.begin(), before.end(), before.begin());
  numbers.kept.resize(static_cast<size_t>(before.back()));
  parallel_chunks(all, grain, context, [&](int64_t begin, int64_t end) {
    const int32_t first = before[static_cast<size_t>(begin / grain)];
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
      if (int32_t& place = numbers.place[i]; place >= 0) {
        place += first;
        numbers.kept[static_cast<size_t>(place)] = static_cast<int32_t>(i);
      }
  });
  return numbers;
}

}  // namespace tepui
