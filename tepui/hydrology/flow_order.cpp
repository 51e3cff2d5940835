#include "tepui/hydrology/flow_order.h"

#include <algorithm>
#include <utility>

#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

constexpr int64_t rows_a_strip = 256;

/// How many neighbours drain to each cell: every strip counts within itself, and what crosses strips is added after.
Grid<uint8_t> inflows(const Grid<uint8_t>& directions, const Context& context) {
  const int64_t w = directions.width(), h = directions.height();
  Grid<uint8_t> count(w, h);
  const std::array<int64_t, 8> step = D8(w, {1, 1}).step;
  std::vector<std::vector<int64_t>> crossing(static_cast<size_t>((h + rows_a_strip - 1) / rows_a_strip));
  parallel_chunks(h, rows_a_strip, context, [&](int64_t begin, int64_t end) {
    const int64_t first = begin * w, last = end * w;
    std::fill(count.data() + first, count.data() + last, uint8_t{0});
    for (int64_t i = first; i < last; ++i) {
      const uint8_t code = directions.data()[i];
      if (code == d8_none) continue;
      const int64_t to = i + step[code];
      if (to >= first && to < last)
        ++count.data()[to];
      else
        crossing[static_cast<size_t>(begin / rows_a_strip)].push_back(to);
    }
  });
  for (const std::vector<int64_t>& cells : crossing)
    for (int64_t to : cells) ++count.data()[to];
  return count;
}

}  // namespace

/// Takes the cells round by round.
class FlowOrder::Builder {
 public:
  Builder(FlowOrder& order, Grid<uint8_t> waiting)
      : order_(order), waiting_(std::move(waiting)), leaving_(order.strips_.size()) {}

  /// The divides, and what follows from them within a strip.
  void take_divides(int64_t strip) {
    const int64_t first = strip * order_.cells_a_strip_;
    const int64_t last = std::min(first + order_.cells_a_strip_, waiting_.size());
    order_.strips_[static_cast<size_t>(strip)].cells.resize(static_cast<size_t>(last - first));
    for (int64_t i = first; i < last; ++i)
      if (waiting_.data()[i] == 0) follow(strip, i);
  }

  /// What follows from the cells handed over.
  void take_handed_over(size_t round, int64_t strip) {
    for (int32_t from : order_.strips_[static_cast<size_t>(strip)].handed_over[round]) {
      const int64_t to = order_.receiver(from);
      if (--waiting_.data()[to] == 0) follow(strip, to);
    }
  }

  /// Whether anything was.
  bool hand_over(size_t to_round) {
    bool any = false;
    for (size_t i = 0; i < leaving_.size(); ++i) order_.strips_[i].handed_over.resize(to_round + 1);
    const auto hand = [&](std::vector<int32_t>& cells, size_t to) {
      if (cells.empty()) return;
      std::vector<int32_t>& box = order_.strips_[to].handed_over[to_round];
      box.insert(box.end(), cells.begin(), cells.end());
      cells.clear();
      any = true;
    };
    for (size_t i = 0; i < leaving_.size(); ++i) hand(leaving_[i].down, i - 1), hand(leaving_[i].up, i + 1);
    return any;
  }

 private:
  /// What leaves a strip in a round, for the ones below and above.
  struct Leaving {
    std::vector<int32_t> down, up;
  };
  static constexpr uint8_t done = 255;

  void follow(int64_t strip, int64_t cell) {
    Strip& s = order_.strips_[static_cast<size_t>(strip)];
    const int64_t first = strip * order_.cells_a_strip_, last = first + order_.cells_a_strip_;
    const uint8_t* codes = order_.directions_->data();
    uint8_t* waiting = waiting_.data();
    int32_t* next = s.cells.data() + s.taken;
    const auto begin = next;
    while (true) {
      waiting[cell] = done;
      *next++ = static_cast<int32_t>(cell);
      if (codes[cell] == d8_none) break;
      const int64_t to = cell + order_.step_[codes[cell]];
      if (to < first || to >= last) {
        Leaving& out = leaving_[static_cast<size_t>(strip)];
        (to < first ? out.down : out.up).push_back(static_cast<int32_t>(cell));
        break;
      }
      if (--waiting[to] != 0) break;
      cell = to;
    }
    s.taken += static_cast<size_t>(next - begin);
  }

  FlowOrder& order_;
  Grid<uint8_t> waiting_;
  std::vector<Leaving> leaving_;
};

FlowOrder::FlowOrder(const Grid<uint8_t>& directions, const Context& context)
    : directions_(&directions), step_(D8(directions.width(), {1, 1}).step) {
  if (directions.empty()) return;
  cells_a_strip_ = rows_a_strip * directions.width();
  strips_.resize(static_cast<size_t>((directions.height() + rows_a_strip - 1) / rows_a_strip));
  Builder builder(*this, inflows(directions, context.stage("inflows", 0, 0.3)));
  const Context second = context.stage("order", 0.3, 1);
  do {
    parallel_chunks(strips(), 1, rounds_ == 0 ? second : Context(nullptr, nullptr), [&](int64_t strip, int64_t) {
      rounds_ == 0 ? builder.take_divides(strip) : builder.take_handed_over(rounds_, strip);
      Strip& s = strips_[static_cast<size_t>(strip)];
      s.ends.push_back(s.taken);
    });
    second.check();
    ++rounds_;
  } while (builder.hand_over(rounds_));
}

}  // namespace tepui
