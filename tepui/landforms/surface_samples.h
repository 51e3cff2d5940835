#pragma once

#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/random.h"
#include "tepui/landforms/surface_filter.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// A place on the surface of a volume.
struct SurfaceSample {
  Vec3 at;
  Vec3 normal;           ///< of unit length, out of the rock
  float resistance = 0;  ///< of the rock there
};

/// Places on the surface of a volume as it is, within a box: a Poisson-disk distribution (Bridson 2007), one place in
/// about 1.57 spacing^2. No two are nearer to each other than 0.9 `spacing`, and few nearer than `spacing`.
///
/// Candidates are drawn in cells of the world, spacing / sqrt(3) wide, wherever the surface goes through one; never by
/// numbers of triangles: the same places for any number of threads, and, but for a few spacings along its border, for
/// any part of the region. They lie on a surface interpolated between the corners of the cells, and are decided as by
/// `poisson_disk`; those that are kept are then moved onto the surface itself, so that distances may shrink a little.
/// Rock or air thinner than a cell may be missed. `rock` is the geology to tell resistances from, else the volume's.
std::vector<SurfaceSample> sample_surface(const Volume& volume, const Box3& region, double spacing,
                                          const Stream& random, const SurfaceFilter& filter, const Context& context,
                                          const Geology* rock = nullptr);

/// Places near the surface.
struct SurfacePlaces {
  std::vector<Vec3> at, normal;
  std::vector<uint64_t> priority;
};
/// Those of `sample_surface`, before they are moved onto the surface: what `poisson_disk` keeps of the candidates, of
/// which most are never drawn here.
SurfacePlaces surface_places(const Volume& volume, const Box3& region, double spacing, const Stream& random,
                             const SurfaceFilter& filter, const Context& context);
/// All candidates.
SurfacePlaces surface_candidates(const Volume& volume, const Box3& region, double spacing, const Stream& random,
                                 const SurfaceFilter& filter, const Context& context);

}  // namespace tepui
