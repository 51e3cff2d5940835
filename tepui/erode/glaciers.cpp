#include "tepui/erode/glaciers.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/erode/cirques.h"
#include "tepui/erode/glacier_flow.h"
#include "tepui/erode/glacier_ice.h"
#include "tepui/erode/glacier_paths.h"
#include "tepui/erode/height_quanta.h"
#include "tepui/erode/moraines.h"
#include "tepui/erode/troughs.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

constexpr int64_t flow_cells = 256;      // on the longer side of the lattice on which ice flows
constexpr double full_years = 40000;     // until troughs have all of their form
constexpr double raggedness = 30;        // metres by which walls are moved
constexpr double room = 0.5;             // for cuts and moraines, as a share of the relief
constexpr double floor_share = 0.05;     // of a trough's depth that till fills
constexpr double most_till_share = 0.5;  // of what was worn that is laid down

Lattice flow_lattice(const Frame& land) {
  Lattice chosen = own_lattice(land);
  for (const Lattice& lattice : lattice_ladder(land))
    if (lattice.step == 1 || std::max(lattice.width, lattice.height) - 1 <= flow_cells) chosen = lattice;
  return chosen;
}

std::vector<Trough> troughs_of(const std::vector<GlacierPath>& paths) {
  std::vector<Trough> out;
  const auto end = [](const GlacierPoint& p) {
    return TroughEnd{p.at, p.floor, std::max(p.depth, 1.0), std::max(p.half, 1.0), p.flux};
  };
  for (const GlacierPath& path : paths)
    for (size_t i = 0; i + 1 < path.points.size(); ++i)
      out.push_back({end(path.points[i]), end(path.points[i + 1]), false});
  return out;
}

Layer map_of(const char* name, const char* unit, const Grid<float>& like, const auto& at, const Context& context) {
  Grid<float> cells(like.width(), like.height());
  parallel_chunks(cells.size(), 65536, context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) cells.data()[i] = at(i);
  });
  return make_layer(name, unit, LayerKind::continuous, std::move(cells));
}

/// The land before, carved and under till, in quanta.
class IcyLand {
 public:
  IcyLand(const Terrain& in, const Geology* rock, const Terrain* mask, const GlaciersParams& params,
          const Context& context)
      : in_(in), rock_(rock), params_(params), own_(own_lattice(in.frame())), quiet_(context.told_to(nullptr)) {
    const auto [low, high] = std::ranges::minmax(in.height().cells());
    const double margin = room * (static_cast<double>(high) - static_cast<double>(low));
    quanta_ = HeightQuanta::of({static_cast<double>(low) - margin, static_cast<double>(high) + margin});
    if (mask != nullptr) share_ = mask_layer(*mask).grid().clone();
    before_ = Grid<float>(own_.width, own_.height);
    for (int64_t i = 0; i < before_.size(); ++i)
      before_.data()[i] = quanta_.quanta(static_cast<double>(in.height().data()[i]));
    carved_ = before_.clone();
    till_ = Grid<float>(own_.width, own_.height, 0.0f);
    ice_ = Grid<float>(own_.width, own_.height, 0.0f), flux_ = ice_.clone();
  }

  void freeze(const Context& context) {
    const Lattice lattice = flow_lattice(in_.frame());
    const IceClimate climate = ice_climate(in_, lattice, params_, quiet_);
    const GlacierFlow flow = glacier_flow(in_, lattice, climate, params_.sea_level, quiet_);
    const auto tell = [&](const char* name, int64_t quanta) {
      context.tell(name, static_cast<double>(quanta) / flow.quanta, "m3/yr");
    };
    tell("snow became ice", flow.added), tell("ice melted", flow.melted), tell("ice left the land", flow.left);
    const std::vector<GlacierPath> paths = glacier_paths(flow, climate, rock_, params_, quiet_);
    const Stream draws = params_.seed.stream("glaciers");
    const std::vector<Trough> troughs = troughs_of(paths);
    std::vector<Trough> all = cirques(paths, params_.cirques, params_.variety, draws);
    all.insert(all.end(), troughs.begin(), troughs.end());
    const Raggedness ragged{raggedness * params_.variety, draws.bits(0, 4)};
    TroughLand carved = troughs_under(in_.height(), own_, all, ragged, floor_share * params_.moraines, quiet_);
    carve(carved.height);
    lay_till(carved.floor, paths);
    if (params_.glaciation == IceAge::height) lay_ice(all, lattice, climate);
  }

  Terrain finish(const Context& context) const;

 private:
  double share(int64_t i) const {
    return share_.empty() ? 1 : std::clamp(static_cast<double>(share_.data()[i]), 0.0, 1.0);
  }
  double ground(int64_t i) const { return static_cast<double>(quanta_.height(carved_.data()[i] + till_.data()[i])); }

  void carve(const Grid<float>& wanted) {
    const double form = params_.carving > 0 ? math::smoothstep(0, full_years, params_.years * params_.carving) : 0;
    for (int64_t i = 0; i < carved_.size(); ++i) {
      const double z = static_cast<double>(in_.height().data()[i]);
      const double cut = form * share(i) * (z - static_cast<double>(wanted.data()[i]));
      if (cut > 0) carved_.data()[i] = std::min(before_.data()[i], quanta_.quanta(z - cut));
    }
    if (rock_ != nullptr) spare_hardest();
  }

  /// Rock of resistance 1 never wears.
  void spare_hardest();

  /// No more than a share of what was worn.
  void lay_till(const Grid<float>& floor, const std::vector<GlacierPath>& paths) {
    if (!(params_.moraines > 0)) return;
    Grid<float> ground_now(own_.width, own_.height);
    for (int64_t i = 0; i < carved_.size(); ++i) ground_now.data()[i] = quanta_.height(carved_.data()[i]);
    const Grid<float> ridges =
        moraine_ridges(ground_now, own_, paths, params_.moraines, params_.seed.stream("glaciers"), quiet_);
    double worn = 0, wanted = 0;
    for (int64_t i = 0; i < carved_.size(); ++i) {
      const double fill = carved_.data()[i] < before_.data()[i]
                              ? static_cast<double>(floor.data()[i]) - static_cast<double>(ground_now.data()[i])
                              : 0;
      const double depth = share(i) * std::max(fill, static_cast<double>(ridges.data()[i]));
      till_.data()[i] = static_cast<float>(std::floor(std::max(depth, 0.0) / quanta_.quantum));
      worn += static_cast<double>(before_.data()[i]) - static_cast<double>(carved_.data()[i]);
      wanted += static_cast<double>(till_.data()[i]);
    }
    const double part = wanted > 0 ? std::min(1.0, most_till_share * worn / wanted) : 0;
    for (int64_t i = 0; i < till_.size(); ++i) {
      const float room_above = static_cast<float>(quanta_.most) - carved_.data()[i];
      till_.data()[i] =
          std::min(std::floor(static_cast<float>(part * static_cast<double>(till_.data()[i]))), room_above);
    }
  }

  void lay_ice(const std::vector<Trough>& troughs, const Lattice& lattice, const IceClimate& climate);

  const Terrain& in_;
  const Geology* rock_;
  const GlaciersParams& params_;
  Lattice own_;
  Context quiet_;
  HeightQuanta quanta_;
  Grid<float> share_, before_, carved_, till_, ice_, flux_;
};

void IcyLand::spare_hardest() {
  const int64_t w = own_.width;
  parallel_chunks(own_.height, rows_per_chunk(w), quiet_, [&](int64_t begin, int64_t end) {
    const auto n = static_cast<size_t>(w);
    std::vector<double> xs(n), ys(n), zs(n);
    std::vector<float> rho(n);
    for (int64_t y = begin; y < end; ++y) {
      for (int64_t x = 0; x < w; ++x) {
        xs[static_cast<size_t>(x)] = own_.origin.x + static_cast<double>(x) * own_.cell.x;
        ys[static_cast<size_t>(x)] = own_.origin.y + static_cast<double>(y) * own_.cell.y;
        zs[static_cast<size_t>(x)] = static_cast<double>(in_.height()(x, y));
      }
      rock_->resistance({xs.data(), ys.data(), zs.data(), w}, rho.data());
      for (int64_t x = 0; x < w; ++x)
        if (rho[static_cast<size_t>(x)] >= 1) carved_(x, y) = before_(x, y);
    }
  });
}

void IcyLand::lay_ice(const std::vector<Trough>& troughs, const Lattice& lattice, const IceClimate& climate) {
  Grid<float> bed(own_.width, own_.height);
  for (int64_t i = 0; i < bed.size(); ++i) bed.data()[i] = static_cast<float>(ground(i));
  const TroughIce ice = all_ice(bed, own_, ice_in_troughs(lattice, troughs, quiet_), lattice, climate, quiet_);
  for (int64_t i = 0; i < bed.size(); ++i) {
    const double depth = share(i) * (static_cast<double>(ice.top.data()[i]) - static_cast<double>(bed.data()[i]));
    const double room_above =
        quanta_.most - static_cast<double>(carved_.data()[i]) - static_cast<double>(till_.data()[i]);
    ice_.data()[i] =
        static_cast<float>(std::floor(std::clamp(depth / quanta_.quantum, 0.0, std::max(room_above, 0.0))));
    flux_.data()[i] = ice_.data()[i] > 0 ? ice.flux.data()[i] : 0.0f;
  }
}

/// Layers, each a whole number of quanta.
Terrain IcyLand::finish(const Context& context) const {
  const Layer* sediment = in_.find("sediment");
  const auto had = [&](int64_t i) {
    return sediment == nullptr
               ? 0.0f
               : std::max(0.0f, std::round(static_cast<float>(sediment->grid().data()[i] / quanta_.quantum)));
  };
  const auto cut = [&](int64_t i) { return before_.data()[i] - carved_.data()[i]; };
  const auto metres_of = [&](const char* name, const auto& at) {
    return map_of(
        name, "m", before_, [&](int64_t i) { return quanta_.depth(at(i)); }, quiet_);
  };
  const auto loose = [&](int64_t i) { return std::max(0.0f, had(i) - cut(i)) + till_.data()[i]; };
  const auto top = [&](int64_t i) { return carved_.data()[i] + till_.data()[i] + ice_.data()[i]; };
  double worn = 0, laid = 0;
  for (int64_t i = 0; i < before_.size(); ++i)
    worn += static_cast<double>(cut(i)), laid += static_cast<double>(till_.data()[i]);
  const double volume = quanta_.quantum * own_.cell.x * own_.cell.y;
  context.tell("worn", worn * volume, "m3");
  context.tell("laid down", laid * volume, "m3");
  context.tell("carried off", (worn - laid) * volume, "m3");
  Terrain out = in_.with(metres_of("sediment", loose))
                    .with(metres_of("wear", cut))
                    .with(metres_of("moraine", [&](int64_t i) { return till_.data()[i]; }))
                    .with(metres_of("ice", [&](int64_t i) { return ice_.data()[i]; }))
                    .with(map_of(
                        "ice_flow", "m3/yr", before_, [&](int64_t i) { return flux_.data()[i]; }, quiet_))
                    .with(map_of(
                        "height", "m", before_, [&](int64_t i) { return quanta_.height(top(i)); }, quiet_));
  const auto [low, high] = std::ranges::minmax(out.height().cells());
  return low < high ? out.with_relief({static_cast<double>(low), static_cast<double>(high)}) : out;
}

}  // namespace

Terrain glaciers(const Terrain& in, const Geology* rock, const Terrain* mask, const GlaciersParams& params,
                 const Context& context) {
  if (mask != nullptr) require_same_frame(in.frame(), "in", mask->frame(), "mask");
  if (in.height().empty()) return in;
  IcyLand land(in, rock, mask, params, context);
  if (params.glaciation != IceAge::before) land.freeze(context);
  return land.finish(context);
}

}  // namespace tepui
