#include "tepui/cover/snow_settle.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/noise.h"
#include "tepui/core/parallel.h"
#include "tepui/cover/snow_weather.h"
#include "tepui/terrain/cells.h"
#include "tepui/terrain/derivatives.h"

namespace tepui {

namespace {

constexpr double slope_length = 10;
/// Deep snow that slides comes to rest so much less steep than it may be, as a tangent: it would creep for ever;
/// and it leaves so much less than `deep`.
constexpr double ease = 0.03, shallower = 0.95;

bool is_pit(const Grid<float>& z, int64_t x, int64_t y) {
  const float here = z(x, y);
  for (int64_t v = std::max<int64_t>(y - 1, 0); v <= std::min(y + 1, z.height() - 1); ++v)
    for (int64_t u = std::max<int64_t>(x - 1, 0); u <= std::min(x + 1, z.width() - 1); ++u)
      if (z(u, v) < here) return false;
  return true;
}

}  // namespace

SnowHold snow_hold(const Terrain& ground, const SnowRest& rest, const Context& context) {
  const Grid<float>& z = ground.height();
  const Frame& frame = ground.frame();
  const Grid<float> tangent = slope_grid(ground, slope_length, context);
  NoiseSpec spec;
  spec.scale = 40, spec.octaves = 2, spec.key = 0x5e77;
  const Noise noise(spec);
  std::vector<double> xs(static_cast<size_t>(z.width()));
  for (int64_t x = 0; x < z.width(); ++x) xs[static_cast<size_t>(x)] = frame.x(x);
  SnowHold hold{Grid<int64_t>(z.width(), z.height()), Grid<float>(z.width(), z.height())};
  parallel_chunks(z.height(), rows_per_chunk(z.width()), context, [&](int64_t begin, int64_t end) {
    std::vector<float> n(static_cast<size_t>(z.width()));
    for (int64_t y = begin; y < end; ++y) {
      noise.row(xs, frame.y(y), n);
      for (int64_t x = 0; x < z.width(); ++x) {
        const double slope = math::degrees(math::atan(static_cast<double>(tangent(x, y))));
        const double rough = 3 * (1 + static_cast<double>(n[static_cast<size_t>(x)]));
        const double u = std::max((rest.steepest - slope - rough) / 36, 0.0);
        const bool endless = slope <= std::min(16.0, rest.steepest) || is_pit(z, x, y);
        hold.most(x, y) = endless ? SnowHold::unlimited : static_cast<int64_t>(12 * u * u * snow_quanta);
        hold.stop(x, y) = static_cast<float>(rest.deep * (3 - 2 * math::smoothstep(8, 16, slope)));
      }
    }
  });
  return hold;
}

std::vector<uint32_t> from_the_highest(const Grid<float>& ground) {
  // By the bits of floats, which order as whole numbers do once those of negative ones are turned over.
  const auto count = static_cast<size_t>(ground.size());
  std::vector<uint32_t> keys(count), order(count), other(count);
  for (size_t i = 0; i < count; ++i) {
    const auto bits = std::bit_cast<uint32_t>(ground.data()[i] + 0.0f);
    keys[i] = (bits >> 31) != 0 ? bits : ~bits & 0x7fffffffu;
    order[i] = static_cast<uint32_t>(i);
  }
  for (const int shift : {0, 11, 22}) {
    std::vector<size_t> place(2049, 0);
    for (const uint32_t key : keys) ++place[(key >> shift & 2047) + 1];
    for (size_t k = 1; k < place.size(); ++k) place[k] += place[k - 1];
    for (const uint32_t i : order) other[place[keys[i] >> shift & 2047]++] = i;
    order.swap(other);
  }
  return order;
}

SnowSettle::SnowSettle(const Terrain& ground, SnowHold hold, const SnowRest& rest, const Context& context)
    : width_(ground.height().width()),
      height_(ground.height().height()),
      ground_(ground.height()),
      land_(ground),
      hold_(std::move(hold)),
      deep_(rest.deep),
      rest_(math::tan(math::radians(rest.rest))) {
  if (ground_.size() > std::numeric_limits<uint32_t>::max())
    refuse("the land has more samples than snow can slide on", "use a lower resolution, or windows of the land");
  context.check();
  order_ = from_the_highest(ground_);
  rank_.resize(order_.size());
  for (size_t k = 0; k < order_.size(); ++k) rank_[order_[k]] = static_cast<uint32_t>(k);
  active_.assign(order_.size() / 64 + 1, 0);
  const Vec2 cell = ground.frame().cell;
  size_t k = 0;
  for (int64_t dy = -1; dy <= 1; ++dy)
    for (int64_t dx = -1; dx <= 1; ++dx) {
      if (dx == 0 && dy == 0) continue;
      const double x = static_cast<double>(dx) * cell.x, y = static_cast<double>(dy) * cell.y;
      neighbours_[k++] = {dx, dy, dy * width_ + dx, std::sqrt(x * x + y * y)};
    }
}

/// Visits the samples that are awake from the highest down, or upwards, and those that wake ahead on the way; whether
/// there were any.
template <class Visit>
bool SnowSettle::pass(bool down, const Visit& visit) {
  bool any = false;
  const size_t words = active_.size();
  for (size_t n = 0; n < words; ++n) {
    const size_t word = down ? n : words - 1 - n;
    uint64_t ahead = ~uint64_t{0};  // bits of the word that this pass has yet to come to
    while (const uint64_t left = active_[word] & ahead) {
      const int at = down ? std::countr_zero(left) : 63 - std::countl_zero(left);
      ahead = down ? ~uint64_t{1} << at : (uint64_t{1} << at) - 1;
      active_[word] &= ~(uint64_t{1} << at);
      any = true;
      visit(static_cast<int64_t>(order_[word * 64 + static_cast<size_t>(at)]));
    }
  }
  return any;
}

void SnowSettle::fall(int64_t i, double scale, Grid<int64_t>& snow, Grid<int64_t>& passed, SnowLost& lost) {
  int64_t& lies = snow.data()[i];
  const int64_t most = hold_.most.data()[i];
  if (most == SnowHold::wet) {
    lost.melted += std::exchange(lies, 0);
    return;
  }
  const int64_t kept = std::min(most, static_cast<int64_t>(static_cast<double>(hold_.stop.data()[i]) * scale));
  if (lies <= kept) return;
  const int64_t x = i % width_, y = i / width_;
  const double here = static_cast<double>(ground_.data()[i]);
  double weight[8], sum = 0, largest = 0;
  size_t steepest = 0;
  for (size_t k = 0; k < 8; ++k) {
    const Neighbour& n = neighbours_[k];
    weight[k] = 0;
    if (!inside(x + n.dx, y + n.dy)) continue;
    const double drop = (here - static_cast<double>(ground_.data()[i + n.step])) / n.distance;
    if (!(drop > 0)) continue;
    sum += weight[k] = drop * drop;
    if (weight[k] > largest) largest = weight[k], steepest = k;
  }
  const int64_t excess = lies - kept;
  const bool border = x == 0 || y == 0 || x == width_ - 1 || y == height_ - 1;
  if (!(sum > 0) && !border) return;
  lies = kept;
  if (!(sum > 0)) {
    lost.left += excess;
    return;
  }
  int64_t left = excess;
  const auto give = [&](size_t k, int64_t part) {
    const int64_t to = i + neighbours_[k].step;
    snow.data()[to] += part;
    passed.data()[to] += part;
    left -= part;
    wake(to);
  };
  for (size_t k = 0; k < 8; ++k)
    if (weight[k] > 0 && k != steepest) give(k, static_cast<int64_t>(static_cast<double>(excess) * (weight[k] / sum)));
  give(steepest, left);
}

void SnowSettle::slide(int64_t i, double scale, Grid<int64_t>& snow, Grid<int64_t>& passed) {
  int64_t& lies = snow.data()[i];
  const auto left = static_cast<int64_t>(shallower * deep_ * scale);
  if (lies <= static_cast<int64_t>(deep_ * scale) || hold_.most.data()[i] == SnowHold::wet) return;
  const int64_t x = i % width_, y = i / width_;
  const double here = static_cast<double>(ground_.data()[i]);
  int64_t over[8], most_over = 0;
  bool steep = false;
  double sum = 0;
  for (size_t k = 0; k < 8; ++k) {
    const Neighbour& n = neighbours_[k];
    over[k] = 0;
    if (!inside(x + n.dx, y + n.dy)) continue;
    const int64_t there = snow.data()[i + n.step];
    if (hold_.most.data()[i + n.step] <= there) continue;
    const double drop = here - static_cast<double>(ground_.data()[i + n.step]);
    const double rise = drop * scale + static_cast<double>(lies - there);
    steep = steep || rise >= rest_ * n.distance * scale + 1;
    const double too_high = rise - std::max(rest_ - ease, 0.0) * n.distance * scale;
    if (!(too_high >= 1)) continue;
    over[k] = static_cast<int64_t>(std::min(too_high, 0x1p50));
    most_over = std::max(most_over, over[k]);
    sum += static_cast<double>(over[k]);
  }
  if (!steep) return;
  const double balance = static_cast<double>(most_over) * sum / (sum + static_cast<double>(most_over));
  const double moved = std::min(static_cast<double>(lies - left), balance);
  bool any = false;
  for (size_t k = 0; k < 8; ++k) {
    if (over[k] == 0) continue;
    const int64_t to = i + neighbours_[k].step, room = hold_.most.data()[to] - snow.data()[to];
    // Rounded up: what is too high comes down, however little it is.
    const int64_t part =
        std::min({static_cast<int64_t>(std::ceil(moved * (static_cast<double>(over[k]) / sum))), room, lies - left});
    if (part <= 0) continue;
    any = true;
    lies -= part;
    snow.data()[to] += part;
    passed.data()[to] += part;
    wake(to);
  }
  if (!any) return;
  wake(i);
  for (const Neighbour& n : neighbours_)
    if (inside(x + n.dx, y + n.dy)) wake(i + n.step);
}

SnowLost SnowSettle::settle(double density, const Context& context, Grid<int64_t>& snow, Grid<int64_t>& passed) {
  const double scale = density * snow_quanta;
  const auto deep = static_cast<int64_t>(deep_ * scale);
  SnowLost lost;
  context.check();
  for (int64_t i = 0; i < snow.size(); ++i) {
    const int64_t kept =
        std::min(hold_.most.data()[i], static_cast<int64_t>(static_cast<double>(hold_.stop.data()[i]) * scale));
    if (snow.data()[i] > kept) wake(i);
  }
  pass(true, [&](int64_t i) { fall(i, scale, snow, passed, lost); });
  context.check();
  for (int64_t i = 0; i < snow.size(); ++i)
    if (snow.data()[i] > deep) wake(i);
  // Upwards, what is piled up in a hollow gets out of it at once; downwards, what lies in a valley gets along it.
  for (bool down = false; pass(down, [&](int64_t i) { slide(i, scale, snow, passed); }); down = !down) context.check();
  return lost;
}

}  // namespace tepui
