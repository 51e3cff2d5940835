#include "tepui/landforms/surface_samples.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/landforms/poisson_disk.h"
#include "tepui/landforms/poisson_grid.h"
#include "tepui/landforms/project.h"
#include "tepui/landforms/surface_cells.h"

namespace tepui {

namespace {

void check_spacing(double spacing) {
  if (!(spacing > 0) || !std::isfinite(spacing)) refuse("points need a spacing above 0 m");
}

/// Decides the candidates of blocks, colour by colour.
class Spacing {
 public:
  Spacing(std::vector<SurfaceBlock> blocks, const Box3& region, double spacing, const Stream& random,
          const SurfaceFilter& filter)
      : blocks_(std::move(blocks)),
        spacing_(spacing),
        darts_(region, poisson_cell(spacing), random, filter),
        filter_(filter),
        kept_(blocks_.size()) {}

  SurfacePlaces decide(const Context& context) {
    std::array<std::vector<size_t>, 8> colours;
    for (size_t b = 0; b < blocks_.size(); ++b) {
      const std::array<int32_t, 3>& at = blocks_[b].at;
      colours[static_cast<size_t>((at[0] & 1) | (at[1] & 1) << 1 | (at[2] & 1) << 2)].push_back(b);
    }
    for (const std::vector<size_t>& colour : colours)
      parallel_chunks(static_cast<int64_t>(colour.size()), 4, context, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) decide(colour[static_cast<size_t>(i)]);
      });
    SurfacePlaces all;
    for (const SurfacePlaces& kept : kept_) {
      all.at.insert(all.at.end(), kept.at.begin(), kept.at.end());
      all.normal.insert(all.normal.end(), kept.normal.begin(), kept.normal.end());
      all.priority.insert(all.priority.end(), kept.priority.begin(), kept.priority.end());
    }
    return all;
  }

 private:
  void decide(size_t index) {
    SurfaceBlock& block = blocks_[index];
    const double size = PoissonGrid::side * poisson_cell(spacing_);
    PoissonGrid grid(
        Vec3{static_cast<double>(block.at[0]), static_cast<double>(block.at[1]), static_cast<double>(block.at[2])} *
            size,
        spacing_);
    for (int32_t z = -1; z <= 1; ++z)
      for (int32_t y = -1; y <= 1; ++y) {
        // Neighbours along x follow each other.
        const std::array<int32_t, 3> first{block.at[2] + z, block.at[1] + y, block.at[0] - 1};
        auto near = std::ranges::lower_bound(blocks_, first, {}, [](const SurfaceBlock& b) {
          return std::array<int32_t, 3>{b.at[2], b.at[1], b.at[0]};
        });
        for (;
             near != blocks_.end() && near->at[2] == first[0] && near->at[1] == first[1] && near->at[0] <= first[2] + 2;
             ++near)
          for (const Vec3 p : kept_[static_cast<size_t>(near - blocks_.begin())].at) grid.add(p);
      }
    for (SurfaceCell& cell : block.cells) cell.turn = darts_.priority(cell, 0);
    std::ranges::sort(block.cells, {}, &SurfaceCell::turn);
    SurfacePlaces& kept = kept_[index];
    const auto darts = std::make_unique_for_overwrite<CellDarts[]>(block.cells.size());
    std::vector<uint32_t> open(block.cells.size());
    std::iota(open.begin(), open.end(), 0u);
    for (uint64_t round = 0; round < SurfaceDarts::rounds; ++round)
      // What is full stays full.
      std::erase_if(open, [&](uint32_t i) {
        const SurfaceCell& cell = block.cells[i];
        if (grid.is_full(cell.in[0], cell.in[1], cell.in[2])) return true;
        if (round == 0) darts_.draw(cell, darts[i]);
        Vec3 at, normal;
        if (darts_.place(block, cell, darts[i], round, at) && grid.is_free(at) &&
            darts_.lead(cell, darts[i], round, normal) && (!filter_.accept || filter_.accept(at, normal))) {
          grid.add(at);
          kept.at.push_back(at);
          kept.normal.push_back(normal);
          kept.priority.push_back(darts_.priority(cell, round));
        }
        return false;
      });
    block.cells = {};
  }

  std::vector<SurfaceBlock> blocks_;
  double spacing_;
  SurfaceDarts darts_;
  const SurfaceFilter& filter_;
  std::vector<SurfacePlaces> kept_;
};

}  // namespace

SurfacePlaces surface_candidates(const Volume& volume, const Box3& region, double spacing, const Stream& random,
                                 const SurfaceFilter& filter, const Context& context) {
  check_spacing(spacing);
  const double cell = poisson_cell(spacing);
  const SurfaceDarts darts(region, cell, random, filter);
  SurfacePlaces all;
  for (const SurfaceBlock& block : surface_cells(volume, region, cell, filter, context))
    for (const SurfaceCell& in : block.cells) {
      CellDarts drawn;
      darts.draw(in, drawn);
      for (uint64_t round = 0; round < SurfaceDarts::rounds; ++round) {
        Vec3 at, normal;
        if (!darts.place(block, in, drawn, round, at) || !darts.lead(in, drawn, round, normal)) continue;
        if (filter.accept && !filter.accept(at, normal)) continue;
        all.at.push_back(at);
        all.normal.push_back(normal);
        all.priority.push_back(darts.priority(in, round));
      }
    }
  return all;
}

SurfacePlaces surface_places(const Volume& volume, const Box3& region, double spacing, const Stream& random,
                             const SurfaceFilter& filter, const Context& context) {
  check_spacing(spacing);
  return Spacing(surface_cells(volume, region, poisson_cell(spacing), filter, context.stage("", 0, 0.6)), region,
                 spacing, random, filter)
      .decide(context.stage("spacing", 0.6, 1));
}

std::vector<SurfaceSample> sample_surface(const Volume& volume, const Box3& region, double spacing,
                                          const Stream& random, const SurfaceFilter& filter, const Context& context,
                                          const Geology* rock) {
  const SurfacePlaces near = surface_places(volume, region, spacing, random, filter, context.stage("", 0, 0.8));
  const ProjectedPlaces on =
      project(volume, near.at, 0.6 * spacing, context.stage("projecting", 0.8, 0.9), near.normal);
  std::vector<Vec3> places, normals;
  std::vector<uint64_t> order;
  for (size_t i = 0; i < near.at.size(); ++i) {
    if (on.found[i] == 0) continue;
    places.push_back(on.at[i]);
    normals.push_back(on.normal[i]);
    order.push_back(near.priority[i]);
  }
  std::vector<SurfaceSample> kept;
  std::vector<double> x, y, z;
  for (const uint32_t i : poisson_disk(places, order, 0.9 * spacing, context.stage("", 0.9, 0.95))) {
    kept.push_back({places[i], normals[i], 0});
    x.push_back(places[i].x), y.push_back(places[i].y), z.push_back(places[i].z);
  }
  std::vector<float> rho(kept.size());
  (rock != nullptr ? Volume(empty_solid(1), 1, *rock) : volume)
      .resistances(x, y, z, rho, context.stage("rock", 0.95, 1));
  for (size_t i = 0; i < kept.size(); ++i) kept[i].resistance = rho[i];
  return kept;
}

}  // namespace tepui
