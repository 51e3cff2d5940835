#include "tepui/erode/stream_load.h"

#include <algorithm>
#include <atomic>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

/// Of its depth, how much of a lake can be filled in one step: what is left keeps the way of the water.
constexpr double lake_share = 0.9;

}  // namespace

StreamLoad::StreamLoad(StreamLand& land, const Watercourses& water, const FlowOrder& order,
                       const std::function<double(int64_t)>& area, double dt, const Context& context)
    : land_(land),
      ground_(land.ground),
      water_(water),
      order_(order),
      dt_(dt),
      before_(land.height.clone()),
      raised_(before_.width(), before_.height()),
      share_(before_.width(), before_.height()),
      cutting_(before_.width(), before_.height()),
      alpha_(before_.width(), before_.height(), 0.0f),
      beta_(before_.width(), before_.height(), 0.0f),
      regime_(before_.width(), before_.height(), Regime::held) {
  const double cell = land.lattice_.cell.x * land.lattice_.cell.y;
  const int64_t w = before_.width();
  parallel_chunks(before_.height(), rows_per_chunk(w), context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * w; i < end * w; ++i) {
      const double z = before_.data()[i], up = ground_.uplift.empty() ? 0 : ground_.uplift.data()[i];
      raised_.data()[i] = land.given_height(i, order.receiver(i), z, dt).value_or(z + dt * up);
      const double drained = area(i);
      share_.data()[i] = land.law_.deposition * cell / drained;
      cutting_.data()[i] = dt * land.law_.k * land.power_(land.effective_area_of(drained));
    }
  });
}

StreamLoad::Line StreamLoad::of_donors(int64_t node) const {
  const int64_t w = before_.width(), h = before_.height(), x = node % w, y = node / w;
  Line sum;
  for (size_t k = 0; k < 8; ++k) {
    const int64_t nx = x + d8_x[k], ny = y + d8_y[k];
    if (nx < 0 || ny < 0 || nx >= w || ny >= h) continue;
    const int64_t donor = ny * w + nx;
    if (order_.receiver(donor) != node) continue;
    sum.alpha += static_cast<double>(alpha_.data()[donor]);
    sum.beta += static_cast<double>(beta_.data()[donor]);
  }
  return sum;
}

double StreamLoad::distance(int64_t node, int64_t to) const {
  return land_.close_.metres(node, to, water_.directions.data()[node]);
}

double StreamLoad::strength(int64_t node, bool shingle) const {
  const double rock = ground_.softness.empty() ? 1.0 : static_cast<double>(ground_.softness.data()[node]);
  return (shingle ? ground_.shingle_softness : rock) * cutting_.data()[node];
}

bool StreamLoad::covered(int64_t node) const {
  if (ground_.bed.empty() || !(ground_.shingle_softness > 0)) return false;
  return before_.data()[node] > ground_.bed.data()[node];
}

double StreamLoad::bed(int64_t node) const {
  return static_cast<double>(ground_.bed.data()[node]) + raised(node) - static_cast<double>(before_.data()[node]);
}

bool StreamLoad::drowned(int64_t node) const {
  return water_.ways.level[static_cast<size_t>(water_.basins.of.data()[node])] > before_.data()[node];
}

double StreamLoad::settled(int64_t node, const Line& donors) const {
  const double level = water_.ways.level[static_cast<size_t>(water_.basins.of.data()[node])];
  const double room = lake_share * std::max(0.0, level - raised(node));
  return std::clamp(donors.alpha / (1 + donors.beta), 0.0, room);
}

/// What a node passes on, with its regime of the last round and, if n is not 1, about its last slope.
StreamLoad::Line StreamLoad::eliminated(int64_t node, int64_t to) const {
  const Line in = of_donors(node);
  const double all = 1 + in.beta, up = raised(node), above = up - raised(to);
  const Regime regime = regime_.data()[node];
  double slope = 0, least = 0;  // wear = least + slope (height above the receiver)
  switch (regime) {
    case Regime::held:
      return {in.alpha, 0};
    case Regime::lake:
      return {in.alpha - all * settled(node, in), 0};
    case Regime::bed:
      return {in.alpha + all * (up - bed(node)), 0};
    case Regime::failing: {
      const double steepest = static_cast<double>(ground_.steepest.data()[node]);
      return {in.alpha + all * (above - steepest * distance(node, to)), all};
    }
    case Regime::still:
      break;
    case Regime::river:
    case Regime::shingle: {
      const double n = land_.law_.n, d = distance(node, to), k = strength(node, regime == Regime::shingle);
      slope = k / d;
      if (n == 1) break;
      const double rise = static_cast<double>(land_.height.data()[node]) - static_cast<double>(land_.height.data()[to]);
      const double last = std::max(rise, 1e-9 * d), wear = k * math::pow(last / d, n);
      slope = n * wear / last;
      least = wear - slope * last;
    }
  }
  const double g = share_.data()[node], scale = all / (1 + slope + g * all);
  return {in.alpha + scale * (least + slope * above - g * in.alpha), scale * slope};
}

/// Where water wears the rock, or only what lies on it, and lays its load down.
double StreamLoad::worn_height(int64_t node, int64_t to, double receiver, double share, const Line& donors,
                               bool shingle) const {
  const double all = 1 + share * (1 + donors.beta), laid = share * donors.alpha / all;
  const double filled = raised(node) + laid, k = strength(node, shingle);
  if (!(k > 0)) return std::max(filled, raised(node));
  return filled > receiver ? land_.solved(filled, receiver, distance(node, to), k / all) : filled;
}

bool StreamLoad::solve(int64_t node, int64_t to, bool first) {
  const double up = raised(node);
  Regime& regime = regime_.data()[node];
  const Regime was = regime;
  float& z = land_.height.data()[node];
  if (to < 0 || (!ground_.fixed.empty() && ground_.fixed.data()[node] != 0)) {
    regime = Regime::held, z = static_cast<float>(up);
    return false;
  }
  // Before the load is known, as much is laid down as where all land wears alike.
  const Line donors = first ? Line{} : of_donors(node);
  if (drowned(node)) {
    regime = Regime::lake, z = static_cast<float>(up + settled(node, donors));
    return false;
  }
  const double g = first ? land_.law_.deposition : share_.data()[node], receiver = land_.height.data()[to];
  double next = worn_height(node, to, receiver, g, donors, false);
  regime = next > receiver && strength(node, false) > 0 ? Regime::river : Regime::still;
  if (covered(node)) {
    const double loose = worn_height(node, to, receiver, g, donors, true), rock = bed(node);
    if (loose > std::min(rock, next))
      next = loose, regime = next > receiver ? Regime::shingle : Regime::still;
    else if (rock < next)
      next = rock, regime = Regime::bed;
  }
  if (land_.cap_along_rivers && !ground_.steepest.empty() && next > receiver) {
    const double most = receiver + static_cast<double>(ground_.steepest.data()[node]) * distance(node, to);
    if (next > most) next = most, regime = Regime::failing;
  }
  z = static_cast<float>(next);
  return regime != was;
}

double StreamLoad::run(const Context& context) {
  order_.upstream(context, [&](int64_t node, int64_t to) { solve(node, to, true); });
  for (int round = 0; round < StreamLand::load_rounds; ++round) {
    order_.downstream(context, [&](int64_t node, int64_t to) {
      const Line line = eliminated(node, to);
      alpha_.data()[node] = static_cast<float>(line.alpha), beta_.data()[node] = static_cast<float>(line.beta);
    });
    std::atomic<bool> changed = land_.law_.n != 1;
    order_.upstream(context, [&](int64_t node, int64_t to) {
      if (solve(node, to, false)) changed.store(true, std::memory_order_relaxed);
    });
    // The sweep down knew all that the sweep up met.
    if (!changed.load()) break;
  }
  double out = 0;
  for (int64_t i = 0; i < before_.size(); ++i)
    if (order_.receiver(i) < 0) out += of_donors(i).alpha;
  return out;
}

}  // namespace tepui
