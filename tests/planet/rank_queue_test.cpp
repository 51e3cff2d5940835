#include "tepui/planet/rank_queue.h"

#include <set>

#include "tests/support/support.h"

namespace tepui::rank_queue_test {

RC_GTEST_PROP(RankQueue, TheLeastLeavesFirst, ()) {
  const auto count = *rc::gen::inRange<size_t>(1, 300'000);
  RankQueue queue(count);
  std::set<size_t> plain;
  for (int step = 0; step < 500; ++step) {
    if (*rc::gen::inRange(0, 3) > 0) {
      const auto number = *rc::gen::inRange<size_t>(0, count);
      if (plain.insert(number).second) queue.push(number);
    } else if (!plain.empty()) {
      RC_ASSERT(queue.pop() == *plain.begin());
      plain.erase(plain.begin());
    }
    RC_ASSERT(queue.empty() == plain.empty());
  }
}

}  // namespace tepui::rank_queue_test
