#include "tepui/landforms/project.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/volume/space_order.h"

namespace tepui {

namespace {

constexpr int64_t batch = 128;
constexpr int steps = 5;

struct Batch {
  double x[batch], y[batch], z[batch];
  float v[batch], dx[batch], dy[batch], dz[batch];
  int64_t count = 0;

  Vec3 place(int64_t i) const { return {x[i], y[i], z[i]}; }
  Vec3 slope(int64_t i) const {
    return {static_cast<double>(dx[i]), static_cast<double>(dy[i]), static_cast<double>(dz[i])};
  }
  void move(int64_t i, Vec3 to) { x[i] = to.x, y[i] = to.y, z[i] = to.z; }
  void ask(const Solid& solid) {
    if (count > 0) solid.gradients({x, y, z, count, box_around(x, y, z, count)}, v, dx, dy, dz);
  }
  /// How far away the surface is, as far as the slope tells.
  bool is_near(int64_t i, double within) const {
    const double g = length(slope(i));
    return g > 0 && std::abs(static_cast<double>(v[i])) <= within * g;
  }
};

/// Where the sign changes next along a line, in both directions; false where it does not within reach.
bool search_line(const Volume& volume, Vec3 from, Vec3 direction, double reach, Vec3& found) {
  const bool inside = volume.inside(from);
  // Out of the rock from within, into it from outside.
  const Vec3 first = direction * (inside ? -1.0 : 1.0);
  constexpr int parts = 8;
  for (int i = 1; i <= parts; ++i)
    for (const double sign : {1.0, -1.0}) {
      double near = sign * reach * (i - 1) / parts, out = sign * reach * i / parts;
      if (volume.inside(from + first * out) == inside) continue;
      for (int k = 0; k < 12; ++k) {
        const double middle = 0.5 * (near + out);
        (volume.inside(from + first * middle) == inside ? near : out) = middle;
      }
      found = from + first * (0.5 * (near + out));
      return true;
    }
  return false;
}

}  // namespace

ProjectedPlaces project(const Volume& volume, std::span<const Vec3> places, double reach, const Context& context,
                        std::span<const Vec3> outwards) {
  if (!outwards.empty() && outwards.size() != places.size()) refuse("as many directions are needed as places");
  if (!(reach > 0)) refuse("places need some reach to be moved onto a surface");
  const auto count = static_cast<int64_t>(places.size());
  if (count > most_in_order) refuse("too many places at once", "use a wider spacing, or a smaller region");
  std::vector<double> axes[3];
  for (auto& axis : axes) axis.resize(places.size());
  for (size_t i = 0; i < places.size(); ++i)
    axes[0][i] = places[i].x, axes[1][i] = places[i].y, axes[2][i] = places[i].z;
  const std::vector<uint32_t> order = order_in_space(axes[0].data(), axes[1].data(), axes[2].data(), count);
  ProjectedPlaces result{{places.begin(), places.end()}, std::vector<Vec3>(places.size()), {}};
  result.found.assign(places.size(), 0);
  const double within = reach * 5e-3;
  parallel_chunks(count, batch, context, [&](int64_t begin, int64_t end) {
    Batch at;
    uint32_t which[batch];
    for (int64_t i = begin; i < end; ++i) {
      const uint32_t n = order[static_cast<size_t>(i)];
      if (!is_place(places[n].x, places[n].y, places[n].z)) continue;
      which[at.count] = n;
      at.move(at.count++, places[n]);
    }
    for (int step = 0;; ++step) {
      at.ask(volume.root());
      if (step == steps) break;
      bool done = true;
      for (int64_t i = 0; i < at.count; ++i) {
        if (at.is_near(i, within)) continue;
        const Vec3 g = at.slope(i);
        const double square = dot(g, g);
        if (!(square > 0)) continue;
        Vec3 move = g * (-static_cast<double>(at.v[i]) / square);
        const double far = length(move);
        if (far > 0.5 * reach) move = move * (0.5 * reach / far);
        at.move(i, at.place(i) + move);
        done = false;
      }
      if (done) break;
    }
    const auto arrived = [&](int64_t i, const Batch& b) {
      return b.is_near(i, within) && length(b.place(i) - places[which[i]]) <= reach;
    };
    Batch again = at;
    bool searched = false;
    for (int64_t i = 0; i < at.count; ++i) {
      Vec3 found;
      if (arrived(i, at)) continue;
      searched = true;
      const Vec3 from = places[which[i]], g = outwards.empty() ? volume.gradient(from) : outwards[which[i]] * -1;
      const double steep = length(g);
      if (steep > 0 && search_line(volume, from, g * (1 / steep), reach, found)) again.move(i, found);
    }
    if (searched) again.ask(volume.root());
    for (int64_t i = 0; i < at.count; ++i) {
      const double steep = length(again.slope(i));
      if (!arrived(i, again)) continue;
      result.at[which[i]] = again.place(i);
      result.normal[which[i]] = again.slope(i) * (-1 / steep);
      result.found[which[i]] = 1;
    }
  });
  return result;
}

}  // namespace tepui
