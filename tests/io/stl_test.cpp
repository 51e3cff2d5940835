#include "tepui/io/mesh/stl.h"

#include <cstring>

#include "tepui/core/error.h"
#include "tepui/mesh/checks.h"
#include "tests/io/files.h"
#include "tests/mesh/shapes.h"
#include "tests/support/support.h"

namespace tepui::stl_test {
namespace {

using test::error_of;

const std::string facet =
    "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1e0 +0.5\n endloop\nendfacet\n";

Mesh parse(const std::string& text) { return parse_stl(text, "a.stl", Context()); }

std::string binary(const Mesh& mesh) {
  const test::TemporaryFolder folder;
  write_stl(folder / "a.stl", StoredMesh(mesh), Context());
  return test::bytes_of(folder / "a.stl");
}

TEST(Stl, TextIsReadWhateverItsCaseAndLines) {
  const std::string texts[] = {"solid thing\n" + facet + "endsolid thing\n",
                               "  SOLID\r\nFACET NORMAL 0 0 1 OUTER LOOP VERTEX 0 0 0 VERTEX 1 0 0 VERTEX 0 1 0.5 "
                               "ENDLOOP ENDFACET ENDSOLID"};
  for (const std::string& text : texts) {
    const Mesh mesh = parse(text);
    ASSERT_EQ(mesh.triangles().size(), 1u);
    EXPECT_EQ(mesh.positions()[2], (MeshPoint{0, 1, 0.5f}));
  }
  EXPECT_EQ(parse("solid a\n" + facet + "endsolid a\nsolid b\n" + facet + facet + "endsolid\n").triangles().size(), 3u);
  EXPECT_EQ(parse("solid\nendsolid\n").triangles().size(), 0u);
}

TEST(Stl, FacetsAreStoredAsTheFormatSays) {
  const std::string bytes = binary(Mesh(test::cube()));
  ASSERT_EQ(bytes.size(), 84u + 12 * 50);
  uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, 4);
  EXPECT_EQ(count, 12u);
  MeshPoint first_normal;
  std::memcpy(&first_normal, bytes.data() + 84, 12);
  EXPECT_EQ(first_normal, (MeshPoint{0, 0, -1}));
  const MeshChecks checks = check_mesh(parse(bytes), Context());
  EXPECT_DOUBLE_EQ(*checks.volume, 1);
  EXPECT_EQ(checks.vertices, 36);
}

TEST(Stl, BinaryThatBeginsWithSolidIsBinary) {
  std::string bytes = binary(Mesh(test::cube()));
  std::memcpy(bytes.data(), "solid exported by", 17);
  EXPECT_EQ(parse(bytes).triangles().size(), 12u);
}

TEST(Stl, CountMustFitTheLength) {
  const std::string whole = binary(Mesh(test::cube()));
  const auto with_count = [&](uint32_t count) {
    std::string bytes = whole;
    std::memcpy(bytes.data() + 80, &count, 4);
    return bytes;
  };
  for (const uint32_t count : {0u, 11u, 13u, 0xffffffffu}) {
    const std::string message = error_of([&] { parse(with_count(count)); });
    EXPECT_NE(message.find(std::to_string(count) + " triangles"), std::string::npos) << message;
  }
  EXPECT_EQ(parse(whole + "  ").triangles().size(), 12u);
}

TEST(Stl, DamagedTextIsRefused) {
  for (const std::string text :
       {"", "sol", "solid", "solid x\nfacet", "solid x\nfacet normal 0 0 1 outer loop vertex 0 0 0 endloop",
        "solid x\nvertex 1 2 3\nendsolid", "solid x\nfacet normal 0 0 1 outer loop vertex 0 nan 0",
        "solid x\nfacet normal 0 0 1 outer loop vertex 0 inf 0 vertex 1 1 1 vertex 2 2 2 endloop endfacet endsolid",
        "solid x\nendsolid x\nmore"})
    EXPECT_NE(error_of([&] { parse(text); }).find("a.stl"), std::string::npos) << text;
  std::string bytes = binary(Mesh(test::cube()));
  const float bad = NAN;
  std::memcpy(bytes.data() + 84 + 50 + 16, &bad, 4);
  EXPECT_NE(error_of([&] { parse(bytes); }).find("finite"), std::string::npos);
}

}  // namespace
}  // namespace tepui::stl_test
