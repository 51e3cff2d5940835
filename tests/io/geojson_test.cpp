#include "tepui/io/table/geojson.h"

#include <arpa/inet.h>
#include <gdal/cpl_conv.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <nlohmann/json.hpp>

#include "tepui/core/error.h"
#include "tepui/io/lines_write.h"
#include "tests/io/gdal_tools.h"
#include "tests/io/lines_files.h"
#include "tests/support/contains.h"

namespace tepui::geojson_test {

namespace {

using test::read_quietly;
using test::TemporaryFolder;

std::string text_of(const Lines& lines) {
  const TemporaryFolder folder;
  write_lines_geojson(folder / "a.geojson", lines, {});
  EXPECT_EQ(test::names_in(folder.path()), std::vector<std::string>{"a.geojson"});
  return test::bytes_of(folder / "a.geojson");
}

Lines lines_of(const std::string& text, const LinesFileParams& params = {}, const Frame* land = nullptr) {
  const TemporaryFolder folder;
  test::put_bytes(folder / "a.geojson", text);
  return read_quietly(folder / "a.geojson", params, land);
}

std::string collection(const std::string& features) {
  return R"({"type":"FeatureCollection","features":[)" + features + "]}";
}

std::string feature(const std::string& type, const std::string& coordinates, const std::string& properties = "") {
  return R"({"type":"Feature","properties":{)" + properties + R"(},"geometry":{"type":")" + type +
         R"(","coordinates":)" + coordinates + "}}";
}

std::string refusal(const std::string& text, const LinesFileParams& params = {}) {
  return test::error_of([&] { lines_of(text, params); });
}

}  // namespace

TEST(GeoJson, IsWrittenAsTheStandardHasIt) {
  LinesBuilder builder;
  const NumberColumn level = builder.number("level", "m");
  builder.begin(FeatureShape::point, "tree");
  builder.part(std::vector<Vec3>{{1, 2.5, 3}});
  builder.begin(FeatureShape::polygon, "lake");
  builder.part(std::vector<Vec3>{{0, 0, 1}, {4, 0, 1}, {0, 4, 1}});
  builder.set(builder.vertex_number("depth"), std::vector<double>{1, 2, 3});
  builder.set(level, 1.5);
  test::WarningSink sink;
  const TemporaryFolder folder;
  write_lines(folder / "a.geojson", std::move(builder).build(), sink.context());
  EXPECT_EQ(test::bytes_of(folder / "a.geojson"),
            R"x({"type":"FeatureCollection","crs":{"type":"name","properties":{"name":)x"
            R"x("LOCAL_CS[\"Local metres\",UNIT[\"metre\",1]]"}},"features":[
{"type":"Feature","properties":{"name":"tree","level (m)":null,"depth_per_vertex":null},)x"
            R"x("geometry":{"type":"Point","coordinates":[1,2.5,3]}},
{"type":"Feature","properties":{"name":"lake","level (m)":1.5,"depth_per_vertex":[1,2,3]},)x"
            R"x("geometry":{"type":"Polygon","coordinates":[[[0,0,1],[4,0,1],[0,4,1],[0,0,1]]]}}
]}
)x");
  ASSERT_EQ(sink.warnings.size(), 1u);
  EXPECT_CONTAINS(sink.warnings[0], "no place on Earth");
}

RC_GTEST_PROP(GeoJson, GivesBackWhatWasWritten, ()) {
  const Lines lines = test::any_lines();
  const std::string text = text_of(lines);
  RC_ASSERT(text == text_of(lines));
  RC_ASSERT(nlohmann::json::parse(text).at("features").size() == lines.features());
  if (lines.empty()) return;
  test::expect_same_features(lines_of(text), lines);
  RC_ASSERT(!lines_of(text).geo().has_value());
}

TEST(GeoJson, HoldsNoFeatures) {
  EXPECT_TRUE(lines_of(text_of(Lines())).empty());
  EXPECT_TRUE(lines_of(collection("")).empty());
}

TEST(GeoJson, OldLinesKeepTheirHashOnTheWay) {
  const Lines lines({{"river", {{0, 0, 10}, {3.5, -4, 9}}, false, {{"flow", "m3/s", {1, 2.5}}}},
                     {"lake", {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, true, {}},
                     {"dot", {{5, 6, 7}}, false, {}},
                     {"ring", {{5, 6, 7}}, true, {}}});
  EXPECT_EQ(lines_of(text_of(lines)).hash(), lines.hash());
}

TEST(GeoJson, DegreesAreThoseOfThePlaceAndLeadBack) {
  const Georeference utm{"EPSG:32612", {0, 0}, {1, 1}};
  const Lines lines = test::with_geo(Lines({{"a", {{500000, 4000000, 7}, {500100, 4000200, 8}}, false, {}}}), utm);
  const std::string text = text_of(lines);
  EXPECT_EQ(text.find("crs"), std::string::npos);
  const auto first = nlohmann::json::parse(text)["features"][0]["geometry"]["coordinates"][0];
  EXPECT_EQ(first[0].get<double>(), -111);  // the middle of zone 12
  EXPECT_NEAR(first[1].get<double>(), 36.144, 1e-3);
  EXPECT_EQ(first[2].get<double>(), 7);
  // Beside a land in UTM they come to lie where they were.
  Frame land = make_world({1000, 1000}, 11, {500000, 4000000});
  land.geo = std::make_shared<const Georeference>(Georeference{"EPSG:32612", {500000, 4000000}, {100, 100}});
  const Lines beside = lines_of(text, {}, &land);
  for (size_t i = 0; i < 2; ++i) EXPECT_LT(length(beside.vertices()[i] - lines.vertices()[i]), 2e-4);
  EXPECT_EQ(beside.geo()->step, (Vec2{1, 1}));
  // Alone they start at the corner of their box, and are as long.
  const Lines alone = lines_of(text);
  EXPECT_EQ(extent_of(alone).low, (Vec3{0, 0, 7}));
  EXPECT_NEAR(extent_of(alone).length, extent_of(lines).length, 0.2);
  // Written again, they have the same degrees.
  EXPECT_EQ(text_of(alone), text);
}

TEST(GeoJson, LinesAcrossTheDateLineStayTogether) {
  const Lines lines = lines_of(collection(feature("LineString", "[[179.5,10],[-179.5,10]]")));
  EXPECT_NEAR(extent_of(lines).length, 109641, 10);
  EXPECT_CONTAINS(text_of(lines), "[[179.5,10,0],[180.5,10,0]]");
}

TEST(GeoJson, ReadsWhatOthersWrite) {
  const Lines lines = lines_of(collection(
      feature("MultiPolygon", "[[[[0,0],[0,1],[1,1],[0,0]]],[[[5,5],[6,5],[6,6],[5,5]]]]", R"("name":"two","n":3)") +
      "," + feature("MultiPoint", "[[1,1],[2,2,9]]", R"("when":"2020-01-01","yes":true)") + "," +
      R"({"type":"Feature","properties":{},"geometry":{"type":"GeometryCollection","geometries":[)"
      R"({"type":"Point","coordinates":[3,3]},{"type":"LineString","coordinates":[[0,0],[1,1]]}]}})"));
  ASSERT_EQ(lines.features(), 5u);
  EXPECT_EQ(lines.feature(0).name, "two");
  EXPECT_EQ(lines.feature(1).name, "two");
  EXPECT_EQ(lines.number("n")->values[1], 3);
  EXPECT_EQ(lines.feature(1).end_vertex - lines.feature(1).first_vertex, 3u);
  EXPECT_EQ(lines.feature(2).shape, FeatureShape::point);
  EXPECT_EQ(lines.vertices()[lines.feature(2).first_vertex + 1].z, 9);
  EXPECT_EQ(lines.text("when")->values[2], "2020-01-01");
  EXPECT_EQ(lines.feature(3).shape, FeatureShape::point);
  EXPECT_EQ(lines.feature(4).shape, FeatureShape::line);
}

TEST(GeoJson, TellsWhatItLeftOut) {
  test::WarningSink sink;
  const TemporaryFolder folder;
  test::put_bytes(folder / "a.json", collection(R"({"type":"Feature","properties":{},"geometry":null},)" +
                                                feature("LineString", "[[0,0],[1,1]]")));
  EXPECT_EQ(lines_from_file(folder / "a.json", {}, sink.context()).features(), 1u);
  ASSERT_EQ(sink.warnings.size(), 1u);
  EXPECT_CONTAINS(sink.warnings[0], "without a geometry");
}

TEST(GeoJson, CoordinatesAreWhatOneSaysTheyAre) {
  const std::string metres = collection(feature("LineString", "[[5000,6000],[5100,6000]]"));
  EXPECT_CONTAINS(refusal(metres), "degrees");
  EXPECT_EQ(lines_of(metres, {"", "metres"}).vertices()[0], (Vec3{5000, 6000, 0}));
  EXPECT_FALSE(lines_of(metres, {"", "metres"}).geo().has_value());
  EXPECT_EQ(lines_of(metres, {"", "EPSG:32612"}).vertices()[1], (Vec3{5100, 6000, 0}));
  EXPECT_TRUE(lines_of(metres, {"", "EPSG:32612"}).geo().has_value());
  EXPECT_CONTAINS(refusal(metres, {"", "EPSG:nothing"}), "not a reference system");
  const Frame nowhere = make_world({10, 10}, 2);
  const std::string degrees = collection(feature("Point", "[1,1]"));
  EXPECT_CONTAINS(test::error_of([&] { lines_of(degrees, {}, &nowhere); }), "the land has none");
}

TEST(GeoJson, RefusesDamagedAndHostileFiles) {
  EXPECT_CONTAINS(refusal(""), "empty");
  EXPECT_CONTAINS(refusal("{}"), "GeoJSON");
  EXPECT_CONTAINS(refusal(collection(feature("LineString", "[[0,0],[1,1]]")).substr(0, 90)), "cannot read");
  EXPECT_CONTAINS(refusal(collection(feature("Polygon", "[[[0,0],[1,1],[0,0]]]"))), "ring of 2 points");
  EXPECT_CONTAINS(refusal(collection(feature("Point", "[1e999,0]"))), "cannot");
  EXPECT_CONTAINS(refusal(collection(feature("LineString", "[[0,0],[1,1]]", R"("w_per_vertex":[1,2,3])"))),
                  "3 numbers");
  EXPECT_CONTAINS(refusal(collection(feature("LineString", "[[0,0],[1,1]]", R"("w_per_vertex":["x",2])"))),
                  "not a list");
  EXPECT_CONTAINS(refusal(R"({"type":"FeatureCollection","features":)" + std::string(100000, '[')), "cannot read");
  EXPECT_CONTAINS(test::error_of([] { read_quietly("/vsicurl/http://localhost/a.geojson"); }), "virtual");
  EXPECT_CONTAINS(test::error_of([] { read_quietly("no/such.geojson"); }), "no/such.geojson");
  EXPECT_CONTAINS(test::error_of([] { read_quietly("a.shp"); }), ".gpkg");
}

TEST(GeoJson, NeverAsksTheNetwork) {
  // A server that a file names as the home of its reference system: nobody may knock.
  const int server = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t bytes = sizeof address;
  ASSERT_EQ(bind(server, reinterpret_cast<sockaddr*>(&address), bytes), 0);
  ASSERT_EQ(listen(server, 1), 0);
  ASSERT_EQ(getsockname(server, reinterpret_cast<sockaddr*>(&address), &bytes), 0);
  const std::string text = collection(feature("Point", "[1,1]"));
  const std::string asks = R"("crs":{"type":"link","properties":{"href":"http://127.0.0.1:)" +
                           std::to_string(ntohs(address.sin_port)) + R"(/crs"}},)";
  const CPLConfigOptionSetter patience("GDAL_HTTP_TIMEOUT", "1", false);
  const TemporaryFolder folder;
  test::put_bytes(folder / "a.geojson", "{" + asks + text.substr(1));
  test::WarningSink sink;
  EXPECT_EQ(lines_from_file(folder / "a.geojson", {}, sink.context()).features(), 1u);
  ASSERT_EQ(sink.warnings.size(), 1u);
  EXPECT_CONTAINS(sink.warnings[0], "the network is not asked");
  EXPECT_LT(accept(server, nullptr, nullptr), 0);
  close(server);
}

TEST(GeoJson, StopsWhenCancelledAndLeavesNothing) {
  const TemporaryFolder folder;
  const CancelFlag stop{true};
  const Lines lines({{"a", {{}}, false, {}}});
  EXPECT_THROW(write_lines_geojson(folder / "a.geojson", lines, Context(nullptr, &stop)), Error);
  EXPECT_TRUE(test::names_in(folder.path()).empty());
  write_lines_geojson(folder / "a.geojson", lines, {});
  EXPECT_THROW(lines_from_file(folder / "a.geojson", {}, Context(nullptr, &stop)), Error);
  EXPECT_CONTAINS(test::error_of([&] { write_lines_geojson(folder / "no/a.geojson", lines, {}); }), "no/a.geojson");
}

TEST(GeoJson, OtherProgramsCountTheSame) {
  const TemporaryFolder folder;
  const Lines lines =
      test::with_geo(Lines({{"a", {{500000, 4000000, 7}, {500100, 4000200, 8}}, false, {{"flow", "m3/s", {1, 2}}}},
                            {"b", {{500000, 4000000, 7}, {500100, 4000200, 8}, {500000, 4000200, 8}}, true, {}}}),
                     {"EPSG:32612", {0, 0}, {1, 1}});
  write_lines_geojson(folder / "a.geojson", lines, {});
  const std::string told = test::output_of("ogrinfo -al '" + folder / "a.geojson" + "' 2>/dev/null");
  EXPECT_CONTAINS(told, "Feature Count: 2");
  EXPECT_CONTAINS(told, "Geometry: 3D Line String");
  EXPECT_CONTAINS(told, "WGS 84");
  EXPECT_CONTAINS(told, "name (String) = b");
}

TEST(GeoJson, HoldsAMillionPoints) {
  const TemporaryFolder folder;
  const Lines lines = test::a_million_points();
  write_lines_geojson(folder / "a.geojson", lines, {});
  test::expect_same_features(read_quietly(folder / "a.geojson"), lines);
}

}  // namespace tepui::geojson_test
