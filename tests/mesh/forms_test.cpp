#include "tepui/mesh/forms.h"

#include <cmath>
#include <set>

#include "tepui/mesh/standing.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::forms_test {

namespace {

using test::error_of;

constexpr FormDetail details[] = {FormDetail::coarse, FormDetail::middle, FormDetail::fine, FormDetail::close};
constexpr size_t most_triangles[] = {60, 500, 2100, 12'000};
constexpr Season seasons[] = {Season::winter, Season::spring, Season::summer, Season::autumn};

template <class Act>
void for_each_form(const Act& act) {
  for (size_t s = 0; s < species_names.size(); ++s)
    for (int form = 0; form < species_forms; ++form) act(static_cast<Species>(s), form);
}

double mean_brightness(const Mesh& mesh) {
  double sum = 0;
  for (const MeshColour& c : mesh.colours()) sum += c[0] + c[1] + c[2];
  return sum / static_cast<double>(mesh.colours().size());
}

/// Points with one text and some numbers each.
Lines points_of(const std::vector<Vec3>& places, const std::vector<std::string>& species,
                const std::vector<LineAttribute>& numbers) {
  LinesColumns columns;
  LineTextAttribute texts{"species", {}, {}};
  for (size_t i = 0; i < places.size(); ++i) {
    columns.vertices.push_back(places[i]);
    columns.part_starts.push_back(i + 1);
    columns.part_closed.push_back(0);
    columns.feature_starts.push_back(i + 1);
    columns.shapes.push_back(FeatureShape::point);
    columns.names.add("");
    if (species.empty()) continue;
    texts.values.add(species[i]);
    texts.present.push_back(1);
  }
  if (!species.empty()) columns.texts.push_back(std::move(texts));
  columns.numbers = numbers;
  return Lines(std::move(columns));
}

}  // namespace

TEST(Forms, AreOneHighStandOnTheGroundAndKeepToTheirDetail) {
  for_each_form([](Species species, int form) {
    for (const FormDetail detail : details) {
      const Mesh mesh = plant_form(species, form, detail);
      ASSERT_EQ(mesh.normals().size(), mesh.positions().size());
      ASSERT_EQ(mesh.colours().size(), mesh.positions().size());
      EXPECT_FLOAT_EQ(mesh.bounds().high[2], 1);
      EXPECT_LE(mesh.bounds().low[2], 0.13f);
      EXPECT_GE(mesh.bounds().low[2], -0.45f);
      EXPECT_LE(mesh.triangles().size(), most_triangles[static_cast<size_t>(detail)]);
      EXPECT_GE(mesh.triangles().size(), 12u);
    }
  });
}

TEST(Forms, CrownsAreAsWideAsIsSaid) {
  for_each_form([](Species species, int form) {
    const Mesh mesh = plant_form(species, form, FormDetail::fine);
    double reach = 0;
    for (const MeshPoint& p : mesh.positions())
      reach = std::max(reach, std::hypot(static_cast<double>(p[0]), static_cast<double>(p[1])));
    const double said = form_radius(species, form);
    EXPECT_GT(reach, 0.7 * said) << species_names[static_cast<size_t>(species)] << ' ' << form;
    EXPECT_LT(reach, 1.75 * said) << species_names[static_cast<size_t>(species)] << ' ' << form;
  });
}

TEST(Forms, AllDifferAndRepeat) {
  std::set<Hash> seen;
  for_each_form([&](Species species, int form) {
    const Hash hash = plant_form(species, form, FormDetail::middle).hash();
    EXPECT_TRUE(seen.insert(hash).second) << species_names[static_cast<size_t>(species)] << ' ' << form;
    EXPECT_EQ(plant_form(species, form + species_forms, FormDetail::middle).hash(), hash);
    EXPECT_EQ(plant_form(species, form - species_forms, FormDetail::middle).hash(), hash);
  });
}

TEST(Forms, SnowWhitensAndMovesNothing) {
  for_each_form([](Species species, int form) {
    for (const Season season : seasons) {
      const Mesh bare = plant_form(species, form, FormDetail::middle, {season, 0}),
                 half = plant_form(species, form, FormDetail::middle, {season, 0.5}),
                 snowed = plant_form(species, form, FormDetail::middle, {season, 1});
      ASSERT_TRUE(std::ranges::equal(bare.positions(), snowed.positions()));
      ASSERT_TRUE(std::ranges::equal(bare.triangles(), snowed.triangles()));
      EXPECT_LT(mean_brightness(bare), mean_brightness(half));
      EXPECT_LT(mean_brightness(half), mean_brightness(snowed));
    }
  });
}

TEST(Forms, LeavesTurnInAutumnAndFallInWinter) {
  const auto redness = [](const Mesh& mesh) {
    double sum = 0;
    for (const MeshColour& c : mesh.colours()) sum += static_cast<double>(c[0]) - c[1];
    return sum / static_cast<double>(mesh.colours().size());
  };
  for (const Species species : {Species::broadleaf, Species::birch, Species::larch, Species::shrub})
    for (int form = 0; form < species_forms; ++form) {
      const auto at = [&](Season season) { return plant_form(species, form, FormDetail::fine, {season, 0}); };
      EXPECT_GT(redness(at(Season::autumn)), redness(at(Season::summer)) + 5);
      EXPECT_NE(at(Season::winter).positions().front(), MeshPoint());
      EXPECT_FALSE(std::ranges::equal(at(Season::winter).positions(), at(Season::summer).positions()));
    }
  for (int form = 0; form < species_forms; ++form)
    EXPECT_EQ(plant_form(Species::pine, form, FormDetail::fine, {Season::winter, 0}).hash(),
              plant_form(Species::pine, form, FormDetail::fine, {Season::summer, 0}).hash());
}

RC_GTEST_PROP(Forms, ScaleKeepsHeightAndNeverDistortsACrown, ()) {
  const auto species = static_cast<Species>(*rc::gen::inRange<size_t>(0, species_names.size()));
  const int form = *rc::gen::inRange(-20, 20);
  const double height = *rc::gen::inRange(1, 60000) / 1000.0, crown = *rc::gen::inRange(0, 60000) / 1000.0;
  const FormScale scale = form_scale(species, form, height, crown);
  RC_ASSERT(scale.up == height);
  RC_ASSERT(scale.across >= 0.65 * height && scale.across <= 1.5 * height);
  RC_ASSERT(form_scale(species, form, std::nan(""), std::nan("")).up == usual_height(species));
}

TEST(Standing, WhatIsNotSaidIsUsual) {
  const std::vector<Standing> all = standing_at(points_of({{1, 2, 3}, {4, 5, 6}}, {}, {}));
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].foot, (Vec3{1, 2, 3}));
  EXPECT_EQ(all[0].species, Species::broadleaf);
  EXPECT_EQ(all[0].height, usual_height(Species::broadleaf));
  EXPECT_NE(all[0].turn, all[1].turn);
  EXPECT_TRUE(standing_at(Lines()).empty());
  const double nan = std::nan("");
  const std::vector<Standing> some = standing_at(points_of(
      {{}, {}}, {"rock", "conifer"}, {{"height", "m", {nan, 12}}, {"form", "", {8, nan}}, {"lean", "deg", {nan, 5}}}));
  EXPECT_EQ(some[0].species, Species::rock);
  EXPECT_EQ(some[0].height, usual_height(Species::rock));
  EXPECT_EQ(some[0].form, 8);
  EXPECT_EQ(some[1].height, 12);
  EXPECT_EQ(some[1].lean, 5);
}

TEST(Standing, RefusesWhatMakesNoSense) {
  const auto refused = [](const std::vector<std::string>& species, const std::vector<LineAttribute>& numbers) {
    return error_of([&] { standing_at(points_of({{}}, species, numbers)); });
  };
  EXPECT_CONTAINS(refused({"oaktree"}, {}), "'oaktree', which has no model");
  EXPECT_CONTAINS(refused({}, {{"height", "m", {-3}}}), "has a height of -3 m");
  EXPECT_CONTAINS(refused({}, {{"height", "m", {1e9}}}), "has a height of 1e+09 m");
  EXPECT_CONTAINS(refused({}, {{"lean", "deg", {170}}}), "has a lean of 170 deg");
  EXPECT_CONTAINS(refused({}, {{"form", "", {-1}}}), "has a form of -1");
  EXPECT_CONTAINS(error_of([] { standing_at(Lines({{"a", {{0, 0, 0}, {1, 1, 1}}, false, {}}})); }), "as points");
}

RC_GTEST_PROP(Standing, LeansTheWayItIsTurned, ()) {
  Standing s;
  s.height = 10;
  s.turn = *rc::gen::inRange(0, 360);
  s.lean = *rc::gen::inRange(0, 90);
  const StandingAxes axes = axes_of(s);
  const double turn = s.turn * M_PI / 180, lean = s.lean * M_PI / 180;
  RC_ASSERT(length(axes.z - Vec3{std::sin(turn) * std::sin(lean), std::cos(turn) * std::sin(lean), std::cos(lean)} *
                                10.0) < 1e-9);
  RC_ASSERT(std::abs(dot(axes.x, axes.y)) < 1e-9);
  RC_ASSERT(std::abs(dot(axes.x, axes.z)) < 1e-9);
  RC_ASSERT(dot(cross(axes.x, axes.y), axes.z) > 0);
}

}  // namespace tepui::forms_test
