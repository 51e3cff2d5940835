#include "tepui/volume/tree.h"

#include <cmath>

#include "tepui/core/error.h"
#include "tepui/volume/box_tree.h"
#include "tepui/volume/csg.h"
#include "tepui/volume/strata_erosion.h"
#include "tepui/volume/transform.h"
#include "tests/support/support.h"
#include "tests/volume/any_volume.h"

// What holds for any tree of all operators. RC_PARAMS="max_success=1000" draws more of them.

namespace tepui::tree_test {

namespace {

using test::any_volume;
using test::ball;
using test::Dice;
using test::Grown;

constexpr double T = Volume::usual_threshold;

/// A brick of points that reaches over a good part of the tree.
struct Brick {
  std::vector<double> x, y, z, all_x, all_y, all_z;

  Brick(Vec3 low, double step, int64_t nx, int64_t ny, int64_t nz) {
    for (int64_t i = 0; i < nx; ++i) x.push_back(low.x + step * static_cast<double>(i));
    for (int64_t i = 0; i < ny; ++i) y.push_back(low.y + step * static_cast<double>(i));
    for (int64_t i = 0; i < nz; ++i) z.push_back(low.z + step * static_cast<double>(i));
    for (const double c : z)
      for (const double b : y)
        for (const double a : x) {
          all_x.push_back(a);
          all_y.push_back(b);
          all_z.push_back(c);
        }
  }
  FieldLattice lattice() const {
    return {x.data(),
            y.data(),
            z.data(),
            static_cast<int64_t>(x.size()),
            static_cast<int64_t>(y.size()),
            static_cast<int64_t>(z.size())};
  }
  FieldPoints points(const FieldLattice* lattice) const {
    return {all_x.data(),
            all_y.data(),
            all_z.data(),
            static_cast<int64_t>(all_x.size()),
            {{x.front(), y.front(), z.front()}, {x.back(), y.back(), z.back()}},
            lattice};
  }
};

}  // namespace

RC_GTEST_PROP(Tree, EqualsItsPlainTwin, ()) {
  Dice dice;
  dice.draw_threshold();
  for (int tree = 0; tree < 5; ++tree) {
    const Grown grown = any_volume(dice, 3);
    for (int i = 0; i < 10; ++i) {
      const Vec3 at = dice.place();
      const double wanted = grown.field(at), got = static_cast<double>(grown.volume.value(at));
      RC_ASSERT(std::abs(got - wanted) <= 1e-4 * (10 + std::abs(wanted)));
    }
  }
}

RC_GTEST_PROP(Tree, HasTheSameBitsInBricksBatchesAndAlone, ()) {
  Dice dice;
  dice.in_metres = true;
  dice.draw_threshold();
  const Grown grown = any_volume(dice, 3);
  const Solid& root = grown.volume.root();
  const Brick brick(dice.place(), dice.real(0.5, 10), 1 + dice.below(8), 1 + dice.below(8), 1 + dice.below(8));
  const FieldLattice lattice = brick.lattice();
  const size_t count = brick.all_x.size();
  std::vector<float> in_brick(count), in_batch(count), sloped(count), dx(count), dy(count), dz(count);
  root.values(brick.points(&lattice), in_brick.data());
  root.values(brick.points(nullptr), in_batch.data());
  root.gradients(brick.points(&lattice), sloped.data(), dx.data(), dy.data(), dz.data());
  for (size_t i = 0; i < count; ++i) {
    const Vec3 at{brick.all_x[i], brick.all_y[i], brick.all_z[i]};
    const float alone = grown.volume.value(at);
    RC_ASSERT(in_brick[i] == alone);
    RC_ASSERT(in_batch[i] == alone);
    RC_ASSERT(sloped[i] == alone);
    const Vec3 slope = grown.volume.gradient(at);
    RC_ASSERT((slope == Vec3{dx[i], dy[i], dz[i]}));
  }
}

RC_GTEST_PROP(Tree, RangesHoldAllValues, ()) {
  Dice dice;
  dice.in_metres = true;
  dice.draw_threshold();
  for (int tree = 0; tree < 5; ++tree) {
    const Volume volume = any_volume(dice, 3).volume;
    const Vec3 low = dice.place();
    const Box3 box{low, low + Vec3{1, 1, 1} * (dice.coin() ? 60.0 : dice.real(0.1, 10))};
    const FieldRange range = volume.root().range(box);
    for (int i = 0; i < 20; ++i) {
      const Vec3 size = box.high - box.low;
      const float v = volume.value(
          {low.x + size.x * dice.real(0, 1), low.y + size.y * dice.real(0, 1), low.z + size.z * dice.real(0, 1)});
      RC_ASSERT(v >= range.low - 1e-4f);
      RC_ASSERT(v <= range.high + 1e-4f);
    }
  }
}

RC_GTEST_PROP(Tree, HasNoFieldOutsideItsSupport, ()) {
  Dice dice;
  dice.in_metres = true;
  dice.draw_threshold();
  for (int tree = 0; tree < 5; ++tree) {
    const Volume volume = any_volume(dice, 3).volume;
    const Box3 support = volume.support();
    for (int i = 0; i < 20; ++i)
      if (const Vec3 at = dice.place(); !support.holds(at)) {
        RC_ASSERT(volume.value(at) == static_cast<float>(-volume.threshold()));
        RC_ASSERT(length(volume.gradient(at)) < 1e-3);
      }
  }
}

RC_GTEST_PROP(Tree, SketchTellsWhereTheSurfaceMayBe, ()) {
  Dice dice;
  dice.in_metres = true;
  dice.draw_threshold();
  for (int tree = 0; tree < 5; ++tree) {
    const Volume volume = any_volume(dice, 3).volume;
    const SurfaceSketch sketch = volume.root().sketch();
    for (int i = 0; i < 40; ++i) {
      const Vec3 at = dice.place();
      if (!test::is_told(sketch, at)) continue;
      double h = -1e9;
      if (sketch.sheet != nullptr) sketch.sheet->heights(&at.x, &at.y, 1, &h);
      if (std::abs(h - at.z) < 1e-6) continue;
      RC_ASSERT((volume.value(at) > 0) == (h > at.z));
    }
  }
}

RC_GTEST_PROP(Tree, GradientsAreSlopes, ()) {
  Dice dice;
  dice.draw_threshold();
  const Grown grown = any_volume(dice, 2);
  int far_off = 0, asked = 0;
  for (int i = 0; i < 20; ++i) {
    const Vec3 at = dice.place();
    const Vec3 slope = grown.volume.gradient(at);
    const double h = 1e-3;
    const Vec3 wanted{(grown.field(at + Vec3{h, 0, 0}) - grown.field(at - Vec3{h, 0, 0})) / (2 * h),
                      (grown.field(at + Vec3{0, h, 0}) - grown.field(at - Vec3{0, h, 0})) / (2 * h),
                      (grown.field(at + Vec3{0, 0, h}) - grown.field(at - Vec3{0, 0, h})) / (2 * h)};
    ++asked;
    if (length(slope - wanted) > 0.02 + 0.02 * length(wanted)) ++far_off;
  }
  // Creases, walls and what strata erosion smooths over a quarter of its depth.
  RC_ASSERT(far_off <= asked / 2);
}

RC_GTEST_PROP(Tree, SaysTheSameOfTheSameTree, ()) {
  Dice dice;
  dice.in_metres = true;
  const Volume volume = any_volume(dice, 2).volume;
  RC_ASSERT(volume.hash() == Volume(volume).hash());
  const Volume moved = volume.with_root(csg(Csg::united, {volume.share(), ball({0, 0, 0}, 9, 9)}, 0, T));
  RC_ASSERT(volume.hash() != moved.hash());
  RC_ASSERT(moved.bytes() > volume.bytes());
}

RC_GTEST_PROP(Tree, TellsWhereItDiffersFromAnother, ()) {
  Dice dice;
  dice.in_metres = true;
  const Volume a = any_volume(dice, 2).volume,
               stroked = a.with_root(csg(Csg::united, {a.share(), ball({9, 0, 0}, 9, 20)}, 0, T));
  const Frame world = make_world({200, 200}, 3);
  StrataErosionParams wear;
  WarpParams bend;
  bend.amplitude = metres(1);
  bend.scale = metres(50);
  bend.within = RegionShape::sphere;
  bend.positions = Positions::metres;
  bend.heights = Heights::sea_level;
  bend.radius = bend.falloff = metres(30);
  TransformParams turn;
  turn.turn = {30};
  turn.about = Pivot::origin;
  const auto grown = [&](const Volume& v) {
    return transform(world, warp(world, strata_erosion(world, v, nullptr, nullptr, wear, {}), bend, {}), turn, {});
  };
  const Volume before = grown(a), after = grown(stroked);
  const Box3 box = after.root().difference_from(before.root());
  RC_ASSERT(after.root().difference_from(after.root()).empty());
  for (int i = 0; i < 30; ++i)
    if (const Vec3 at = dice.place(); !box.holds(at)) RC_ASSERT(before.value(at) == after.value(at));
}

TEST(Tree, DepthAndSelfSimilarityAreRefusedBeforeAnythingIsAsked) {
  SolidPointer deep = ball({0, 0, 0}, 9, 9);
  const auto grow = [&](auto step, int times) {
    return test::error_of([&] {
      for (int i = 0; i < times; ++i) deep = step(deep);
    });
  };
  const SolidPointer other = ball({5, 0, 0}, 9, 9);
  EXPECT_NE(grow(
                [&](const SolidPointer& s) {
                  return csg(Csg::subtracted, {s, other}, 0, T);
                },
                500)
                .find("operators deep"),
            std::string::npos);
  deep = other;
  EXPECT_NE(grow(
                [&](const SolidPointer& s) {
                  return csg(Csg::subtracted, {s, s}, 0, T);
                },
                60)
                .find("instances"),
            std::string::npos);
}

RC_GTEST_PROP(BoxTree, FindsAllThatMeet, ()) {
  Dice dice;
  std::vector<Box3> boxes;
  const int count = dice.below(60);
  for (int i = 0; i < count; ++i) {
    const Vec3 low = dice.place();
    boxes.push_back(dice.below(9) == 0 ? Box3{} : Box3{low, low + Vec3{1, 5, 20}});
  }
  const BoxTree tree(boxes);
  const Vec3 low = dice.place();
  const Box3 box{low, low + Vec3{30, 30, 30}};
  std::vector<uint32_t> found;
  tree.near(box, found);
  RC_ASSERT(std::is_sorted(found.begin(), found.end()));
  for (uint32_t i = 0; i < boxes.size(); ++i) {
    const bool there = std::binary_search(found.begin(), found.end(), i);
    if (!boxes[i].empty() && boxes[i].meets(box)) RC_ASSERT(there);
    if (boxes[i].empty()) RC_ASSERT(!there);
  }
  const std::vector<uint32_t> all = found;
  const auto most = static_cast<size_t>(dice.below(70));
  RC_ASSERT(tree.near(box, most, found) == (all.size() <= most));
  if (all.size() <= most) RC_ASSERT(found == all);
}

}  // namespace tepui::tree_test
