#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tepui/core/error.h"
#include "tepui/core/file.h"
#include "tepui/core/math.h"
#include "tepui/core/random.h"
#include "tepui/io/lines_write.h"
#include "tepui/io/mesh/glb.h"
#include "tepui/mesh/standing.h"
#include "tepui/terrain/lines_builder.h"
#include "tests/support/support.h"

namespace tepui::scattered_points_test {

namespace {

using Json = nlohmann::json;

/// Points as `scatter` makes them.
Lines points(size_t count, uint64_t key, Vec3 around = {}) {
  const Stream random(key);
  LinesBuilder builder;
  const NumberColumn height = builder.number("height", "m"), turn = builder.number("turn", "deg");
  const NumberColumn lean = builder.number("lean", "deg"), crown = builder.number("crown", "m");
  const NumberColumn form = builder.number("form");
  const TextColumnId species = builder.text("species");
  for (uint64_t i = 0; i < count; ++i) {
    const auto draw = [&](uint64_t channel, double high) {
      return std::floor(10 * random.uniform(i, channel, 0, high)) / 10;
    };
    const Vec3 at = around + Vec3{draw(0, 900), draw(1, 700), draw(2, 300)};
    builder.begin(FeatureShape::point);
    builder.part({&at, 1});
    builder.set(height, 0.5 + draw(3, 20));
    builder.set(turn, draw(4, 360));
    builder.set(lean, draw(5, 60));
    builder.set(crown, 0.2 + draw(6, 4));
    builder.set(form, std::floor(draw(7, 6)));
    builder.set(species, species_names[random.bits(i, 8) % species_names.size()]);
  }
  return std::move(builder).build();
}

std::string written(const Lines& lines, const std::string& ending, Engine engine = Engine::none) {
  MemoryFiles files;
  OutputParams options;
  options.engine = engine;
  write_lines(FileTarget("a" + ending, files), lines, {}, options);
  return files.at("a" + ending);
}

Vec3 turned(Vec3 v, int axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  if (axis == 0) return {v.x, c * v.y - s * v.z, s * v.y + c * v.z};
  if (axis == 1) return {c * v.x + s * v.z, v.y, c * v.z - s * v.x};
  return {c * v.x - s * v.y, s * v.x + c * v.y, v.z};
}

/// The axes of a model that a row places, in the world's axes: its program's rotations are done in the program's axes.
StandingAxes axes_in(Engine engine, std::map<std::string, double> row) {
  const auto place = [&](Vec3 axis) {
    if (engine == Engine::unreal) {
      // Left-handed, y south. A roll takes z to y where it is above 0, a yaw x to y.
      Vec3 v{axis.x * row["ScaleXY"], -axis.y * row["ScaleXY"], axis.z * row["ScaleZ"]};
      v = turned(v, 0, -math::radians(row["Roll"]));
      v = turned(v, 2, math::radians(row["Yaw"]));
      return Vec3{v.x, -v.y, v.z};
    }
    if (engine == Engine::unity) {
      // Left-handed: Quaternion.Euler(lean, turn, 0) takes y to z, then z to x.
      Vec3 v{axis.x * row["scale_xz"], axis.z * row["scale_y"], axis.y * row["scale_xz"]};
      v = turned(v, 0, row["lean"]);
      v = turned(v, 1, row["turn"]);
      return Vec3{v.x, v.z, v.y};
    }
    if (engine == Engine::godot) {
      Vec3 v{axis.x * row["scale_xz"], axis.z * row["scale_y"], -axis.y * row["scale_xz"]};
      v = turned(turned(v, 0, row["rotation_x"]), 1, row["rotation_y"]);
      return Vec3{v.x, -v.z, v.y};
    }
    const Vec3 v{axis.x * row["scale_xy"], axis.y * row["scale_xy"], axis.z * row["scale_z"]};
    return turned(turned(v, 0, row["rotation_x"]), 2, row["rotation_z"]);
  };
  return {place({1, 0, 0}), place({0, 1, 0}), place({0, 0, 1})};
}

double difference(const StandingAxes& a, const StandingAxes& b) {
  return std::max({length(a.x - b.x), length(a.y - b.y), length(a.z - b.z)});
}

std::vector<std::map<std::string, std::string>> rows_of(const std::string& table) {
  std::istringstream in(table);
  std::string line, cell;
  std::vector<std::string> names;
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    if (!names.empty()) rows.emplace_back();
    for (size_t i = 0; std::getline(cells, cell, ','); ++i)
      if (rows.empty())
        names.push_back(cell);
      else
        rows.back()[names.at(i)] = cell;
  }
  return rows;
}

/// A GLB's JSON and numbers.
struct Glb {
  Json json;
  std::string binary;

  explicit Glb(const std::string& bytes) {
    uint32_t text = 0;
    std::memcpy(&text, bytes.data() + 12, 4);
    json = Json::parse(bytes.substr(20, text));
    binary = bytes.substr(28 + text);
  }
  template <class T>
  T number(const Json& accessor_index, size_t i, size_t k, size_t width) const {
    const Json& accessor = json["accessors"][accessor_index.get<size_t>()];
    const size_t offset = json["bufferViews"][accessor["bufferView"].get<size_t>()]["byteOffset"].get<size_t>();
    T value;
    std::memcpy(&value, binary.data() + offset + (i * width + k) * sizeof(T), sizeof(T));
    return value;
  }
};

/// Where a GLB puts the axes of what stands, by the place in plan.
std::map<std::pair<double, double>, StandingAxes> instances_of(const Glb& glb) {
  std::map<std::pair<double, double>, StandingAxes> all;
  const Json centre = glb.json["nodes"][0]["extras"]["centre"];
  for (const Json& node : glb.json["nodes"]) {
    if (!node.contains("extensions")) continue;
    const Json& list = node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
    const auto count = glb.json["accessors"][list["TRANSLATION"].get<size_t>()]["count"].get<size_t>();
    for (size_t i = 0; i < count; ++i) {
      const auto place = [&](size_t k) { return static_cast<double>(glb.number<float>(list["TRANSLATION"], i, k, 3)); };
      double q[4];
      for (size_t k = 0; k < 4; ++k) q[k] = glb.number<int16_t>(list["ROTATION"], i, k, 4) / 32767.0;
      const auto turn = [&](Vec3 axis) {
        // In the file's axes, y up.
        Vec3 v{axis.x * static_cast<double>(glb.number<float>(list["SCALE"], i, 0, 3)),
               axis.z * static_cast<double>(glb.number<float>(list["SCALE"], i, 1, 3)),
               -axis.y * static_cast<double>(glb.number<float>(list["SCALE"], i, 2, 3))};
        const Vec3 u{q[0], q[1], q[2]};
        v = v + cross(u, cross(u, v) + v * q[3]) * 2;
        return Vec3{v.x, -v.z, v.y};
      };
      all[{std::round(10 * (place(0) + centre[0].get<double>())),
           std::round(10 * (centre[1].get<double>() - place(2)))}] = {turn({1, 0, 0}), turn({0, 1, 0}),
                                                                      turn({0, 0, 1})};
    }
  }
  return all;
}

}  // namespace

RC_GTEST_PROP(ScatteredPoints, ProgramsPlaceThemAsPicturesDo, ()) {
  const Lines lines = points(static_cast<size_t>(*rc::gen::inRange(0, 30)), *rc::gen::arbitrary<uint64_t>());
  const std::vector<Standing> standing = standing_at(lines);
  for (const Engine engine : {Engine::unreal, Engine::unity, Engine::godot, Engine::blender}) {
    const auto rows = rows_of(written(lines, ".csv", engine));
    RC_ASSERT(rows.size() == standing.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      std::map<std::string, double> numbers;
      for (const auto& [name, text] : rows[i])
        if (name != "species" && name != "Species") numbers[name] = std::stod(text);
      const Standing& s = standing[i];
      RC_ASSERT(difference(axes_in(engine, numbers), axes_of(s)) < 0.003);
      const bool unreal = engine == Engine::unreal, blender = engine == Engine::blender;
      const Vec3 at = unreal    ? Vec3{numbers["X"], -numbers["Y"], numbers["Z"]} * 0.01
                      : blender ? Vec3{numbers["x"], numbers["y"], numbers["z"]}
                                : Vec3{numbers["x"], numbers["z"] * (engine == Engine::godot ? -1 : 1), numbers["y"]};
      RC_ASSERT(length(at - s.foot) < 1e-6);
      RC_ASSERT(rows[i].at(unreal ? "Species" : "species") == species_names[static_cast<size_t>(s.species)]);
    }
  }
}

RC_GTEST_PROP(ScatteredPoints, AGlbPlacesEveryOneOnce, ()) {
  const Vec3 around = *rc::gen::element(Vec3{}, Vec3{512000, 5000000, 900});
  const Lines lines = points(static_cast<size_t>(*rc::gen::inRange(1, 20)), *rc::gen::arbitrary<uint64_t>(), around);
  const Glb glb(written(lines, ".glb"));
  const auto placed = instances_of(glb);
  std::map<std::pair<double, double>, StandingAxes> wanted;
  for (const Standing& s : standing_at(lines))
    wanted[{std::round(10 * s.foot.x), std::round(10 * s.foot.y)}] = axes_of(s);
  RC_ASSERT(placed.size() == wanted.size());
  for (const auto& [at, axes] : wanted) {
    RC_ASSERT(placed.contains(at));
    RC_ASSERT(difference(placed.at(at), axes) < 0.005);
  }
  RC_ASSERT(glb.json["extensionsRequired"] == Json::array({"EXT_mesh_gpu_instancing"}));
}

TEST(ScatteredPoints, AGlbWithInstancesIsRefusedByNameWhenItIsRead) {
  const std::string bytes = written(points(5, 1), ".glb");
  EXPECT_NE(test::error_of([&] { parse_glb(bytes, "a.glb", {}); }).find("EXT_mesh_gpu_instancing"), std::string::npos);
}

TEST(ScatteredPoints, ModelsAloneAreMeshesThatEveryProgramReads) {
  const Lines lines = points(300, 2);
  const std::string bytes = written(lines, ".glb", Engine::blender);
  const Glb glb(bytes);
  EXPECT_FALSE(glb.json.contains("extensionsRequired"));
  EXPECT_EQ(glb.json["nodes"].size(), glb.json["meshes"].size() + 1);
  EXPECT_EQ(glb.json["nodes"][1]["name"], glb.json["meshes"][0]["name"]);
  EXPECT_GT(parse_glb(bytes, "a.glb", {}).triangles().size(), 1000u);
}

TEST(ScatteredPoints, ASpeciesOfOnesOwnKeepsItsNameAndHeight) {
  LinesBuilder builder;
  const NumberColumn height = builder.number("height", "m");
  const TextColumnId species = builder.text("species");
  const Vec3 at{1, 2, 3};
  builder.begin(FeatureShape::point);
  builder.part({&at, 1});
  builder.set(height, 7.5);
  builder.set(species, "old oak");
  EXPECT_EQ(written(std::move(builder).build(), ".csv", Engine::unreal),
            "Name,Species,Form,X,Y,Z,Roll,Pitch,Yaw,ScaleXY,ScaleZ,Height,Crown\n"
            "1,old oak,0,100,-200,300,0,0,0,7.5,7.5,750,0\n");
}

TEST(ScatteredPoints, WhatIsNotScatteredIsRefused) {
  LinesBuilder builder;
  const std::vector<Vec3> way{{0, 0, 0}, {1, 1, 1}};
  builder.begin(FeatureShape::line);
  builder.part(way);
  const Lines line = std::move(builder).build();
  for (const Engine engine : {Engine::unreal, Engine::blender})
    EXPECT_NE(test::error_of([&] { written(line, ".csv", engine); }).find("no point"), std::string::npos);
  EXPECT_THROW(written(line, ".glb"), Error);
  EXPECT_NE(test::error_of([&] { written({}, ".glb"); }).find("empty"), std::string::npos);
  EXPECT_NE(test::error_of([&] { written(points(2, 3), ".geojson", Engine::unity); }).find("'for'"), std::string::npos);
  LinesBuilder nameless;
  nameless.begin(FeatureShape::point);
  nameless.part({way.data(), 1});
  EXPECT_NE(test::error_of([&, bare = std::move(nameless).build()] {
              written(bare, ".csv", Engine::godot);
            }).find("no species"),
            std::string::npos);
}

}  // namespace tepui::scattered_points_test
