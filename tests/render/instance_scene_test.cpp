#include "tepui/render/light/instance_scene.h"

#include <cmath>
#include <limits>

#include "tepui/core/random.h"
#include "tepui/mesh/standing.h"
#include "tests/mesh/shapes.h"
#include "tests/support/support.h"

namespace tepui::instance_scene_test {

namespace {

MeshPoint single(Vec3 v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

/// Some trees on a square of unit side.
std::vector<Instance> some_instances(uint64_t seed, uint32_t count, uint32_t forms) {
  const Stream stream(seed);
  std::vector<Instance> all;
  for (uint32_t i = 0; i < count; ++i) {
    Standing s;
    s.height = stream.uniform(i, 0, 0.02, 0.3);
    s.turn = stream.uniform(i, 1, 0, 360);
    s.lean = stream.uniform(i, 2, 0, 60);
    const StandingAxes axes = axes_of(s);
    all.push_back(
        {single(axes.x), single(axes.y), single(axes.z),
         single({stream.uniform(i, 3, -0.5, 0.5), stream.uniform(i, 4, -0.5, 0.5), stream.uniform(i, 5, 0, 0.2)}),
         static_cast<uint32_t>(stream.bits(i, 6) % forms)});
  }
  return all;
}

}  // namespace

RC_GTEST_PROP(InstanceScene, MeetsWhatTheSameTrianglesPlacedOneByOneDo, (uint64_t seed)) {
  const Mesh forms[] = {plant_form(Species::conifer, 0, FormDetail::coarse),
                        plant_form(Species::rock, 1, FormDetail::coarse)};
  InstanceScene scene;
  for (const Mesh& form : forms) scene.add_form(form.positions(), form.triangles());
  scene.commit(some_instances(seed, 12, 2), Context());
  RayScene single_by_single;
  for (const Instance& instance : scene.instances()) {
    std::vector<MeshPoint> placed;
    for (const MeshPoint& p : forms[instance.form].positions()) placed.push_back(single(instance.place(to_vec(p))));
    single_by_single.add(placed, forms[instance.form].triangles());
  }
  single_by_single.commit(Context());
  const Stream stream(seed + 1);
  int different = 0, met = 0;
  for (uint64_t ray = 0; ray < 300; ++ray) {
    const Vec3 from{stream.uniform(ray, 0, -1, 1), stream.uniform(ray, 1, -1, 1), stream.uniform(ray, 2, 0, 1)};
    const Vec3 to{stream.uniform(ray, 3, -0.5, 0.5), stream.uniform(ray, 4, -0.5, 0.5), stream.uniform(ray, 5, 0, 0.3)};
    const Vec3 way = (to - from) * (1 / length(to - from));
    const auto a = scene.hit(from, way);
    const auto b = single_by_single.hit(from, way);
    RC_ASSERT(scene.blocked(from, way) == a.has_value());
    met += a ? 1 : 0;
    // Rounding may send a ray past an edge.
    if (a.has_value() != b.has_value() ||
        (a && (std::abs(a->distance - b->distance) > 1e-5 || a->instance != b->shape || a->triangle != b->triangle)))
      ++different;
    if (a) {
      const Instance& instance = scene.instances()[a->instance];
      const Mesh& form = forms[instance.form];
      const MeshTriangle& t = form.triangles()[a->triangle];
      const Vec3 at = instance.place(to_vec(form.positions()[t[0]]) * (1 - a->u - a->v) +
                                     to_vec(form.positions()[t[1]]) * a->u + to_vec(form.positions()[t[2]]) * a->v);
      RC_ASSERT(length(at - (from + way * a->distance)) < 1e-5);
      RC_ASSERT(!scene.hit(from, way, 0.99 * a->distance));
      RC_ASSERT(!scene.blocked(from, way, 0.99 * a->distance));
      RC_ASSERT(scene.blocked(from, way, 1.01 * a->distance));
    }
  }
  RC_ASSERT(met > 10);
  RC_ASSERT(different <= 3);
}

TEST(InstanceScene, MeetsTheSameFromFarAway) {
  const Mesh form = plant_form(Species::broadleaf, 0, FormDetail::middle);
  InstanceScene scene;
  scene.add_form(form.positions(), form.triangles());
  scene.commit(some_instances(3, 40, 1), Context());
  const Stream stream(8);
  int met = 0;
  for (uint64_t ray = 0; ray < 500; ++ray) {
    const Vec3 to{stream.uniform(ray, 0, -0.5, 0.5), stream.uniform(ray, 1, -0.5, 0.5), 0.1};
    const Vec3 way = Vec3{0.3, 0.4, -1} * (1 / length({0.3, 0.4, -1}));
    const auto near = scene.hit(to - way * 2, way), far = scene.hit(to - way * 1e7, way);
    if (!near || !far || near->triangle != far->triangle) continue;
    ++met;
    EXPECT_NEAR(near->distance - 2, far->distance - 1e7, 1e-4);
  }
  EXPECT_GT(met, 50);
}

TEST(InstanceScene, RaysBeyondAllMeasureAndFormsWithoutTrianglesMeetNothing) {
  InstanceScene scene;
  scene.add_form({}, {});
  const Mesh rock = plant_form(Species::rock, 0, FormDetail::coarse);
  scene.add_form(rock.positions(), rock.triangles());
  Instance nothing, one;
  nothing.x = one.x = {1, 0, 0}, nothing.y = one.y = {0, 1, 0}, nothing.z = one.z = {0, 0, 1};
  one.foot = {5, 0, 0};
  one.form = 1;
  scene.commit({nothing, one}, Context());
  EXPECT_FALSE(scene.hit({0, 0, 3}, {0, 0, -1}));
  EXPECT_TRUE(scene.hit({5, 0, 3}, {0, 0, -1}));
  const double nan = std::numeric_limits<double>::quiet_NaN(), endless = std::numeric_limits<double>::infinity();
  for (const double wrong : {nan, endless, -endless, 1e300}) {
    EXPECT_FALSE(scene.hit({5, wrong, 3}, {0, 0, -1}));
    EXPECT_FALSE(scene.blocked({5, 0, 3}, {0, wrong, -1}));
  }
  EXPECT_FALSE(scene.hit({5, 0, 3}, {0, 0, -1}, nan));
}

}  // namespace tepui::instance_scene_test
