#pragma once

#include "tepui/core/context.h"
#include "tepui/core/params.h"
#include "tepui/geology/geology.h"
#include "tepui/terrain/lines.h"
#include "tepui/volume/placing.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// `natural`: smooth passages whose cross-section follows the rock; `paper`: a cluster of spheres at every vertex.
enum class GalleryForm { natural, paper };
/// The volume with the passages in it, or the passages themselves as rock in the air, as a cast of them would be.
enum class GalleryResult { hollow, cast };

struct GalleriesParams {
  GalleryForm form = GalleryForm::natural;
  GalleryResult give = GalleryResult::hollow;
  Length radius = metres(3);
  double width = 1;
  Heights heights = Heights::sea_level;
  Length raise = metres(0);
  bool bedding = true;
  bool keyholes = true;
  bool breakdown = true;
  double roughness = 0.5;
  double hardest = 1;
  Seed seed{};
};
void describe(Fields<GalleriesParams>& f);

/// Carves passages into a volume along lines: a network of `karst`, or one that was drawn. Lines with numbers `radius`
/// (metres, of vertices or of the whole line) have those radii, others `radius`.
///
/// The axis is a smooth curve through the vertices (Catmull and Rom 1974). Along it, 0.35 radii apart, lie points of
/// negative energy (Paris et al. 2019, section 5.2), in chains that together reach the threshold at the wall
/// (`section_strands`). What the passage is like across follows from the rock: along weak beds (resistance below 0.35)
/// it is wide and low; in hard rock (above 0.5), where it is nearly level, water has cut a slot below the tube, the
/// keyhole of cavers; where it is wide and its roof weak, parts of that have come down, so that there is a dome above
/// and broken rock on the floor. Roughness comes from many points: each is off its line, and small ones lie on the
/// walls. Where a line comes to the open air its passage opens there; points in rock of `hardest` or more are left out.
///
/// `form = paper` is the printed way: spheres in a ball around every vertex, Poisson-disk distributed.
Volume galleries(const Frame& world, const Volume& in, const Lines& along, const Geology* rock,
                 const GalleriesParams& params, const Context& context);

}  // namespace tepui
