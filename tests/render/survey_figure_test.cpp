#include "tepui/render/page/cave_course.h"
#include "tepui/render/page/figure.h"
#include "tepui/terrain/lines_builder.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::survey_figure_test {

/// A sink with a passage that parts in two, 3-4-5 triangles in plan, and a passage that nothing joins.
Lines cave() {
  LinesBuilder builder;
  const VertexColumn radius = builder.vertex_number("radius", "m"), depth = builder.vertex_number("depth", "m");
  const TextColumnId kind = builder.text("kind");
  const auto add = [&](const std::vector<Vec3>& points) {
    builder.begin(FeatureShape::line);
    builder.part(points);
    std::vector<double> radii(points.size(), 2), depths;
    for (const Vec3& p : points) depths.push_back(100 - p.z);
    builder.set(radius, radii);
    builder.set(depth, depths);
  };
  add({{0, 0, 100}, {30, 40, 80}});
  add({{30, 40, 80}, {30, 100, 60}});
  add({{30, 40, 80}, {110, 40, 20}});
  add({{200, 200, 50}, {200, 230, 40}});
  const Vec3 sink{0, 0, 100};
  builder.begin(FeatureShape::point, "sink 1");
  builder.part({&sink, 1});
  builder.set(kind, "sink");
  return std::move(builder).build();
}

TEST(SurveyFigure, DistancesAreThoseThroughTheCave) {
  const CaveCourse course = cave_course(cave());
  EXPECT_EQ(course.distance, (std::vector<double>{0, 50, 50, 110, 50, 130, 0, 30, 0}));
  EXPECT_EQ(course.longest, 130);
}

TEST(SurveyFigure, ShowsPlanAndElevation) {
  FigureParams params;
  params.kind = FigureKind::survey;
  params.title = "Deep Hole";
  const std::string svg = draw_figure(cave(), params, {}).svg();
  for (const char* text : {"Deep Hole", "plan", "extended elevation", "sink", "spring", "depth"})
    EXPECT_CONTAINS(svg, text);
  params.layer = "radius";
  EXPECT_CONTAINS(draw_figure(cave(), params, {}).svg(), "radius");
}

TEST(SurveyFigure, RefusesNumbersThatThereAreNot) {
  FigureParams params;
  params.kind = FigureKind::survey;
  params.layer = "colour";
  EXPECT_CONTAINS(test::error_of([&] { draw_figure(cave(), params, {}); }), "depth, radius");
  params.layer.reset();
  EXPECT_CONTAINS(test::error_of([&] { draw_figure(Lines(), params, {}); }), "no lines");
  // Bare lines are shown by their height.
  const Lines bare({Polyline{"", {{0, 0, 0}, {5, 0, 10}}, false, {}}});
  EXPECT_CONTAINS(draw_figure(bare, params, {}).svg(), "height");
}

}  // namespace tepui::survey_figure_test
