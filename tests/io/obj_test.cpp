#include "tepui/io/mesh/obj.h"

#include "tepui/core/error.h"
#include "tepui/mesh/checks.h"
#include "tests/io/files.h"
#include "tests/mesh/shapes.h"
#include "tests/support/support.h"

namespace tepui::obj_test {
namespace {

using test::error_of;

const std::string square = "v 0 0 0\nv 1 0 0\nv 1 0 -1\nv 0 0 -1\n";

Mesh parse(const std::string& text) { return parse_obj(text, "a.obj", Context()); }

std::vector<MeshTriangle> triangles(const std::string& faces) {
  const Mesh mesh = parse(square + "vt 0 0\nvt 1 1\nvn 0 1 0\n" + faces);
  return {mesh.triangles().begin(), mesh.triangles().end()};
}

using Triangles = std::vector<MeshTriangle>;

TEST(Obj, YUpBecomesZUp) {
  const Mesh mesh = parse(square + "f 1 2 3 4\n");
  EXPECT_EQ(mesh.positions()[2], (MeshPoint{1, 1, 0}));
  const MeshChecks checks = check_mesh(mesh, Context());
  EXPECT_EQ(checks.area, 1);
  EXPECT_EQ(checks.boundary_edges, 4);
}

TEST(Obj, EveryFormOfACornerIsUnderstood) {
  const Triangles wanted = {{0, 1, 2}};
  for (const char* face :
       {"f 1 2 3", "f 1/1 2/1 3/2", "f 1//1 2//1 3//1", "f 1/1/1 2/2/1 3/1/1", "f -4 -3 -2", "f -4/-2/-1 2/1/1 3/-1/1",
        "  f\t1  2   3  ", "f 1 2 3\r", "f 1 \\\n2 \\\r\n3", "f 1/ 2/ 3/", "f 1 2 3 # a comment"})
    EXPECT_EQ(triangles(std::string(face) + "\n"), wanted) << face;
  EXPECT_EQ(triangles("f 1 2 3"), wanted);  // no end of line at the end
}

TEST(Obj, PolygonsBecomeFans) {
  EXPECT_EQ(triangles("f 1 2 3 4\n"), (Triangles{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(triangles("f 1 1 2\nf 1 2\nf 1\nf\nf 2 3 4\n"), (Triangles{{0, 0, 1}, {1, 2, 3}}));
}

TEST(Obj, VerticesMayComeAfterTheirFaces) { EXPECT_EQ(parse("f 1 2 3\n" + square).triangles().size(), 1u); }

TEST(Obj, OtherStatementsAreLeftOut) {
  const Mesh mesh = parse("# made by hand\nmtllib x.mtl\no thing\ng a b\n" + square +
                          "vp 1\nusemtl rock\ns 1\nl 1 2\np 1\ncurv 0 1 \\\n2 3\nf 1 2 3\n");
  EXPECT_EQ(mesh.triangles().size(), 1u);
  EXPECT_EQ(mesh.positions().size(), 4u);
}

TEST(Obj, NormalsAreKeptWhereAVertexHasOne) {
  const std::string normals = "vn 0 1 0\nvn 0 1 0\nvn 1 0 0\n";
  const Mesh smooth = parse(square + normals + "f 1//1 2//1 3//2\nf 1//2 3//1 4//3\n");
  ASSERT_EQ(smooth.normals().size(), 4u);
  EXPECT_EQ(smooth.normals()[0], (MeshPoint{0, 0, 1}));
  EXPECT_EQ(smooth.normals()[3], (MeshPoint{1, 0, 0}));
  EXPECT_TRUE(parse(square + normals + "f 1//1 2//1 3//2\nf 1//3 3//1 4//3\n").normals().empty());
}

TEST(Obj, ColoursFollowThePosition) {
  const Mesh mesh = parse("v 0 0 0 1 0 0.5\nv 1 0 0 0 2 -1\nv 0 1 0 0.2 0.2 0.2\nf 1 2 3\n");
  ASSERT_EQ(mesh.colours().size(), 3u);
  EXPECT_EQ(mesh.colours()[0], (MeshColour{255, 0, 128, 255}));
  EXPECT_EQ(mesh.colours()[1], (MeshColour{0, 255, 0, 255}));
  EXPECT_TRUE(parse("v 0 0 0 1 0 0.5\nv 1 0 0\nv 0 1 0 1 1 1\nf 1 2 3\n").colours().empty());
  EXPECT_TRUE(parse("v 0 0 0 1\nv 1 0 0 1\nv 0 1 0 1\nf 1 2 3\n").colours().empty());  // a weight
}

TEST(Obj, WhatIsWrongIsNamedWithItsLine) {
  const std::pair<std::string, std::string> cases[] = {{"f 0 1 2\n", "line 5"},
                                                       {"f 1 2 9\n", "vertex 8 of 4"},
                                                       {"f 1 2 -5\n", "counts back"},
                                                       {"f 1 2 x\n", "'x'"},
                                                       {"f 1 2 3.5\n", "'3.5'"},
                                                       {"v 1 2\n", "2 numbers"},
                                                       {"v 1 2 nan\n", "not finite"},
                                                       {"v 1 2 inf\n", "not finite"},
                                                       {"v 1 2 1e300\n", "1e30"},
                                                       {"v 1 2 1,5\n", "'1,5'"},
                                                       {"f 1//1 2//1 3//1\n", "normal"},
                                                       {"f 1/7 2/7 3/7\n", "texture"},
                                                       {"f 99999999999999999999 1 2\n", "number of a vertex"},
                                                       {"f 1 2 5000000000\n", "more than there can be"}};
  for (const auto& [text, wanted] : cases) {
    const std::string message = error_of([&, t = text] { parse(square + t); });
    EXPECT_NE(message.find(wanted), std::string::npos) << text << message;
    EXPECT_NE(message.find("a.obj"), std::string::npos);
  }
  EXPECT_NE(error_of([] { parse(""); }).find("no vertices"), std::string::npos);
  EXPECT_NE(error_of([] { parse("hello world\n"); }).find("no vertices"), std::string::npos);
}

TEST(Obj, LongLinesTakeNoLongerThanShortOnes) {
  std::string face = "f";
  for (int i = 0; i < 300000; ++i) face += i % 3 == 0 ? " 1" : i % 3 == 1 ? " 2 \\\n" : " 3";
  EXPECT_EQ(parse(square + face + "\n").triangles().size(), 299998u);
  EXPECT_EQ(parse(square + "#" + std::string(3000000, 'x') + "\nf 1 2 3\n").triangles().size(), 1u);
  EXPECT_NE(error_of([&] { parse("v 0 0 " + std::string(1000000, '1') + "\n"); }).find("a.obj"), std::string::npos);
  parse("v 0 0 0." + std::string(1000000, '1') + "\n");
}

TEST(Obj, NumbersAreTheShortestThatRestoreThem) {
  const test::TemporaryFolder folder;
  MeshData data;
  data.centre = {500000.5, -20, 0};
  data.positions = {{0.1f, 0, 1e-20f}, {1.0f / 3, 2, 3}, {16777216, 5, 6}};
  data.triangles = {{0, 1, 2}};
  write_obj(folder / "a.obj", StoredMesh(Mesh(data)), Context());
  EXPECT_EQ(test::bytes_of(folder / "a.obj"),
            "# Tepui: metres, Y up; the origin is the point 500000.5 -20 0 of the world (z up)\n"
            "v 0.1 1e-20 0\nv 0.33333334 3 -2\nv 16777216 6 -5\nf 1 2 3\n");
}

}  // namespace
}  // namespace tepui::obj_test
