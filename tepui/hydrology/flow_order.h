#pragma once  // internal

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/parallel.h"
#include "tepui/hydrology/d8.h"

namespace tepui {

/// The cells of a land from the divides down along D8 directions, for sums and other recurrences along the flow. The
/// land is divided into strips of rows that work side by side, in rounds: in each round a strip takes the cells whose
/// inflow is known by then. What crosses from strip to strip is handed over between the rounds.
class FlowOrder {
 public:
  /// Directions without a circle. Keeps a pointer to them.
  FlowOrder(const Grid<uint8_t>& directions, const Context& context);

  /// Calls act(cell, receiver) for every cell that drains to another, upstream before downstream. What is written for
  /// a receiver must not depend on the order of its calls.
  template <class Act>
  void downstream(const Context& context, const Act& act) const {
    for (size_t round = 0; round < rounds_; ++round)
      parallel_chunks(strips(), 1, context, [&](int64_t strip, int64_t) {
        for (int32_t cell : handed_over(round, strip)) act(cell, receiver(cell));
        for (int32_t cell : taken(round, strip))
          if (const int64_t to = receiver(cell); to >= 0 && strip_of(to) == strip) act(cell, to);
      });
  }

  /// Calls act(cell, receiver) for every cell, downstream before upstream; the receiver is -1 where the flow ends.
  template <class Act>
  void upstream(const Context& context, const Act& act) const {
    for (size_t round = rounds_; round-- > 0;)
      parallel_chunks(strips(), 1, context, [&](int64_t strip, int64_t) {
        const std::span<const int32_t> cells = taken(round, strip);
        for (size_t i = cells.size(); i-- > 0;) act(cells[i], receiver(cells[i]));
      });
  }

  /// Where a cell drains to; -1 where the flow ends.
  int64_t receiver(int64_t cell) const {
    const uint8_t code = directions_->data()[cell];
    return code == d8_none ? -1 : cell + step_[code];
  }
  size_t rounds() const { return rounds_; }

 private:
  class Builder;
  struct Strip {
    std::vector<int32_t> cells;                     ///< In the order in which they were taken.
    size_t taken = 0;                               ///< Of `cells` so far.
    std::vector<size_t> ends;                       ///< Of each round in `cells`.
    std::vector<std::vector<int32_t>> handed_over;  ///< In each round: cells of other strips that drain into this one.
  };

  int64_t strips() const { return static_cast<int64_t>(strips_.size()); }
  int64_t strip_of(int64_t cell) const { return cell / cells_a_strip_; }
  std::span<const int32_t> handed_over(size_t round, int64_t strip) const {
    const Strip& s = strips_[static_cast<size_t>(strip)];
    return round < s.handed_over.size() ? std::span<const int32_t>(s.handed_over[round]) : std::span<const int32_t>();
  }
  std::span<const int32_t> taken(size_t round, int64_t strip) const {
    const Strip& s = strips_[static_cast<size_t>(strip)];
    const size_t begin = round == 0 ? 0 : s.ends[round - 1];
    return std::span<const int32_t>(s.cells).subspan(begin, s.ends[round] - begin);
  }

  const Grid<uint8_t>* directions_;
  std::array<int64_t, 8> step_;
  int64_t cells_a_strip_ = 1;
  size_t rounds_ = 0;
  std::vector<Strip> strips_;
};

}  // namespace tepui
