#include "tepui/erode/droplet_run.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

/// Heights and gradient between samples.
struct Ground {
  float z, gx, gy;
};

class Batch {
 public:
  Batch(const DropletGround& ground, const DropletRule& rule, Grid<int32_t>& change)
      : ground_(ground),
        rule_(rule),
        change_(change),
        w_(ground.height.width()),
        h_(ground.height.height()),
        cells_a_quantum_(1 / rule.quanta_a_cell) {}

  /// One droplet from its start to its end. Returns the quanta that left with it.
  int32_t run(float x, float y) const {
    float dx = 0, dy = 0, speed = 1;
    int32_t load = 0;
    Ground here = at(x, y);
    for (int step = 0; step < rule_.steps; ++step) {
      dx = rule_.inertia * dx - (1 - rule_.inertia) * here.gx;
      dy = rule_.inertia * dy - (1 - rule_.inertia) * here.gy;
      const float length = std::sqrt(dx * dx + dy * dy);
      if (!(length > 1e-9f)) break;
      dx /= length, dy /= length;
      const int64_t cell = nearest(x, y);
      const float nx = x + dx, ny = y + dy;
      if (!(nx >= 0 && ny >= 0 && nx <= static_cast<float>(w_ - 1) && ny <= static_cast<float>(h_ - 1))) return load;
      if (!ground_.takes_all.empty() && ground_.takes_all.data()[nearest(nx, ny)] != 0) return load;
      const Ground next = at(nx, ny);
      const float rise = next.z - here.z;
      const float water = 1 - static_cast<float>(step) / static_cast<float>(rule_.steps);
      load -= exchange(cell, load, rise, speed * water);
      speed = std::min(DropletRule::fastest, std::sqrt(std::max(0.0f, speed * speed - DropletRule::gravity * rise)));
      x = nx, y = ny, here = next;
    }
    const int64_t end = nearest(x, y);
    if (share(end) == 0) return load;
    add(end, load);
    return 0;
  }

 private:
  int64_t nearest(float x, float y) const {
    return static_cast<int64_t>(y + 0.5f) * w_ + static_cast<int64_t>(x + 0.5f);
  }
  float share(int64_t cell) const { return ground_.share.empty() ? 1.0f : ground_.share.data()[cell]; }

  /// Heights in cells.
  Ground at(float x, float y) const {
    const int64_t i = std::min(static_cast<int64_t>(x), std::max<int64_t>(w_ - 2, 0));
    const int64_t j = std::min(static_cast<int64_t>(y), std::max<int64_t>(h_ - 2, 0));
    const int64_t east = w_ > 1 ? 1 : 0, north = h_ > 1 ? w_ : 0;
    const float* z = ground_.height.data() + j * w_ + i;
    const float u = x - static_cast<float>(i), v = y - static_cast<float>(j);
    const float a = z[0] * cells_a_quantum_, b = z[east] * cells_a_quantum_, c = z[north] * cells_a_quantum_,
                d = z[north + east] * cells_a_quantum_;
    const float south_rise = b - a, north_rise = d - c, west_rise = c - a, east_rise = d - b;
    const float gx = south_rise + v * (north_rise - south_rise), gy = west_rise + u * (east_rise - west_rise);
    return {a + u * south_rise + v * (west_rise + u * (east_rise - west_rise)), gx, gy};
  }

  /// What the droplet lays down at a sample, in quanta; below 0 what it takes.
  int32_t exchange(int64_t cell, int32_t load, float rise, float flow) const {
    const float carried = static_cast<float>(load) * cells_a_quantum_ / rule_.bite;
    const float most = rule_.capacity * std::max(-rise, DropletRule::least_slope) * flow;
    float laid;
    if (rise > 0)
      laid = std::min(rise, carried);
    else if (carried > most)
      laid = DropletRule::rate * (carried - most);
    else
      laid = -std::min(DropletRule::rate * (most - carried), -rise);
    laid *= share(cell);
    if (laid < 0 && !ground_.softness.empty()) laid *= ground_.softness.data()[cell];
    const int32_t quanta = std::min(static_cast<int32_t>(laid * rule_.bite * rule_.quanta_a_cell), load);
    if (quanta != 0) add(cell, quanta);
    return quanta;
  }

  /// Whole numbers: the sum does not depend on the order.
  void add(int64_t cell, int32_t quanta) const {
    std::atomic_ref<int32_t>(change_.data()[cell]).fetch_add(quanta, std::memory_order_relaxed);
  }

  const DropletGround& ground_;
  const DropletRule& rule_;
  Grid<int32_t>& change_;
  int64_t w_, h_;
  float cells_a_quantum_;
};

/// Spreads changes by the weights 1 2 1 along both axes and adds them to the heights: what a sample passes on it does
/// not keep, and what no neighbour takes it keeps.
class Spreading {
 public:
  Spreading(DropletGround& ground, const Grid<int32_t>& change)
      : ground_(ground), change_(change), w_(change.width()), h_(change.height()) {}

  void row(int64_t y) const {
    const bool free = ground_.share.empty() && ground_.softness.empty() && y > 0 && y + 1 < h_ && w_ > 2;
    for (int64_t x = 0; x < w_; x = x == 0 && free ? w_ - 1 : x + 1) sample(x, y);
    if (!free) return;
    const int32_t *south = change_.row(y - 1), *own = change_.row(y), *north = change_.row(y + 1);
    float* z = ground_.height.row(y);
    for (int64_t x = 1; x + 1 < w_; ++x) {
      const int32_t corners = south[x - 1] / 16 + south[x + 1] / 16 + north[x - 1] / 16 + north[x + 1] / 16;
      const int32_t sides = south[x] / 8 + own[x - 1] / 8 + own[x + 1] / 8 + north[x] / 8;
      z[x] += static_cast<float>(own[x] - 4 * (own[x] / 16) - 4 * (own[x] / 8) + corners + sides);
    }
  }

 private:
  /// What goes to a neighbour: the part of 16 or of 8, where that may take it.
  int32_t passed_on(int32_t change, int64_t to, int part) const {
    const bool still = !ground_.share.empty() && ground_.share.data()[to] == 0;
    const bool hard = change < 0 && !ground_.softness.empty() && ground_.softness.data()[to] == 0;
    return still || hard ? 0 : change / part;
  }

  void sample(int64_t x, int64_t y) const {
    const int64_t own = y * w_ + x;
    int32_t sum = change_.data()[own];
    for (int64_t j = std::max<int64_t>(y - 1, 0); j <= std::min(y + 1, h_ - 1); ++j)
      for (int64_t i = std::max<int64_t>(x - 1, 0); i <= std::min(x + 1, w_ - 1); ++i) {
        const int64_t other = j * w_ + i;
        if (other == own) continue;
        const int part = i == x || j == y ? 8 : 16;
        sum += passed_on(change_.data()[other], own, part) - passed_on(change_.data()[own], other, part);
      }
    ground_.height.data()[own] += static_cast<float>(sum);
  }

  DropletGround& ground_;
  const Grid<int32_t>& change_;
  int64_t w_, h_;
};

void spread(DropletGround& ground, const Grid<int32_t>& change, const Context& context) {
  const Spreading spreading(ground, change);
  parallel_chunks(change.height(), rows_per_chunk(change.width()), context, [&](int64_t begin, int64_t end) {
    for (int64_t y = begin; y < end; ++y) spreading.row(y);
  });
}

}  // namespace

DropletStart droplet_start(const DropletRule& rule, int64_t x, int64_t y, int batch) {
  const uint64_t place = static_cast<uint64_t>(y) << 32 | static_cast<uint64_t>(x);
  const uint64_t bits = rule.draws.bits(place, static_cast<uint64_t>(batch));
  const double chance = static_cast<double>(bits >> 32) * 0x1p-32;
  if (!(chance * DropletRule::batches < rule.amount)) return {};
  return {true, static_cast<float>(x) + static_cast<float>(bits & 0xffff) * 0x1p-16f,
          static_cast<float>(y) + static_cast<float>(bits >> 16 & 0xffff) * 0x1p-16f};
}

int64_t run_droplets(DropletGround& ground, const DropletRule& rule, const std::function<void(DropletGround&)>& prepare,
                     const Context& context) {
  const int64_t w = ground.height.width(), h = ground.height.height();
  const Context quiet = context.told_to(nullptr);
  int64_t left = 0;
  for (int batch = 0; batch < DropletRule::batches; ++batch) {
    prepare(ground);
    Grid<int32_t> change(w, h, 0);
    const Batch run(ground, rule, change);
    // Droplets of neighbouring samples run over the same ground: a chunk is a few rows.
    left += parallel_reduce(
        h, 8, quiet, int64_t{0},
        [&](int64_t begin, int64_t end) {
          int64_t sum = 0;
          for (int64_t y = begin; y < end; ++y)
            for (int64_t x = 0; x < w; ++x) {
              const DropletStart start = droplet_start(rule, x, y, batch);
              if (!start.falls || start.x > static_cast<float>(w - 1) || start.y > static_cast<float>(h - 1)) continue;
              if (!ground.takes_all.empty() && ground.takes_all(x, y) != 0) continue;
              sum += run.run(start.x, start.y);
            }
          return sum;
        },
        [](int64_t a, int64_t b) { return a + b; });
    spread(ground, change, quiet);
    context.progress(static_cast<double>(batch + 1) / DropletRule::batches);
  }
  return left;
}

}  // namespace tepui
