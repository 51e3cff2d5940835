#include "tepui/mesh/surface_tiles.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/mman.h>
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"

namespace tepui {

namespace {

/// Reserves a long list in huge pages: the first touch of small ones costs more than the triangles that go there.
template <class T>
void make_room(std::vector<T>& list, size_t count) {
  list.reserve(count);
  constexpr size_t page = size_t{2} << 20;
  const auto start = (reinterpret_cast<uintptr_t>(list.data()) + page - 1) / page * page;
  const auto end = (reinterpret_cast<uintptr_t>(list.data()) + count * sizeof(T)) / page * page;
  if (start < end) madvise(reinterpret_cast<void*>(start), end - start, MADV_HUGEPAGE);
}

/// With its memory, which `list = {}` would keep.
template <class List>
void forget(List& list) {
  List().swap(list);
}

/// The whole numbers of vertices that a tile names beyond its own.
std::vector<uint32_t> beyond(const SurfaceTiling& tiling, const std::vector<SurfaceTile>& tiles,
                             const std::vector<uint64_t>& first, int64_t index) {
  const SurfaceTile& tile = tiles[static_cast<size_t>(index)];
  std::vector<uint32_t> numbers;
  const auto add = [&](int64_t next, const std::vector<uint32_t>& list, size_t count) {
    for (size_t n = 0; n < std::min(count, list.size()); ++n)
      numbers.push_back(static_cast<uint32_t>(first[static_cast<size_t>(next)]) + list[n]);
  };
  const bool more_x = index % tiling.across() + 1 < tiling.across(), more_y = index + tiling.across() < tiling.tiles();
  const int64_t north = index + tiling.across();
  if (more_x) add(index + 1, tiles[static_cast<size_t>(index) + 1].west, tile.east);
  if (more_y) add(north, tiles[static_cast<size_t>(north)].south, tile.north);
  if (more_x && more_y) {
    const std::vector<uint32_t>& corner = tiles[static_cast<size_t>(north) + 1].west;
    add(north + 1, corner, corner.size());
  }
  return numbers;
}

}  // namespace

SurfaceTiles::SurfaceTiles(Volume volume, const SurfaceLattice& lattice, const SurfaceOptions& options,
                           const Context& context)
    : volume_(std::move(volume)), tiling_{lattice, options.closed}, options_(options) {
  // A lattice without cells has no surface.
  const int64_t least = options.closed ? 1 : 2;
  if (std::min({lattice.nx, lattice.ny, lattice.nz}) < least) tiling_.lattice = {lattice.origin, lattice.cell, 0, 0, 0};
  if (!(lattice.cell > 0)) refuse(fmt::format("the cell must be larger than 0, not {:g} m", lattice.cell));
  if (std::max({lattice.nx, lattice.ny, lattice.nz}) > most_points)
    refuse(fmt::format("a lattice of {} x {} x {} points is too large", lattice.nx, lattice.ny, lattice.nz),
           fmt::format("at most {} along each axis", most_points));
  features_ = std::make_unique<const SurfaceFeatures>(volume_.root(), tiling_);
  if (tiling_.lattice.nx == 0) return;
  std::vector<int64_t> all(static_cast<size_t>(tiling_.tiles()));
  std::iota(all.begin(), all.end(), 0);
  tiles_ = make(volume_, *features_, tiling_, options_, all, context);
}

std::vector<SurfaceTile> SurfaceTiles::make(const Volume& volume, const SurfaceFeatures& features,
                                            const SurfaceTiling& tiling, const SurfaceOptions& options,
                                            const std::vector<int64_t>& which, const Context& context) {
  std::vector<SurfaceTile> tiles(which.size());
  tbb::enumerable_thread_specific<SurfaceTiler> tilers(
      [&] { return SurfaceTiler(volume.root(), features, tiling, options.full); });
  const SurfaceExtras extras{options.normals, options.ask_rock() ? &volume.rock() : nullptr, options.resistance,
                             options.strata, options.colours};
  parallel_chunks(static_cast<int64_t>(which.size()), 1, context, [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n)
      tiles[static_cast<size_t>(n)] = tilers.local().make(which[static_cast<size_t>(n)], extras);
  });
  return tiles;
}

std::vector<int64_t> SurfaceTiles::tiles_in(const Box3& box) const {
  std::vector<int64_t> list;
  if (box.empty() || tiles_.empty()) return list;
  // What lies between two points moves vertices and normals of the cells around it.
  const auto along = [&](double low, double high, double origin, int64_t tiles) {
    const double cell = tiling_.lattice.cell, side = SurfaceTiling::side, last = static_cast<double>(tiles - 1);
    const double from = std::floor((low - origin) / cell) + tiling_.margin() - 2;
    const double to = std::ceil((high - origin) / cell) + tiling_.margin() + 1;
    return LatticeRange{static_cast<int32_t>(std::clamp(std::floor(from / side), 0.0, last + 1)),
                        static_cast<int32_t>(std::clamp(std::floor(to / side), -1.0, last))};
  };
  const LatticeRange x = along(box.low.x, box.high.x, tiling_.lattice.origin.x, tiling_.across());
  const LatticeRange y = along(box.low.y, box.high.y, tiling_.lattice.origin.y, tiling_.along());
  for (int64_t j = y.low; j <= y.high; ++j)
    for (int64_t i = x.low; i <= x.high; ++i) list.push_back(j * tiling_.across() + i);
  return list;
}

std::vector<int64_t> SurfaceTiles::update(const Volume& edited, const Context& context) {
  Box3 changed = edited.root().difference_from(volume_.root());
  const bool other_rock = options_.ask_rock() && edited.rock().hash() != volume_.rock().hash();
  if (edited.threshold() != volume_.threshold() || other_rock)
    changed = {{-Box3::far, -Box3::far, -Box3::far}, {Box3::far, Box3::far, Box3::far}};
  auto features = std::make_unique<const SurfaceFeatures>(edited.root(), tiling_);
  changed = changed.with(features->difference_from(*features_));
  std::vector<int64_t> which = tiles_in(changed);
  std::vector<SurfaceTile> made = make(edited, *features, tiling_, options_, which, context);
  // From here on nothing throws.
  volume_ = edited;
  features_ = std::move(features);
  for (size_t n = 0; n < which.size(); ++n) tiles_[static_cast<size_t>(which[n])] = std::move(made[n]);
  return which;
}

SurfaceFacts SurfaceTiles::facts() const {
  SurfaceFacts facts;
  facts.points = tiling_.lattice.nx * tiling_.lattice.ny * tiling_.lattice.nz;
  for (const SurfaceTile& tile : tiles_) {
    facts.asked += tile.asked;
    facts.cells += tile.cells;
    facts.vertices += static_cast<int64_t>(tile.positions.size());
    facts.triangles += static_cast<int64_t>(tile.triangle_count());
  }
  return facts;
}

MeshData SurfaceTiles::join(const Context& context, bool give_up) const {
  std::vector<uint64_t> vertices{0}, triangles{0};
  for (const SurfaceTile& tile : tiles_) {
    vertices.push_back(vertices.back() + tile.positions.size());
    triangles.push_back(triangles.back() + tile.triangle_count());
  }
  if (vertices.back() > UINT32_MAX)
    refuse(fmt::format("the mesh would have {} vertices, more than 32-bit indices can address", vertices.back()),
           "use larger cells");
  MeshData data;
  data.centre = tiling_.lattice.nx > 0 ? tiling_.lattice.centre() : tiling_.lattice.origin;
  // List by list, and long ones part by part, so that little is held twice: what tiles give up makes room for the next.
  const auto fill = [&](auto& list, const std::vector<uint64_t>& first, double from, double to, const auto& copy) {
    make_room(list, first.back());
    const bool is_long = give_up && first.back() * sizeof(list[0]) > size_t{256} << 20;
    const size_t parts = is_long ? 8 : 1;
    for (size_t part = 0; part < parts; ++part) {
      const size_t begin = tiles_.size() * part / parts, end = tiles_.size() * (part + 1) / parts;
      list.resize(first[end]);
      const auto share = [&](size_t k) {
        return from + (to - from) * static_cast<double>(k) / static_cast<double>(parts);
      };
      each_tile(begin, end, context.stage("joining", share(part), share(part + 1)), copy);
      // Small blocks that were freed stay with the process unless it says so; that takes a moment.
      if (is_long) malloc_trim(0);
    }
  };
  fill(data.triangles, triangles, 0, 0.6, [&](size_t t) {
    SurfaceTile& tile = tiles_[t];
    const std::vector<uint32_t> others = beyond(tiling_, tiles_, vertices, static_cast<int64_t>(t));
    const auto own = static_cast<uint32_t>(tile.positions.size()), first = static_cast<uint32_t>(vertices[t]);
    const auto whole = [&](uint32_t c) { return c < own ? c + first : others[c - own]; };
    const auto copy = [&](const auto& list) {
      std::ranges::transform(list, data.triangles.begin() + static_cast<int64_t>(triangles[t]), [&](const auto& c) {
        return MeshTriangle{whole(c[0]), whole(c[1]), whole(c[2])};
      });
    };
    copy(tile.triangles);
    if (tile.triangles.empty()) copy(tile.wide_triangles);
    if (give_up) forget(tile.triangles), forget(tile.wide_triangles);
  });
  const auto gather = [&](auto& whole, auto SurfaceTile::*part, double from, double to) {
    fill(whole, vertices, from, to, [&](size_t t) {
      std::ranges::copy(tiles_[t].*part, whole.begin() + static_cast<int64_t>(vertices[t]));
      if (give_up) forget(tiles_[t].*part);
    });
  };
  if (options_.normals) gather(data.normals, &SurfaceTile::normals, 0.6, 0.8);
  const auto gather_attribute = [&](const char* name, auto part, double from, double to) {
    data.attributes.push_back({name, "", {}});
    gather(data.attributes.back().values, part, from, to);
  };
  if (options_.resistance) gather_attribute("resistance", &SurfaceTile::resistance, 0.8, 0.84);
  if (options_.strata) gather_attribute("strata", &SurfaceTile::strata, 0.84, 0.87);
  if (options_.colours) gather(data.colours, &SurfaceTile::colours, 0.87, 0.9);
  gather(data.positions, &SurfaceTile::positions, 0.9, 1);
  return data;
}

void SurfaceTiles::each_tile(size_t begin, size_t end, const Context& context,
                             const std::function<void(size_t)>& act) const {
  parallel_chunks(static_cast<int64_t>(end - begin), 16, context, [&](int64_t first, int64_t last) {
    for (int64_t t = first; t < last; ++t) act(begin + static_cast<size_t>(t));
  });
}

Mesh SurfaceTiles::mesh(const Context& context) const { return Mesh(join(context, false)); }

Mesh SurfaceTiles::take(const Context& context) {
  MeshData data = join(context, true);
  tiles_.clear();
  return Mesh(std::move(data));
}

}  // namespace tepui
