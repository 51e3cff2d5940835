#include "tepui/render/picture/volume_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/mesh/polygonize.h"
#include "tepui/render/picture/lens.h"
#include "tepui/render/picture/wall_relief.h"
#include "tepui/volume/boxed_solid.h"

namespace tepui {

namespace {

/// The plan of what stands on the sheet, where all of the volume does but for the rounding of its walls.
Box3 block_of(const Volume& volume) {
  Box3 all = CutAway().box;
  const SurfaceSketch sketch = volume.root().sketch();
  if (sketch.sheet == nullptr || sketch.ground.empty()) return all;
  const Box3 box = volume.support();
  const Vec3 size = sketch.ground.high - sketch.ground.low;
  const double slack = 0.03 * std::min(size.x, size.y);
  const Box3& ground = sketch.ground;
  if (ground.low.x - box.low.x > slack || box.high.x - ground.high.x > slack || ground.low.y - box.low.y > slack ||
      box.high.y - ground.high.y > slack)
    return all;
  all.low.x = ground.low.x, all.low.y = ground.low.y;
  all.high.x = ground.high.x, all.high.y = ground.high.y;
  return all;
}

/// Degrees clockwise from north: where the camera stands before it is moved around a cut that stays.
double camera_azimuth(const PictureParams& params, Vec3 middle) {
  PictureParams still = params;
  if (params.steady) still.turn = Angle{0};
  if (params.camera == Camera::free && params.eye && params.eye != params.target)
    return math::degrees(math::atan2(params.eye->x - middle.x, params.eye->y - middle.y));
  const Vec2 towards = viewer_of(still);
  if (towards.x == 0 && towards.y == 0) return params.camera == Camera::ground ? 222 + still.turn.degrees : 180;
  return math::degrees(math::atan2(towards.x, towards.y));
}

CutPlane plane_facing(Vec3 at, double azimuth) {
  const double a = math::radians(azimuth);
  Vec3 normal{-math::sin(a), -math::cos(a), 0};
  // Sides of the compass are meant to be exact.
  if (std::abs(normal.x) < 1e-9) normal = {0, normal.y < 0 ? -1.0 : 1.0, 0};
  if (std::abs(normal.y) < 1e-9) normal = {normal.x < 0 ? -1.0 : 1.0, 0, 0};
  return {at, normal};
}

/// The height of the land around: that of the lower part of the edge of the plan, so that little of it lies behind a
/// bank. Where a part of that edge is under the sea, the sea goes on around it all, over a bed as deep as the deeper
/// part.
std::optional<double> plain_of(const Volume& volume, const Box3& box, std::optional<double> sea) {
  constexpr int along = 32;
  constexpr double coast = 0.1, usual = 0.25;  // shares of the edge
  const Vec3 size = box.high - box.low;
  const double inset = 0.01 * std::min(size.x, size.y), step = std::max(size.z / 256, 1e-6);
  std::vector<double> heights;
  for (int i = 0; i < 4 * along; ++i) {
    const double t = (i % along + 0.5) / along;
    const Vec2 side[] = {{t, 0}, {t, 1}, {0, t}, {1, t}};
    const Vec2 s = side[i / along];
    const Vec3 top{std::clamp(box.low.x + s.x * size.x, box.low.x + inset, box.high.x - inset),
                   std::clamp(box.low.y + s.y * size.y, box.low.y + inset, box.high.y - inset), box.high.z};
    if (const auto down = volume.cast(top, {0, 0, -1}, size.z, step)) heights.push_back(box.high.z - *down);
  }
  if (heights.size() < 2 * along) return std::nullopt;
  std::ranges::sort(heights);
  const auto share = [&](double part) {
    return heights[static_cast<size_t>(part * static_cast<double>(heights.size()))];
  };
  return sea && share(coast) < *sea ? share(coast) : share(usual);
}

/// Cells along the longer side of the plan: about one for every two pixels that it fills.
double cell_of(const Box3& box, const PictureParams& params, int width) {
  if (params.cell && params.camera != Camera::inside) return *params.cell;
  const Vec3 size = box.high - box.low;
  const double side = std::max({size.x, size.y, 0.5 * size.z});
  return side / std::clamp(0.6 * width, 64.0, 1200.0);
}

double whole_cells(double length, double cell) { return std::floor(length / cell + 1e-9); }

/// Pieces with less surface are a few cells large.
double crumbs_of(const PictureParams& params, double cell) { return params.crumbs.value_or(30 * cell * cell); }

/// A solid as a mesh, with the relief of its walls.
struct Meshing {
  const Volume& volume;
  const PictureParams& params;
  const MeshRock& rock;

  Mesh operator()(const SolidPointer& solid, double cell, const Context& context) const {
    PolygonizeParams how;
    how.cell = metres(cell);
    how.resistance = how.strata = false;
    how.colours = PolygonizeColours::none;
    how.crumbs = crumbs_of(params, cell);
    const Mesh mesh = polygonize_volume(volume.with_root(solid), how, context);
    if (params.colour != PictureColour::natural) return mesh;
    return with_relief(mesh, {rock.geology ? &*rock.geology : nullptr, rock.cut, 2 * rock.tolerance, cell}, context);
  }
};

/// Both in one, with the positions of the first.
Mesh joined(const Mesh& first, const Mesh& second) {
  MeshData data = first.data();
  const Vec3 shift = second.centre() - first.centre();
  const auto before = static_cast<uint32_t>(data.positions.size());
  for (const MeshPoint& p : second.positions()) {
    const Vec3 at = to_vec(p) + shift;
    data.positions.push_back({static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)});
  }
  data.normals.insert(data.normals.end(), second.normals().begin(), second.normals().end());
  for (MeshTriangle t : second.triangles()) {
    for (uint32_t& corner : t) corner += before;
    data.triangles.push_back(t);
  }
  return Mesh(std::move(data));
}

/// Around the eye the cells are fine; how far, and how fine, follows from the room there.
struct CloseBox {
  Box3 box{};
  double cell = 0;
};

CloseBox close_to(const InsideView& view, const PictureParams& params, double coarse) {
  constexpr double cells = 130;  // to each side
  const double reach = std::clamp(3 * view.room, 8.0, 200.0);
  return {Box3{view.eye, view.eye}.grown(std::max(reach, 6 * coarse)), params.cell.value_or(reach / cells)};
}

bool made_of_land(const SolidPointer& root) {
  std::vector<SolidPointer> rest{root};
  std::set<const Solid*> seen;
  while (!rest.empty()) {
    const SolidPointer node = std::move(rest.back());
    rest.pop_back();
    if (!seen.insert(node.get()).second) continue;
    std::vector<SolidPointer> children = node->children();
    if (children.empty() && node->sketch().sheet != nullptr) return true;
    for (SolidPointer& child : children) rest.push_back(std::move(child));
  }
  return false;
}

}  // namespace

bool floats(const Volume& volume, const Mesh& mesh) {
  if (!made_of_land(volume.share())) return false;
  const double low = static_cast<double>(mesh.bounds().low[2]), high = static_cast<double>(mesh.bounds().high[2]);
  double all = 0, bottom = 0;
  for (const MeshTriangle& t : mesh.triangles()) {
    const Vec3 a = to_vec(mesh.positions()[t[0]]), b = to_vec(mesh.positions()[t[1]]),
               c = to_vec(mesh.positions()[t[2]]);
    const double down = -cross(b - a, c - a).z;
    if (!(down > 0)) continue;
    all += down;
    if (std::max({a.z, b.z, c.z}) < low + 0.03 * (high - low)) bottom += down;
  }
  return bottom < 0.2 * all;
}

CutAway cut_of(const Volume& volume, const PictureParams& params) {
  CutAway cut;
  cut.box = block_of(volume);
  if (params.cut == PictureCut::none) return cut;
  const Box3 box = volume.support().within(cut.box);
  const Vec3 size = box.high - box.low,
             at = box.low + Vec3{params.cut_at.x * size.x, params.cut_at.y * size.y, 0.5 * size.z};
  const double camera = camera_azimuth(params, (box.low + box.high) * 0.5), turn = params.cut_turn.degrees;
  if (params.cut == PictureCut::half) {
    cut.planes = {plane_facing(at, 90 * std::round(camera / 90) + turn)};
  } else {
    const double corner = 90 * std::floor(camera / 90);
    cut.planes = {plane_facing(at, corner + turn), plane_facing(at, corner + 90 + turn)};
  }
  return cut;
}

VolumeModel model_of(const Volume& volume, const PictureParams& params, const ModelRequest& request,
                     const Context& context) {
  const Box3 box = volume.support();
  if (box.empty()) refuse("this volume is empty, so there is nothing to draw");
  VolumeModel model;
  model.rock.cut = cut_of(volume, params);
  Box3& kept = model.rock.cut.box;
  const double cell = cell_of(box.within(kept), params, request.width);
  // The mesh ends with the last whole cell of the land, and so must the cut.
  if (kept.high.x < Box3::far) kept.high.x = kept.low.x + whole_cells(kept.high.x - kept.low.x, cell) * cell;
  if (kept.high.y < Box3::far) kept.high.y = kept.low.y + whole_cells(kept.high.y - kept.low.y, cell) * cell;
  model.rock.tolerance = 0.02 * cell;
  if (volume.rock().hash() != Geology().hash()) model.rock.geology = volume.rock();
  if (params.colour == PictureColour::natural) model.rock.land = volume.land();
  model.rock.plain = plain_of(volume, box.within(model.rock.cut.box), request.sea);
  const double threshold = volume.threshold();
  const SolidPointer shown = cut_away(volume.share(), threshold, model.rock.cut, 2 * cell);
  const Meshing meshed{volume, params, model.rock};
  CloseBox near;
  if (request.view) near = close_to(*request.view, params, cell);
  if (request.view && near.cell < 0.7 * cell) {
    const Box3 hole = near.box.grown(-2.5 * cell);
    const Mesh far = meshed(boxed(shown, threshold, hole, BoxedPart::outside, 2 * cell), cell, context);
    const Mesh close = meshed(boxed(shown, threshold, near.box, BoxedPart::inside, 2 * near.cell), near.cell, context);
    model.mesh = joined(far, close);
  } else {
    model.mesh = meshed(shown, cell, context);
  }
  if (model.mesh.triangles().empty()) refuse("nothing of this volume is left to draw", "move or leave out the cut");
  model.rock.floats = !request.view && floats(volume, model.mesh);
  if (model.rock.floats) model.rock.plain.reset();
  return model;
}

}  // namespace tepui
