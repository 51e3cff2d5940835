#include "reference/droplets.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tepui::reference {

namespace {

float softness_at(const DropletGround& ground, int64_t i) {
  return ground.softness.empty() ? 1.0f : ground.softness.data()[i];
}
float share_at(const DropletGround& ground, int64_t i) { return ground.share.empty() ? 1.0f : ground.share.data()[i]; }

struct Droplet {
  float x, y, dx = 0, dy = 0, speed = 1;
  int32_t load = 0;
};

/// Of the land between four samples, in cells.
struct Plane {
  float z, gx, gy;
};

Plane plane_at(const DropletGround& ground, const DropletRule& rule, float x, float y) {
  const int64_t w = ground.height.width(), h = ground.height.height();
  const int64_t i0 = std::min<int64_t>(static_cast<int64_t>(x), std::max<int64_t>(w - 2, 0)),
                i1 = std::min(i0 + 1, w - 1);
  const int64_t j0 = std::min<int64_t>(static_cast<int64_t>(y), std::max<int64_t>(h - 2, 0)),
                j1 = std::min(j0 + 1, h - 1);
  const float cells = 1 / rule.quanta_a_cell;
  const float u = x - static_cast<float>(i0), v = y - static_cast<float>(j0);
  const float a = ground.height(i0, j0) * cells, b = ground.height(i1, j0) * cells;
  const float c = ground.height(i0, j1) * cells, d = ground.height(i1, j1) * cells;
  const float gx = (b - a) + v * ((d - c) - (b - a)), gy = (c - a) + u * ((d - b) - (c - a));
  return {a + u * (b - a) + v * gy, gx, gy};
}

int64_t nearest(const DropletGround& ground, float x, float y) {
  return static_cast<int64_t>(y + 0.5f) * ground.height.width() + static_cast<int64_t>(x + 0.5f);
}

/// Returns what leaves the land.
int32_t run(const DropletGround& ground, const DropletRule& rule, Droplet drop, std::vector<int32_t>& change) {
  const auto most_x = static_cast<float>(ground.height.width() - 1);
  const auto most_y = static_cast<float>(ground.height.height() - 1);
  for (int step = 0; step < rule.steps; ++step) {
    const Plane here = plane_at(ground, rule, drop.x, drop.y);
    drop.dx = rule.inertia * drop.dx - (1 - rule.inertia) * here.gx;
    drop.dy = rule.inertia * drop.dy - (1 - rule.inertia) * here.gy;
    const float length = std::sqrt(drop.dx * drop.dx + drop.dy * drop.dy);
    if (!(length > 1e-9f)) break;
    drop.dx /= length;
    drop.dy /= length;
    const int64_t cell = nearest(ground, drop.x, drop.y);
    const float x = drop.x + drop.dx, y = drop.y + drop.dy;
    if (!(x >= 0 && y >= 0 && x <= most_x && y <= most_y)) return drop.load;
    if (!ground.takes_all.empty() && ground.takes_all.data()[nearest(ground, x, y)] != 0) return drop.load;
    const float rise = plane_at(ground, rule, x, y).z - here.z;
    const float water = 1 - static_cast<float>(step) / static_cast<float>(rule.steps);
    const float carried = static_cast<float>(drop.load) * (1 / rule.quanta_a_cell) / rule.bite;
    const float most = rule.capacity * std::max(-rise, DropletRule::least_slope) * (drop.speed * water);
    float laid = 0;
    if (rise > 0) laid = std::min(rise, carried);
    if (!(rise > 0) && carried > most) laid = DropletRule::rate * (carried - most);
    if (!(rise > 0) && !(carried > most)) laid = -std::min(DropletRule::rate * (most - carried), -rise);
    laid *= share_at(ground, cell);
    if (laid < 0) laid *= softness_at(ground, cell);
    const int32_t quanta = std::min(static_cast<int32_t>(laid * rule.bite * rule.quanta_a_cell), drop.load);
    change[static_cast<size_t>(cell)] += quanta;
    drop.load -= quanta;
    drop.speed = std::min(DropletRule::fastest,
                          std::sqrt(std::max(0.0f, drop.speed * drop.speed - DropletRule::gravity * rise)));
    drop.x = x;
    drop.y = y;
  }
  const int64_t end = nearest(ground, drop.x, drop.y);
  if (share_at(ground, end) == 0) return drop.load;
  change[static_cast<size_t>(end)] += drop.load;
  return 0;
}

void spread(DropletGround& ground, const std::vector<int32_t>& change) {
  const int64_t w = ground.height.width(), h = ground.height.height();
  for (int64_t y = 0; y < h; ++y)
    for (int64_t x = 0; x < w; ++x) {
      const int32_t all = change[static_cast<size_t>(y * w + x)];
      int32_t kept = all;
      for (int64_t j = -1; j <= 1; ++j)
        for (int64_t i = -1; i <= 1; ++i) {
          if ((i == 0 && j == 0) || x + i < 0 || y + j < 0 || x + i >= w || y + j >= h) continue;
          const int64_t to = (y + j) * w + x + i;
          if (share_at(ground, to) == 0 || (all < 0 && softness_at(ground, to) == 0)) continue;
          const int32_t given = all / (i == 0 || j == 0 ? 8 : 16);
          ground.height.data()[to] += static_cast<float>(given);
          kept -= given;
        }
      ground.height(x, y) += static_cast<float>(kept);
    }
}

}  // namespace

int64_t run_droplets(DropletGround& ground, const DropletRule& rule) {
  const int64_t w = ground.height.width(), h = ground.height.height();
  int64_t left = 0;
  for (int batch = 0; batch < DropletRule::batches; ++batch) {
    std::vector<int32_t> change(static_cast<size_t>(w * h), 0);
    for (int64_t y = 0; y < h; ++y)
      for (int64_t x = 0; x < w; ++x) {
        const DropletStart start = droplet_start(rule, x, y, batch);
        if (!start.falls || start.x > static_cast<float>(w - 1) || start.y > static_cast<float>(h - 1)) continue;
        if (!ground.takes_all.empty() && ground.takes_all(x, y) != 0) continue;
        left += run(ground, rule, {start.x, start.y}, change);
      }
    spread(ground, change);
  }
  return left;
}

}  // namespace tepui::reference
