#include "tepui/hydrology/flow_order.h"

#include <algorithm>
#include <utility>

#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

constexpr int64_t rows_a_strip = 256;

/// How many neighbours drain to each cell.
Grid<uint8_t> inflows(const Grid<uint8_t>& directions, const Context& context) {
  const int64_t w = directions.width(), h = directions.height();
  Grid<uint8_t> count(w, h);
  const D8 d8(w, {1, 1});
  parallel_chunks(h, rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y)
      for (int64_t x = 0; x < w; ++x) {
        const uint8_t* here = directions.row(y) + x;
        int sum = 0;
        if (x > 0 && y > 0 && x + 1 < w && y + 1 < h) {
          for (int k = 0; k < 8; ++k) sum += here[d8.step[static_cast<size_t>(k)]] == d8_opposite(k);
        } else {
          for (size_t k = 0; k < 8; ++k) {
            const int64_t nx = x + d8_x[k], ny = y + d8_y[k];
            if (nx >= 0 && ny >= 0 && nx < w && ny < h) sum += directions(nx, ny) == d8_opposite(static_cast<int>(k));
          }
        }
        count(x, y) = static_cast<uint8_t>(sum);
      }
  });
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
    order_.strips_[static_cast<size_t>(strip)].cells.reserve(static_cast<size_t>(last - first));
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
    std::vector<int32_t>& cells = order_.strips_[static_cast<size_t>(strip)].cells;
    const int64_t first = strip * order_.cells_a_strip_, last = first + order_.cells_a_strip_;
    while (true) {
      waiting_.data()[cell] = done;
      cells.push_back(static_cast<int32_t>(cell));
      const int64_t to = order_.receiver(cell);
      if (to < 0) return;
      if (to < first || to >= last) {
        Leaving& out = leaving_[static_cast<size_t>(strip)];
        (to < first ? out.down : out.up).push_back(static_cast<int32_t>(cell));
        return;
      }
      if (--waiting_.data()[to] != 0) return;
      cell = to;
    }
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
      s.ends.push_back(s.cells.size());
    });
    second.check();
    ++rounds_;
  } while (builder.hand_over(rounds_));
}

}  // namespace tepui
