#include "tepui/landforms/galleries.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "tepui/landforms/cross_section.h"
#include "tepui/landforms/karst.h"
#include "tepui/mesh/polygonize.h"
#include "tests/landforms/karst_scene.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::galleries_test {

double uniform(double low, double high) { return low + (high - low) * (*rc::gen::inRange(0, 1001)) / 1000.0; }

/// Level land over rock of one resistance, 200 m wide and deep.
Volume block(const Geology& rock, double ground = 100) {
  const Frame world = make_world({200, 200}, 21);
  const Terrain flat(world, {0, 100}, Grid<float>(21, 21, static_cast<float>(ground)));
  return implicitize(flat, nullptr, &rock, {.floor = metres(100)}, {});
}

Geology uniform_rock(double resistance) {
  StrataParams params;
  params.beds = {{"rock", metres(1000), resistance}};
  return strata(make_world({200, 200}, 3), params, {});
}

Frame world() { return make_world({200, 200}, 21); }

Lines line(std::vector<Vec3> points) { return Lines({Polyline{"", std::move(points), false, {}}}); }

/// How far it is from a place to the wall.
double wall(const Volume& volume, Vec3 from, Vec3 direction) {
  return volume.cast(from, direction, 60, 0.05).value_or(60);
}

TEST(CrossSections, ReachTheThresholdAtTheirEdge) {
  EXPECT_NEAR(section_field(section_strands(SectionShape::tube), 1, 0), 1, 1e-12);
  EXPECT_NEAR(section_field(section_strands(SectionShape::bedding), 0, 0.62), 1, 1e-12);
  EXPECT_NEAR(section_field(section_strands(SectionShape::bedding), 0, -0.62), 1, 1e-12);
  EXPECT_NEAR(section_field(section_strands(SectionShape::slot), -0.42, -1.5), 1, 1e-12);
  EXPECT_GT(section_field(section_strands(SectionShape::bedding), 1.3, 0), 1);
  EXPECT_LT(section_field(section_strands(SectionShape::bedding), 1.7, 0), 1);
}

RC_GTEST_PROP(Galleries, ASmoothTubeHasTheRadiusOfItsLineEverywhere, ()) {
  GalleriesParams params;
  params.roughness = 0;
  params.bedding = params.keyholes = params.breakdown = false;
  const double radius = uniform(1, 6);
  params.radius = metres(radius);
  const Volume cave =
      galleries(world(), block(uniform_rock(0.45)), line({{30, 100, 30}, {170, 100, 30}}), nullptr, params, {});
  // No beads: between points as at them.
  for (double x = 90; x < 94; x += 0.37 * radius)
    for (const Vec3 direction : {Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{0, 0, -1}})
      RC_ASSERT(std::abs(wall(cave, {x, 100, 30}, direction) - radius) < 0.03 * radius);
}

TEST(Galleries, CrossSectionsFollowTheRock) {
  const Lines along = line({{30, 100, 30}, {170, 100, 30}});
  GalleriesParams params;
  params.roughness = 0;
  params.breakdown = false;
  const Volume weak = galleries(world(), block(uniform_rock(0.1)), along, nullptr, params, {});
  EXPECT_NEAR(wall(weak, {100, 100, 30}, {0, 1, 0}), 1.5 * 3, 0.4);
  EXPECT_NEAR(wall(weak, {100, 100, 30}, {0, 0, 1}), 0.62 * 3, 0.15);
  const Volume hard = galleries(world(), block(uniform_rock(0.7)), along, nullptr, params, {});
  EXPECT_NEAR(wall(hard, {100, 100, 30}, {0, 0, 1}), 3, 0.25);
  EXPECT_GT(wall(hard, {100, 100, 30}, {0, 0, -1}), 2.2 * 3);
  EXPECT_LT(wall(hard, {100, 100, 30 - 1.5 * 3}, {0, 1, 0}), 0.75 * 3);
  params.bedding = params.keyholes = false;
  const Volume plain = galleries(world(), block(uniform_rock(0.1)), along, nullptr, params, {});
  EXPECT_NEAR(wall(plain, {100, 100, 30}, {0, 1, 0}), 3, 0.1);
  // A shaft is round in any rock.
  const Volume shaft = galleries(world(), block(uniform_rock(0.1)), line({{100, 100, 60}, {100, 100, 0}}), nullptr,
                                 {.roughness = 0}, {});
  EXPECT_NEAR(wall(shaft, {100, 100, 30}, {0, 1, 0}), 3, 0.15);
  EXPECT_NEAR(wall(shaft, {100, 100, 30}, {1, 0, 0}), 3, 0.15);
}

TEST(Galleries, WideWeakRoofsComeDown) {
  const Lines along = line({{20, 100, 30}, {180, 100, 30}});
  GalleriesParams params;
  params.roughness = 0;
  params.radius = metres(6);
  const Volume block_of = block(uniform_rock(0.1));
  const Volume fallen = galleries(world(), block_of, along, nullptr, params, {});
  params.breakdown = false;
  const Volume whole = galleries(world(), block_of, along, nullptr, params, {});
  int domes = 0, blocks = 0;
  for (double x = 30; x < 170; x += 1) {
    domes += wall(fallen, {x, 100, 30}, {0, 0, 1}) > 1.15 * wall(whole, {x, 100, 30}, {0, 0, 1}) ? 1 : 0;
    blocks += wall(fallen, {x, 101, 30}, {0, 0, -1}) < 0.9 * wall(whole, {x, 101, 30}, {0, 0, -1}) ? 1 : 0;
  }
  EXPECT_GT(domes, 5);
  EXPECT_LT(domes, 135);
  EXPECT_GT(blocks, 5);
}

RC_GTEST_PROP(Galleries, RockOfResistanceOneIsNeverCarved, ()) {
  const Volume rock = block(uniform_rock(1));
  GalleriesParams params;
  params.form = *rc::gen::arbitrary<bool>() ? GalleryForm::paper : GalleryForm::natural;
  test::Told told;
  const Volume same =
      galleries(world(), rock, line({{uniform(0, 200), uniform(0, 200), uniform(0, 120)}, {100, 100, 30}}), nullptr,
                params, told.context());
  RC_ASSERT(same.hash() == rock.hash());
  RC_ASSERT(told.warnings.find("nothing to carve") != std::string::npos);
}

Mesh open_mesh(const Volume& volume, double cell) {
  return polygonize_volume(volume,
                           {.cell = metres(cell),
                            .surface = PolygonizeSurface::open,
                            .normals = false,
                            .resistance = false,
                            .strata = false,
                            .colours = PolygonizeColours::none},
                           {});
}

/// Openings in the surface, on the mesh of the land as it was: pieces of it that lie in the air now.
int64_t openings(const Mesh& mesh, const Volume& after, double cell) {
  const size_t count = mesh.positions().size();
  std::vector<double> x(count), y(count), z(count);
  for (size_t i = 0; i < count; ++i) {
    const Vec3 at = mesh.centre() + to_vec(mesh.positions()[i]);
    x[i] = at.x;
    y[i] = at.y;
    z[i] = at.z;
  }
  std::vector<float> v(count);
  after.values(x, y, z, v, {});
  std::vector<size_t> parent(count);
  std::iota(parent.begin(), parent.end(), size_t{0});
  const auto root = [&](size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  constexpr float air = -0.3f;
  for (const MeshTriangle& t : mesh.triangles())
    for (int k = 0; k < 3; ++k)
      if (v[t[static_cast<size_t>(k)]] < air && v[t[static_cast<size_t>((k + 1) % 3)]] < air)
        parent[root(t[static_cast<size_t>(k)])] = root(t[static_cast<size_t>((k + 1) % 3)]);
  // What is smaller than three square metres is no mouth but a crack beside one.
  std::map<size_t, int> sizes;
  for (size_t i = 0; i < count; ++i)
    if (v[i] < air) ++sizes[root(i)];
  return std::ranges::count_if(sizes, [&](const auto& piece) { return piece.second * cell * cell >= 3; });
}

TEST(Galleries, MouthsAreTheOpeningsOnTheMesh) {
  const Volume rock = block(uniform_rock(0.3));
  // Through the ground twice, once beside a passage that stays below.
  const Lines two = Lines({Polyline{"", {{60, 100, 110}, {80, 100, 70}, {140, 100, 70}, {150, 100, 112}}, false, {}},
                           Polyline{"", {{80, 60, 60}, {140, 60, 55}}, false, {}}});
  test::Told told;
  const Volume cave = galleries(world(), rock, two, nullptr, {}, told.context());
  EXPECT_EQ(told.numbers["mouths"], 2);
  EXPECT_EQ(openings(open_mesh(rock, 1), cave, 1), 2);
  const Volume sealed = galleries(world(), rock, line({{60, 100, 50}, {140, 100, 50}}), nullptr, {}, told.context());
  EXPECT_EQ(told.numbers["mouths"], 0);
  EXPECT_EQ(openings(open_mesh(rock, 1), sealed, 1), 0);
}

TEST(Galleries, MouthsOfANetworkAreTheOpeningsOnTheMesh) {
  const Terrain land = test::karst_land();
  const Volume massif = test::karst_massif(land, test::karst_beds());
  constexpr double cell = 0.75;
  const Mesh ground = open_mesh(massif, cell);
  for (int seed = 0; seed < 16; ++seed) {
    KarstParams params;
    params.seed.node = seed;
    const Lines network = karst(land.frame(), massif, nullptr, nullptr, nullptr, nullptr, nullptr, params, {});
    test::Told told;
    const Volume cave = galleries(land.frame(), massif, network, nullptr, {}, told.context());
    EXPECT_GT(told.numbers["mouths"], 2);
    EXPECT_EQ(told.numbers["mouths"], static_cast<double>(openings(ground, cave, cell))) << seed;
  }
}

TEST(Galleries, LinesInTheAirOrOutsideHaveNoMouths) {
  const Volume rock = block(uniform_rock(0.3));
  for (const Lines& along : {line({{90, 100, 130}, {100, 100, 130}}), line({{90, 100, 130}, {140, 100, 135}}),
                             line({{-500, 100, 30}, {-400, 100, 30}})}) {
    test::Told told;
    const Volume same = galleries(world(), rock, along, nullptr, {}, told.context());
    EXPECT_EQ(told.numbers["mouths"], 0);
    EXPECT_TRUE(same.inside({100, 100, 95}));
  }
  // Rock that is too hard keeps its mouths shut.
  test::Told told;
  GalleriesParams params;
  params.hardest = 0.2;
  galleries(world(), rock, line({{60, 100, 110}, {80, 100, 70}}), nullptr, params, told.context());
  EXPECT_EQ(told.numbers["mouths"], 0);
}

TEST(Galleries, LinesOnAMapLieBelowTheGround) {
  const Volume rock = block(uniform_rock(0.3), 80);
  GalleriesParams params;
  params.heights = Heights::ground;
  params.raise = metres(-40);
  const Volume cave = galleries(world(), rock, line({{60, 100, 0}, {140, 100, 0}}), nullptr, params, {});
  EXPECT_FALSE(cave.inside({100, 100, 40}));
  EXPECT_TRUE(cave.inside({100, 100, 0}));
}

TEST(Galleries, RadiiOfLinesGoBeforeTheUsualOne) {
  const Volume rock = block(uniform_rock(0.45));
  Lines thick({Polyline{"", {{60, 100, 30}, {140, 100, 30}}, false, {{"radius", "m", {6, 6}}}}});
  GalleriesParams params;
  params.roughness = 0;
  params.width = 0.5;
  EXPECT_NEAR(wall(galleries(world(), rock, thick, nullptr, params, {}), {100, 100, 30}, {0, 1, 0}), 3, 0.2);
  const Lines bad({Polyline{"", {{60, 100, 30}, {140, 100, 30}}, false, {{"radius", "m", {6, 0}}}}});
  EXPECT_CONTAINS(test::error_of([&] { galleries(world(), rock, bad, nullptr, params, {}); }), "radius");
}

TEST(Galleries, ACastIsRockWhereTheCaveIsHollow) {
  const Volume rock = block(uniform_rock(0.3));
  const Lines along = line({{40, 100, 20}, {100, 120, 15}, {160, 90, 20}});
  const Volume cave = galleries(world(), rock, along, nullptr, {}, {});
  GalleriesParams params;
  params.give = GalleryResult::cast;
  const Volume cast = galleries(world(), rock, along, nullptr, params, {});
  for (double x = 30; x < 170; x += 1.7)
    for (double z = 8; z < 30; z += 1.3) EXPECT_NE(cave.inside({x, 105, z}), cast.inside({x, 105, z})) << x << " " << z;
}

TEST(Galleries, IsTheSameForAnyThreadsAndLevel) {
  const Volume rock = block(uniform_rock(0.3));
  const Lines along = line({{40, 100, 20}, {100, 120, 15}, {160, 90, 120}});
  test::expect_same_bits([&] {
    test::Told told;
    const Volume cave = galleries(world(), rock, along, nullptr, {}, told.context());
    return Hasher().add(cave.hash()).add(told.numbers["mouths"]).finish();
  });
}

TEST(Galleries, NoLinesLeaveTheVolumeAsItIs) {
  const Volume rock = block(uniform_rock(0.3));
  EXPECT_EQ(galleries(world(), rock, Lines(), nullptr, {}, {}).hash(), rock.hash());
}

}  // namespace tepui::galleries_test
