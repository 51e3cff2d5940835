#include "tepui/io/mesh/glb.h"

#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "tepui/io/raster/png.h"
#include "tepui/mesh/checks.h"
#include "tests/io/files.h"
#include "tests/mesh/shapes.h"
#include "tests/support/support.h"

namespace tepui::glb_test {
namespace {

using test::bytes_of;
using test::TemporaryFolder;
using Json = nlohmann::json;

template <class T>
T at(const std::string& bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// A reader of its own, with no checks but the tests'.
struct Glb {
  Json json;
  std::string binary;

  explicit Glb(const std::string& bytes) {
    EXPECT_EQ(bytes.substr(0, 4), "glTF");
    EXPECT_EQ(at<uint32_t>(bytes, 4), 2u);
    EXPECT_EQ(at<uint32_t>(bytes, 8), bytes.size());
    const auto length = at<uint32_t>(bytes, 12);
    EXPECT_EQ(length % 4, 0u);
    EXPECT_EQ(bytes.substr(16, 4), "JSON");
    json = Json::parse(bytes.substr(20, length));
    const auto rest = at<uint32_t>(bytes, 20 + length);
    EXPECT_EQ(rest % 4, 0u);
    EXPECT_EQ(bytes.substr(24 + length, 4), std::string("BIN\0", 4));
    binary = bytes.substr(28 + length);
    EXPECT_EQ(binary.size(), rest);
    const size_t stated = json["buffers"][0]["byteLength"];
    EXPECT_TRUE(stated <= rest && rest - stated < 4);
  }

  const Json& accessor(const std::string& name) const {
    const Json& primitive = json["meshes"][0]["primitives"][0];
    return json["accessors"][(name == "indices" ? primitive["indices"] : primitive["attributes"][name]).get<size_t>()];
  }

  template <class T>
  std::vector<T> values(const std::string& name, size_t components) const {
    const Json& view = json["bufferViews"][accessor(name)["bufferView"].get<size_t>()];
    const size_t count = accessor(name)["count"].get<size_t>() * components, offset = view["byteOffset"];
    EXPECT_EQ(offset % 4, 0u);
    EXPECT_EQ(view["byteLength"].get<size_t>(), count * sizeof(T));
    EXPECT_LE(offset + count * sizeof(T), binary.size());
    std::vector<T> out(count);
    std::memcpy(out.data(), binary.data() + offset, count * sizeof(T));
    return out;
  }

  std::vector<uint32_t> indices() const {
    if (accessor("indices")["componentType"] == 5125) return values<uint32_t>("indices", 1);
    const auto small = values<uint16_t>("indices", 1);
    return {small.begin(), small.end()};
  }
};

void check_surface(const Terrain& land, const Glb& glb) {
  const int64_t width = land.frame().width, height = land.frame().height;
  const auto positions = glb.values<float>("POSITION", 3);
  const auto indices = glb.indices();
  ASSERT_EQ(static_cast<int64_t>(positions.size()), 3 * width * height);
  ASSERT_EQ(static_cast<int64_t>(indices.size()), 6 * (width - 1) * (height - 1));

  std::map<std::pair<uint32_t, uint32_t>, int> edges;
  double plan_area = 0;
  for (size_t i = 0; i < indices.size(); i += 3) {
    double x[3], z[3];
    for (size_t k = 0; k < 3; ++k) {
      ASSERT_LT(indices[i + k], positions.size() / 3);
      x[k] = static_cast<double>(positions[3 * indices[i + k]]);
      z[k] = static_cast<double>(positions[3 * indices[i + k] + 2]);
      ++edges[{indices[i + k], indices[i + (k + 1) % 3]}];
    }
    // The upward part of the normal, with Y up and Z south.
    const double up = (z[1] - z[0]) * (x[2] - x[0]) - (x[1] - x[0]) * (z[2] - z[0]);
    ASSERT_GT(up, 0) << "triangle " << i / 3 << " is not counter-clockwise from above";
    plan_area += 0.5 * up;
  }
  EXPECT_NEAR(plan_area / (land.frame().cell.x * land.frame().cell.y * static_cast<double>((width - 1) * (height - 1))),
              1, 1e-6);
  // Watertight: every directed edge once, its opposite missing only along the rim.
  int64_t rim = 0;
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    if (!edges.contains({edge.second, edge.first})) ++rim;
  }
  EXPECT_EQ(rim, 2 * (width - 1) + 2 * (height - 1));
}

RC_GTEST_PROP(Glb, IsAWatertightSurfaceSeenFromAbove, (uint64_t seed)) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(*rc::gen::inRange(2, 30), *rc::gen::inRange(2, 30), seed, 3);
  write_glb(folder / "land.glb", land, {}, Context());
  check_surface(land, Glb(bytes_of(folder / "land.glb")));
}

TEST(Glb, LargeLandHasWideIndices) {
  const TemporaryFolder folder;
  for (const int64_t width : {255, 257}) {
    const Terrain land = test::sample_land(width, 257, 5);
    write_glb(folder / "land.glb", land, {}, Context());
    const Glb glb(bytes_of(folder / "land.glb"));
    EXPECT_EQ(glb.accessor("indices")["componentType"], width * 257 > 65535 ? 5125 : 5123);
    check_surface(land, glb);
  }
}

TEST(Glb, PositionsAreMetresYUpAroundTheCentre) {
  const TemporaryFolder folder;
  Terrain land = test::sample_land(5, 4, 2, 10);
  Frame frame = land.frame();
  frame.origin = {500000, 4000000};
  land = Terrain(frame, land.relief(), land.height().clone());
  const auto centre = write_glb(folder / "mesa.glb", land, {}, Context());
  EXPECT_EQ(centre, (std::array<double, 3>{500020, 4000015, 0}));
  const Glb glb(bytes_of(folder / "mesa.glb"));
  EXPECT_EQ(glb.json["asset"]["generator"], "Tepui");
  EXPECT_EQ(glb.json["nodes"][0]["name"], "mesa");
  EXPECT_EQ(glb.json["nodes"][0]["extras"]["centre"], (Json{500020.0, 4000015.0, 0.0}));
  const auto p = glb.values<float>("POSITION", 3);
  std::array<float, 3> low{1e9f, 1e9f, 1e9f}, high{-1e9f, -1e9f, -1e9f};
  for (int64_t y = 0; y < 4; ++y)
    for (int64_t x = 0; x < 5; ++x) {
      const size_t i = static_cast<size_t>(3 * (y * 5 + x));
      EXPECT_EQ(static_cast<double>(p[i]) + centre[0], frame.x(x));
      EXPECT_EQ(p[i + 1], land.height()(x, y));
      EXPECT_EQ(centre[1] - static_cast<double>(p[i + 2]), frame.y(y));
      for (size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], p[i + k]), high[k] = std::max(high[k], p[i + k]);
    }
  EXPECT_EQ(glb.accessor("POSITION")["min"].get<std::vector<float>>(), std::vector<float>(low.begin(), low.end()));
  EXPECT_EQ(glb.accessor("POSITION")["max"].get<std::vector<float>>(), std::vector<float>(high.begin(), high.end()));
}

TEST(Glb, NormalsOfAPlaneAreExact) {
  const TemporaryFolder folder;
  Terrain land = test::sample_land(6, 5, 2, 2);
  Grid<float> z(6, 5);
  for (int64_t y = 0; y < 5; ++y)
    for (int64_t x = 0; x < 6; ++x) z(x, y) = static_cast<float>(2 * x - y);  // up 1 per metre east, down 1/2 north
  land = land.with_height(std::move(z));
  write_glb(folder / "a.glb", land, {}, Context());
  const auto n = Glb(bytes_of(folder / "a.glb")).values<float>("NORMAL", 3);
  const double length = std::sqrt(1 + 0.25 + 1);
  for (size_t i = 0; i < n.size(); i += 3) {
    EXPECT_FLOAT_EQ(n[i], static_cast<float>(-1 / length));
    EXPECT_FLOAT_EQ(n[i + 1], static_cast<float>(1 / length));
    EXPECT_FLOAT_EQ(n[i + 2], static_cast<float>(-0.5 / length));  // north is -Z
  }
}

TEST(Glb, QuadsAreSplitAlongTheShorterDiagonal) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(2, 2, 1);
  const auto first_quad = [&](std::array<float, 4> z) {
    Grid<float> grid(2, 2);
    std::copy(z.begin(), z.end(), grid.data());
    write_glb(folder / "a.glb", land.with_height(std::move(grid)), {}, Context());
    return Glb(bytes_of(folder / "a.glb")).indices();
  };
  EXPECT_EQ(first_quad({0, 5, 9, 0}), (std::vector<uint32_t>{0, 1, 3, 0, 3, 2}));  // south-west to north-east
  EXPECT_EQ(first_quad({0, 5, 5, 9}), (std::vector<uint32_t>{0, 1, 2, 1, 3, 2}));
}

TEST(Glb, TextureIsInsideWithNorthAtTheTop) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(4, 3, 2);
  Image picture(4, 3, 3);
  picture.at(0, 0)[0] = 200;
  write_glb(folder / "a.glb", land, {.colour = &picture}, Context());
  const Glb glb(bytes_of(folder / "a.glb"));
  const Json& view = glb.json["bufferViews"][glb.json["images"][0]["bufferView"].get<size_t>()];
  EXPECT_EQ(glb.binary.substr(view["byteOffset"], view["byteLength"]), encode_png(picture));
  EXPECT_EQ(glb.json["images"][0]["mimeType"], "image/png");
  const auto uv = glb.values<float>("TEXCOORD_0", 2);
  // The north-west sample lies on the middle of the top left pixel.
  EXPECT_FLOAT_EQ(uv[2 * 8], 0.5f / 4);
  EXPECT_FLOAT_EQ(uv[2 * 8 + 1], 0.5f / 3);
  EXPECT_FLOAT_EQ(uv[2 * 3], 3.5f / 4);
  EXPECT_FLOAT_EQ(uv[2 * 3 + 1], 2.5f / 3);
}

TEST(Glb, MaterialNamesEveryTextureThatIsThere) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(4, 3, 2);
  const Image colour(4, 3, 3), normal(2, 2, 3), occlusion(3, 1, 1);
  for (const MeshTextures& textures :
       {MeshTextures{}, MeshTextures{.normal = &normal}, MeshTextures{&colour, nullptr, &occlusion},
        MeshTextures{&colour, &normal, &occlusion}}) {
    write_glb(folder / "a.glb", land, textures, Context());
    const Glb glb(bytes_of(folder / "a.glb"));
    const Json& material = glb.json["materials"][0];
    EXPECT_EQ(material["pbrMetallicRoughness"]["roughnessFactor"], 0.9);
    EXPECT_EQ(material["pbrMetallicRoughness"]["metallicFactor"], 0.0);
    EXPECT_EQ(material["pbrMetallicRoughness"].contains("baseColorFactor"), textures.colour == nullptr);
    const auto check = [&](const Json& holder, const char* use, const Image* image) {
      ASSERT_EQ(holder.contains(use), image != nullptr) << use;
      if (image == nullptr) return;
      const size_t source = glb.json["textures"][holder[use]["index"].get<size_t>()]["source"];
      const Json& view = glb.json["bufferViews"][glb.json["images"][source]["bufferView"].get<size_t>()];
      EXPECT_EQ(glb.binary.substr(view["byteOffset"], view["byteLength"]), encode_png(*image)) << use;
    };
    check(material["pbrMetallicRoughness"], "baseColorTexture", textures.colour);
    check(material, "occlusionTexture", textures.occlusion);
    check(material, "normalTexture", textures.normal);
    ASSERT_EQ(glb.json["meshes"][0]["primitives"][0]["attributes"].contains("TANGENT"), textures.normal != nullptr);
    if (textures.normal == nullptr) continue;
    const auto normals = glb.values<float>("NORMAL", 3), tangents = glb.values<float>("TANGENT", 4);
    for (size_t i = 0; i < normals.size() / 3; ++i) {
      const float *n = &normals[3 * i], *t = &tangents[4 * i];
      EXPECT_NEAR(n[0] * t[0] + n[1] * t[1] + n[2] * t[2], 0, 1e-6f);
      EXPECT_NEAR(t[0] * t[0] + t[1] * t[1] + t[2] * t[2], 1, 1e-6f);
      EXPECT_GT(t[0], 0);
      // North, -Z, lies to the left of east as seen from above.
      EXPECT_LT(t[3] * (n[0] * t[1] - n[1] * t[0]), 0);
    }
  }
}

TEST(Glb, RoughnessAndOcclusionShareAPicture) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(4, 3, 2);
  Image occlusion(2, 1, 1), roughness(2, 1, 1);
  occlusion.pixels = {10, 20}, roughness.pixels = {30, 40};
  for (const bool shaded : {false, true}) {
    write_glb(folder / "a.glb", land, {.occlusion = shaded ? &occlusion : nullptr, .roughness = &roughness}, Context());
    const Glb glb(bytes_of(folder / "a.glb"));
    const Json& material = glb.json["materials"][0];
    EXPECT_EQ(material["pbrMetallicRoughness"]["metallicRoughnessTexture"]["index"], 0);
    EXPECT_EQ(material["pbrMetallicRoughness"]["roughnessFactor"], 1.0);
    EXPECT_EQ(material.contains("occlusionTexture"), shaded);
    ASSERT_EQ(glb.json["images"].size(), 1u);
    Image both(2, 1, 3);
    both.pixels = shaded ? std::vector<uint8_t>{10, 30, 0, 20, 40, 0} : std::vector<uint8_t>{255, 30, 0, 255, 40, 0};
    const Json& view = glb.json["bufferViews"][glb.json["images"][0]["bufferView"].get<size_t>()];
    EXPECT_EQ(glb.binary.substr(view["byteOffset"], view["byteLength"]), encode_png(both));
  }
}

TEST(Glb, ASceneHasACameraAndASun) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(4, 3, 2);
  GlbScene scene;
  // From the south-west, looking north-east and level.
  const double half = std::sqrt(0.5);
  scene.eye = {-100, -200, 300};
  scene.right = {half, -half, 0}, scene.up = {0, 0, 1}, scene.forward = {half, half, 0};
  scene.half_x = 0.4, scene.half_y = 0.2, scene.shift_y = -0.05;
  scene.to_sun = {0, 0, 1};
  scene.sun = {4, 3, 2};
  const LandMesh mesh(land);
  write_glb(FileTarget(folder / "a.glb"), mesh, {}, Context(), {.scene = &scene});
  const Json json = Glb(bytes_of(folder / "a.glb")).json;
  EXPECT_EQ(json["extensionsUsed"], Json::array({"KHR_lights_punctual"}));
  EXPECT_FALSE(json.contains("extensionsRequired"));
  EXPECT_EQ(json["scenes"][0]["nodes"], Json::array({0, 1, 2}));
  const Json& camera = json["nodes"][1];
  const std::vector<double> m = camera["matrix"];
  // Columns: right, up, behind, place; y up, north -z.
  EXPECT_NEAR(m[0], half, 1e-12);
  EXPECT_NEAR(m[2], half, 1e-12);
  EXPECT_NEAR(m[5], 1, 1e-12);
  EXPECT_NEAR(m[8], -half, 1e-12);
  EXPECT_NEAR(m[10], half, 1e-12);
  EXPECT_EQ(m[12], -100 - mesh.facts().centre.x);
  EXPECT_EQ(m[13], 300);
  EXPECT_EQ(m[14], 200 + mesh.facts().centre.y);
  EXPECT_EQ(m[15], 1);
  const Json& perspective = json["cameras"][0]["perspective"];
  EXPECT_NEAR(perspective["yfov"], 2 * std::atan(0.25), 1e-9);
  EXPECT_NEAR(perspective["aspectRatio"], 0.4 / 0.25, 1e-9);
  const std::vector<double> picture = json["cameras"][0]["extras"]["picture"];
  // All of the width; of 0.25 up and down the lower 0.15 and the upper 0.25.
  EXPECT_NEAR(picture[0], 0, 1e-12);
  EXPECT_NEAR(picture[2], 1, 1e-12);
  EXPECT_NEAR(picture[1], 0.2, 1e-9);
  EXPECT_NEAR(picture[3], 1, 1e-9);
  const Json& sun = json["extensions"]["KHR_lights_punctual"]["lights"][0];
  EXPECT_EQ(sun["intensity"], 4);
  EXPECT_EQ(sun["color"], Json::array({1.0, 0.75, 0.5}));
  const std::vector<double> light = json["nodes"][2]["matrix"];
  // Light goes along -Z of its node: down.
  EXPECT_NEAR(light[9], 1, 1e-12);
  // A parallel camera; and what is read back is the mesh alone.
  scene.parallel = true;
  write_glb(FileTarget(folder / "b.glb"), mesh, {}, Context(), {.scene = &scene});
  const std::string bytes = bytes_of(folder / "b.glb");
  EXPECT_EQ(Glb(bytes).json["cameras"][0]["orthographic"]["ymag"], 0.25);
  EXPECT_EQ(parse_glb(bytes, "b.glb", Context()).triangles().size(), 12u);
}

TEST(Glb, OpenSheetsAreSeenFromBothSides) {
  const TemporaryFolder folder;
  const auto material = [&](const Mesh& mesh) {
    write_glb(folder / "a.glb", StoredMesh(mesh), {}, Context());
    return Glb(bytes_of(folder / "a.glb")).json["materials"][0];
  };
  MeshData open = test::cube();
  open.triangles.pop_back();
  EXPECT_FALSE(material(Mesh(test::cube())).contains("doubleSided"));
  EXPECT_FALSE(material(Mesh(test::torus(9))).contains("doubleSided"));
  EXPECT_EQ(material(Mesh(open))["doubleSided"], true);
  EXPECT_EQ(material(gather(LandMesh(test::sample_land(4, 3, 2))))["doubleSided"], true);
  // White under colours of vertices, stone without.
  MeshData coloured = test::cube();
  coloured.colours.assign(8, {10, 20, 30, 255});
  EXPECT_FALSE(material(Mesh(coloured))["pbrMetallicRoughness"].contains("baseColorFactor"));
  EXPECT_TRUE(material(Mesh(test::cube()))["pbrMetallicRoughness"].contains("baseColorFactor"));
}

TEST(Glb, SameLandSameBytes) {
  const TemporaryFolder folder;
  const Terrain land = test::sample_land(40, 30, 2);
  write_glb(folder / "a.glb", land, {}, Context());
  const std::string first = bytes_of(folder / "a.glb");
  write_glb(folder / "a.glb", land, {}, Context());
  EXPECT_EQ(bytes_of(folder / "a.glb") == first, true);
}

TEST(Glb, LandWithoutSurfaceOrTooLargeIsRefused) {
  const TemporaryFolder folder;
  EXPECT_NE(test::error_of([&] {
              write_glb(folder / "a.glb", test::sample_land(1, 9, 1), {}, Context());
            }).find("no surface"),
            std::string::npos);
  Frame frame;
  frame.width = frame.height = 10000;
  frame.size = {9999, 9999};
  const Terrain vast(frame, {}, Grid<float>(10000, 10000));
  EXPECT_NE(test::error_of([&] { write_glb(folder / "a.glb", vast, {}, Context()); }).find("resample"),
            std::string::npos);
}

/// A mesh that nobody could hold, to be refused before anything is asked of it.
class VastMesh : public MeshSource {
 public:
  VastMesh() {
    facts_.vertices = int64_t{1} << 31;
    facts_.triangles = int64_t{1} << 32;
  }
  void positions(int64_t, std::span<MeshPoint>) const override { ADD_FAILURE(); }
  void normals(int64_t, std::span<MeshPoint>) const override { ADD_FAILURE(); }
  void coordinates(int64_t, std::span<MeshCoordinate>) const override { ADD_FAILURE(); }
  void colours(int64_t, std::span<MeshColour>) const override { ADD_FAILURE(); }
  void triangles(int64_t, std::span<MeshTriangle>) const override { ADD_FAILURE(); }
};

TEST(Glb, MeshesPastFourGigabytesAreRefusedBeforeTheyAreMade) {
  const TemporaryFolder folder;
  for (const bool quantise : {false, true})
    for (const bool meshopt : {false, true}) {
      const std::string error = test::error_of(
          [&] { write_glb(folder / "a.glb", VastMesh(), {}, Context(), {.quantise = quantise, .meshopt = meshopt}); });
      EXPECT_NE(error.find("4 GiB"), std::string::npos) << error;
      EXPECT_NE(error.find("a.glb"), std::string::npos) << error;
    }
  EXPECT_TRUE(test::names_in(folder.path()).empty());
}

/// A GLB made by hand.
std::string packed(const Json& json, std::string binary) {
  std::string text = json.dump();
  text.resize((text.size() + 3) / 4 * 4, ' ');
  binary.resize((binary.size() + 3) / 4 * 4, '\0');
  std::string bytes = "glTF";
  const auto word = [&](size_t value) { bytes.append(reinterpret_cast<const char*>(&value), 4); };
  word(2);
  word(28 + text.size() + binary.size());
  word(text.size());
  bytes += "JSON" + text;
  word(binary.size());
  bytes.append("BIN\0", 4);
  return bytes + binary;
}

template <class T>
std::string raw(std::initializer_list<T> values) {
  return std::string(reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T));
}

/// Four corners of a unit square in the plane y = 0 of the file, three to five numbers apart, and indices 0 1 2 3.
Json square_json() {
  return Json::parse(R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
    "nodes": [{"mesh": 0}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "mode": 5}]}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                  {"bufferView": 1, "componentType": 5121, "count": 4, "type": "SCALAR"}],
    "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 4}],
    "buffers": [{"byteLength": 52}]})");
}
const std::string square_binary = raw<float>({0, 0, 0, 1, 0, 0, 0, 0, -1, 1, 0, -1}) + raw<uint8_t>({0, 1, 2, 3});

Mesh parse(const Json& json, const std::string& binary = square_binary) {
  return parse_glb(packed(json, binary), "a.glb", Context());
}

/// Twice the vector area, z up.
Vec3 vector_area(const Mesh& mesh) {
  Vec3 sum;
  for (const MeshTriangle& t : mesh.triangles()) {
    const Vec3 a = to_vec(mesh.positions()[t[0]]);
    sum = sum + cross(to_vec(mesh.positions()[t[1]]) - a, to_vec(mesh.positions()[t[2]]) - a);
  }
  return sum;
}

TEST(Glb, StripsFansAndListsAreRead) {
  Json json = square_json();
  EXPECT_EQ(parse(json).triangles().size(), 2u);
  EXPECT_EQ(vector_area(parse(json)), (Vec3{0, 0, 2}));
  Json& primitive = json["meshes"][0]["primitives"][0];
  primitive["mode"] = 6;
  EXPECT_EQ(parse(json, square_binary.substr(0, 48) + raw<uint8_t>({0, 1, 3, 2})).triangles()[1],
            (MeshTriangle{0, 3, 2}));
  primitive["mode"] = 4;
  EXPECT_NE(test::error_of([&] { parse(json); }).find("4 corners"), std::string::npos);
  primitive.erase("indices");
  json["accessors"][0]["count"] = 3;
  EXPECT_EQ(parse(json).triangles()[0], (MeshTriangle{0, 1, 2}));
  primitive["mode"] = 1;
  EXPECT_EQ(parse(json).triangles().size(), 0u);
  primitive["mode"] = 7;
  EXPECT_NE(test::error_of([&] { parse(json); }).find("mode 7"), std::string::npos);
}

TEST(Glb, NodesPlaceTheirMeshes) {
  Json json = square_json();
  json["scenes"][0]["nodes"] = {1, 2};
  json["nodes"] = Json::parse(R"([{"mesh": 0, "translation": [0, 5, 0]},
    {"children": [0], "matrix": [2,0,0,0, 0,2,0,0, 0,0,2,0, 10,0,0,1]},
    {"mesh": 0, "rotation": [0.70710678118654752, 0, 0, 0.70710678118654752], "scale": [1, 1, 3]}])");
  const Mesh mesh = parse(json);
  ASSERT_EQ(mesh.positions().size(), 8u);
  EXPECT_EQ(mesh.positions()[3], (MeshPoint{12, 2, 10}));  // (1, 0, -1) moved up by 5, doubled, moved east by 10
  // A quarter turn about x takes -Z, which is north, up.
  EXPECT_NEAR(mesh.positions()[6][2], 3, 1e-6);
  EXPECT_NEAR(mesh.positions()[6][1], 0, 1e-6);
}

TEST(Glb, MirroredNodesKeepTheirOutside) {
  Json json = square_json();
  json["nodes"][0]["scale"] = {-1, 1, 1};
  json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = 2;
  json["accessors"].push_back({{"bufferView", 2}, {"componentType", 5126}, {"count", 4}, {"type", "VEC3"}});
  json["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", 52}, {"byteLength", 48}});
  const Mesh mesh = parse(json, square_binary + raw<float>({0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0}));
  EXPECT_EQ(vector_area(mesh), (Vec3{0, 0, 2}));
  EXPECT_EQ(mesh.normals()[0], (MeshPoint{0, 0, 1}));
  EXPECT_LT(mesh.normals()[3][0], 0);
}

TEST(Glb, ScenesThatAreNotTreesAreRefused) {
  Json json = square_json();
  json["nodes"] = Json::parse(R"([{"children": [1]}, {"children": [0]}])");
  EXPECT_NE(test::error_of([&] { parse(json); }).find("two parents"), std::string::npos);
  json["nodes"] = Json::parse(R"([{"children": [1, 1]}, {"mesh": 0}])");
  EXPECT_NE(test::error_of([&] { parse(json); }).find("two parents"), std::string::npos);
  json["nodes"] = Json::array();
  for (int i = 0; i < 2000; ++i) json["nodes"].push_back({{"children", {i + 1}}});
  EXPECT_NE(test::error_of([&] { parse(json); }).find("deep"), std::string::npos);
  json["nodes"] = Json::parse(R"([{"children": [7]}])");
  EXPECT_NE(test::error_of([&] { parse(json); }).find("number 7"), std::string::npos);
  json["nodes"] = Json::parse(R"([{"mesh": 0, "matrix": [1, 2]}])");
  EXPECT_NE(test::error_of([&] { parse(json); }).find("16 numbers"), std::string::npos);
  json["nodes"] = Json::parse(R"([{"mesh": 0, "scale": [1e300, 1e300, 1e300]}])");
  EXPECT_NE(test::error_of([&] { parse(json); }).find("1e30"), std::string::npos);
}

TEST(Glb, MeshesWithoutASceneAreAllRead) {
  Json json = square_json();
  json.erase("scene"), json.erase("scenes"), json.erase("nodes");
  json["meshes"].push_back(json["meshes"][0]);
  EXPECT_EQ(parse(json).triangles().size(), 4u);
}

TEST(Glb, RepeatedDataStayInProportion) {
  Json json = square_json();
  std::vector<int> all;
  for (int i = 0; i < 2000; ++i) all.push_back(i);
  json["scenes"][0]["nodes"] = all;
  json["nodes"] = Json(2000, {{"mesh", 0}});
  const Json primitive = json["meshes"][0]["primitives"][0];
  for (int i = 0; i < 200; ++i) json["meshes"][0]["primitives"].push_back(primitive);
  EXPECT_NE(test::error_of([&] { parse(json); }).find("too often"), std::string::npos);
}

TEST(Glb, QuantisedAndInterleavedPositionsAreRead) {
  Json json = square_json();
  json["extensionsRequired"] = {"KHR_mesh_quantization"};
  json["accessors"][0]["componentType"] = 5122;
  json["bufferViews"][0]["byteLength"] = 32;
  json["bufferViews"][0]["byteStride"] = 8;
  json["bufferViews"][1]["byteOffset"] = 32;
  const std::string binary =
      raw<int16_t>({0, 0, 0, 9, 100, 0, 0, 9, 0, 0, -100, 9, 100, 32767, -32768, 9}) + raw<uint8_t>({0, 1, 2, 3});
  EXPECT_EQ(parse(json, binary).positions()[3], (MeshPoint{100, 32768, 32767}));
  json["accessors"][0]["normalized"] = true;
  EXPECT_EQ(parse(json, binary).positions()[3][2], 1);
  EXPECT_EQ(parse(json, binary).positions()[3][1], 1);
}

TEST(Glb, WhatIsNotReadIsNamed) {
  const auto refused = [](const std::function<void(Json&)>& change) {
    Json json = square_json();
    change(json);
    return test::error_of([&] { parse(json); });
  };
  for (const char* name : {"KHR_draco_mesh_compression", "EXT_mesh_gpu_instancing"})
    EXPECT_NE(refused([&](Json& j) { j["extensionsRequired"] = {name}; }).find(name), std::string::npos);
  EXPECT_NE(refused([](Json& j) { j["accessors"][0]["sparse"] = Json::object(); }).find("sparse"), std::string::npos);
  EXPECT_NE(refused([](Json& j) { j["accessors"][0].erase("bufferView"); }).find("compressed"), std::string::npos);
  EXPECT_NE(refused([](Json& j) { j["buffers"][0]["uri"] = "/etc/passwd"; }).find("another file"), std::string::npos);
  EXPECT_NE(refused([](Json& j) { j["accessors"][0]["count"] = 5; }).find("beyond"), std::string::npos);
  EXPECT_NE(refused([](Json& j) { j["accessors"][1]["type"] = "VEC2"; }).find("beyond"), std::string::npos);
  EXPECT_NE(refused([](Json& j) { j["accessors"][1]["count"] = 4e18; }).find("not a valid number"), std::string::npos);
  EXPECT_NE(refused([](Json& j) { j["bufferViews"][0]["byteStride"] = 0; }).find("beyond"), std::string::npos);
  Json json = square_json();
  EXPECT_NE(test::error_of([&] {
              parse(json, square_binary.substr(0, 48) + raw<uint8_t>({0, 1, 2, 4}));
            }).find("vertex 4 of 4"),
            std::string::npos);
  EXPECT_NE(test::error_of([&] {
              parse(json, raw<float>({0, NAN}) + square_binary.substr(8));
            }).find("finite"),
            std::string::npos);
}

}  // namespace
}  // namespace tepui::glb_test
