#include "tepui/erode/glacier_flow.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tepui/hydrology/d8.h"
#include "tepui/hydrology/gather.h"
#include "tepui/hydrology/watercourses.h"

namespace tepui {

namespace {

constexpr int flux_bits = 52;  // sums are whole numbers as doubles, too

/// The land at the samples of the lattice, voids as the nearest sample has them.
Terrain land_on(const Terrain& land, const Lattice& lattice, const Context& context) {
  Frame frame;
  frame.origin = lattice.origin;
  frame.cell = lattice.cell;
  frame.width = lattice.width, frame.height = lattice.height;
  frame.size = {lattice.cell.x * static_cast<double>(lattice.width - 1),
                lattice.cell.y * static_cast<double>(lattice.height - 1)};
  Terrain out(frame, land.relief(), point_samples(land.height(), lattice, context));
  if (const Layer* voids = land.find("void"))
    out = out.with(voids->holding(point_samples(voids->grid(), lattice, context)));
  return out;
}

/// Receivers, and all land upstream before downstream.
void set_order(const Watercourses& water, GlacierFlow& flow) {
  const int64_t count = water.ground.size();
  const D8 d8(flow.lattice.width, flow.lattice.cell);
  flow.receiver.assign(static_cast<size_t>(count), -1);
  std::vector<int32_t> waiting(static_cast<size_t>(count), 0);
  for (int64_t i = 0; i < count; ++i) {
    const uint8_t code = water.directions.data()[i];
    if (code == d8_none) continue;
    const int64_t down = i + d8.step[code];
    flow.receiver[static_cast<size_t>(i)] = static_cast<int32_t>(down);
    ++waiting[static_cast<size_t>(down)];
  }
  flow.is_land.resize(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    const auto kind = water.ground.kind.data()[i];
    flow.is_land[static_cast<size_t>(i)] = kind != decltype(kind)::sea && kind != decltype(kind)::outside ? 1 : 0;
  }
  const auto is_land = [&](int64_t i) { return flow.is_land[static_cast<size_t>(i)] != 0; };
  flow.order.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i)
    if (waiting[static_cast<size_t>(i)] == 0 && is_land(i)) flow.order.push_back(static_cast<int32_t>(i));
  for (size_t next = 0; next < flow.order.size(); ++next) {
    const int32_t down = flow.receiver[static_cast<size_t>(flow.order[next])];
    if (down >= 0 && --waiting[static_cast<size_t>(down)] == 0 && is_land(down)) flow.order.push_back(down);
  }
}

}  // namespace

double GlacierFlow::way(int64_t cell) const {
  const int64_t down = receiver[static_cast<size_t>(cell)];
  if (down < 0) return std::sqrt(lattice.cell.x * lattice.cell.y);
  const double dx = static_cast<double>(down % lattice.width - cell % lattice.width) * lattice.cell.x;
  const double dy = static_cast<double>(down / lattice.width - cell / lattice.width) * lattice.cell.y;
  return std::sqrt(dx * dx + dy * dy);
}

GlacierFlow glacier_flow(const Terrain& land, const Lattice& lattice, const IceClimate& climate,
                         std::optional<double> sea_level, const Context& context) {
  GlacierFlow flow;
  flow.lattice = lattice;
  const Terrain ground = land_on(land, lattice, context);
  set_order(watercourses(ground, sea_level, context), flow);
  flow.bed = ground.height().clone();
  const auto count = static_cast<size_t>(lattice.size());
  flow.entering.assign(count, 0), flow.leaving.assign(count, 0);
  const double area = lattice.cell.x * lattice.cell.y;
  float most = 0;
  for (const float m : climate.most.cells()) most = std::max(most, m);
  flow.quanta = quanta_a_unit(std::max(static_cast<double>(most) * area, 1e-30), lattice.size(), flux_bits);
  for (const int32_t cell : flow.order) {
    const auto i = static_cast<size_t>(cell);
    const int64_t in = flow.entering[i];
    const double flux = static_cast<double>(in) / flow.quanta;
    const double top = static_cast<double>(flow.bed.data()[cell]) + glacier_thickness(flux);
    const double balance = climate.balance(cell, top);
    const int64_t gain = balance > 0 ? static_cast<int64_t>(balance * area * flow.quanta) : 0;
    int64_t loss = 0;
    if (balance < 0 && in > 0) {
      const double melt = -balance * flow.way(cell) * glacier_width(flux) * flow.quanta;
      loss = melt < static_cast<double>(in) ? static_cast<int64_t>(melt) : in;
    }
    flow.leaving[i] = in + gain - loss;
    flow.added += gain, flow.melted += loss;
    const int32_t down = flow.receiver[i];
    if (down >= 0) flow.entering[static_cast<size_t>(down)] += flow.leaving[i];
    if (down < 0 || flow.is_land[static_cast<size_t>(down)] == 0) flow.left += flow.leaving[i];
  }
  return flow;
}

}  // namespace tepui
