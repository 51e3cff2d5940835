#include "tepui/planet/view_mesh.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/mesh/checks.h"
#include "tepui/planet/global_stage.h"
#include "tepui/planet/refine.h"
#include "tests/support/planets.h"
#include "tests/support/support.h"

namespace tepui::view_mesh_test {

namespace {

const Context quiet;

const std::shared_ptr<const Refiner>& refiner() {
  static const auto made = [] {
    GlobalSpec spec;
    spec.level = 5;
    spec.key = 3;
    return std::make_shared<const Refiner>(std::make_shared<const GlobalLand>(global_land(spec, quiet)));
  }();
  return made;
}

ViewSpec high_view() {
  ViewSpec view;
  view.direction = test::highest_place(refiner()->land());
  view.altitude = 20;
  view.detail = 0.1;
  view.deepest = 18;
  return view;
}

}  // namespace

TEST(ViewMesh, IsTheLandSeenFromTheCamera) {
  const ViewSpec view = high_view();
  const FineLand fine = refiner()->refine(ViewRegion(view), quiet);
  const double ground = *std::max_element(fine.vertices.height.begin(), fine.vertices.height.end());
  ViewMeshSpec spec;
  spec.below = view.direction;
  spec.altitude = ground + 20;
  const Mesh local = view_mesh(refiner()->land(), fine, spec, quiet);
  spec.local = false;
  const Mesh whole = view_mesh(refiner()->land(), fine, spec, quiet);
  ASSERT_EQ(local.positions().size(), fine.vertices.size());
  ASSERT_EQ(local.triangles().size(), fine.triangles.size());
  const auto* height = local.attribute("height");
  ASSERT_NE(height, nullptr);
  for (size_t i = 0; i < fine.vertices.size(); ++i) {
    const Vec3 from_middle = to_vec(whole.positions()[i]) + whole.centre();
    const double far = length(to_vec(whole.positions()[i]));
    EXPECT_NEAR(length(from_middle) - earth_radius, static_cast<double>(height->values[i]), 0.01 + 1e-6 * far);
    // Both are the same turned: as far from the camera.
    EXPECT_NEAR(length(to_vec(local.positions()[i])), far, 0.01 + 1e-6 * far);
    EXPECT_GT(to_vec(local.normals()[i]).z + 1, 0.5);
  }
}

TEST(ViewMesh, HasNoHolesAndScalesWithThePlanet) {
  const FineLand fine = refiner()->refine(ViewRegion(high_view()), quiet);
  ViewMeshSpec spec;
  spec.below = high_view().direction;
  const Mesh mesh = view_mesh(refiner()->land(), fine, spec, quiet);
  spec.length_scale = 0.5;
  spec.height_scale = 0.5;
  const Mesh half = view_mesh(refiner()->land(), fine, spec, quiet);
  for (size_t i = 0; i < mesh.positions().size(); ++i)
    EXPECT_LT(length(to_vec(mesh.positions()[i]) * 0.5 - to_vec(half.positions()[i])),
              1e-3 + 1e-6 * length(to_vec(mesh.positions()[i])));
  const MeshChecks facts = check_mesh(mesh, quiet);
  EXPECT_EQ(facts.components, 1);
  EXPECT_EQ(facts.nonmanifold_edges, 0);
  EXPECT_EQ(facts.misoriented_edges, 0);
  EXPECT_EQ(facts.degenerate_triangles, 0);
}

TEST(ViewMesh, SnowLiesHighInHollowsAndNotOnCliffs) {
  double before = 0;
  for (double altitude = 0; altitude < 6000; altitude += 50) {
    const double share = lasting_snow(altitude, 3000, 0, 0.2);
    EXPECT_GE(share, before);
    before = share;
  }
  EXPECT_EQ(before, 1);
  EXPECT_EQ(lasting_snow(1000, 3000, 0.3, 0), 0);
  EXPECT_GT(lasting_snow(3000, 3000, 0.2, 0), lasting_snow(3000, 3000, -0.2, 0));
  EXPECT_EQ(lasting_snow(6000, 3000, 0, 2), 0);
}

TEST(ViewMesh, AttributesAreFiniteAndInTheirRanges) {
  const FineLand fine = refiner()->refine(ViewRegion(high_view()), quiet);
  const Mesh mesh = view_mesh(refiner()->land(), fine, {.below = high_view().direction}, quiet);
  for (const MeshAttribute& attribute : mesh.attributes())
    for (const float value : attribute.values) ASSERT_TRUE(std::isfinite(value)) << attribute.name;
  const auto within = [&](const char* name, float low, float high) {
    const auto [least, most] =
        std::minmax_element(mesh.attribute(name)->values.begin(), mesh.attribute(name)->values.end());
    EXPECT_GE(*least, low) << name;
    EXPECT_LE(*most, high) << name;
  };
  within("height", -12000, 12000);
  within("water", 0, 12000);
  within("snow", 0, 1);
  within("ice", 0, 5000);
  within("temperature", -90, 50);
  within("discharge", 0, 1e6f);
}

}  // namespace tepui::view_mesh_test
