#include "apps/studio/land_frames.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <set>

#include "apps/studio/mesh_frames.h"
#include "apps/studio/mesh_levels.h"
#include "tepui/output/output_kind.h"
#include "tepui/output/output_row.h"
#include "tepui/volume/primitive.h"
#include "tepui/volume/volume.h"
#include "tests/support/support.h"

namespace tepui::land_frames_test {

using namespace studio;

namespace {

/// Keeps what is sent.
class Kept : public FrameSink {
 public:
  struct Frame {
    FrameKind kind;
    Ordered head;
    std::string cells;
  };
  void text(const Ordered& object) override { texts.push_back(object); }
  void frame(FrameKind kind, const Ordered& head, std::string_view cells) override {
    frames.push_back({kind, head, std::string(cells)});
  }
  std::vector<Ordered> texts;
  std::vector<Frame> frames;
};

Terrain any_land(int64_t width, int64_t height) {
  const double cell = 2;
  Frame frame;
  frame.size = {cell * static_cast<double>(std::max<int64_t>(width - 1, 1)),
                cell * static_cast<double>(std::max<int64_t>(height - 1, 1))};
  frame.cell = {cell, cell};
  frame.width = width;
  frame.height = height;
  Grid<float> z(width, height);
  const float wave = static_cast<float>(*rc::gen::inRange(1, 100));
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x)
      z(x, y) = wave * std::sin(static_cast<float>(x) / 7) + static_cast<float>(y % 31) - 500;
  return {frame, {-700, 200}, std::move(z)};
}

uint16_t cell_of(const std::string& cells, size_t i) {
  uint16_t value = 0;
  std::memcpy(&value, cells.data() + 2 * i, 2);
  return value;
}

}  // namespace

RC_GTEST_PROP(LandFrames, HeightsAreTheLandToHalfAStep, ()) {
  const auto width = *rc::gen::inRange<int64_t>(1, 700), height = *rc::gen::inRange<int64_t>(1, 600);
  const Terrain land = any_land(width, height);
  Kept sink;
  send_land({1, "land", false, land}, sink);
  send_heights({1, "land", false, land}, sink, Context());
  RC_ASSERT(sink.texts.front()["tiles"] == sink.frames.size());
  std::map<std::pair<int64_t, int64_t>, int> seen;
  for (const Kept::Frame& tile : sink.frames) {
    const int64_t w = tile.head["samples"][0], h = tile.head["samples"][1];
    RC_ASSERT(w <= tile_samples && h <= tile_samples);
    RC_ASSERT(tile.cells.size() == static_cast<size_t>(2 * w * h));
    const double offset = tile.head["offset"], scale = tile.head["scale"];
    for (int64_t j = 0; j < h; ++j)
      for (int64_t i = 0; i < w; ++i) {
        const int64_t x = tile.head["column"].get<int64_t>() * 256 + i,
                      y = height - 1 - tile.head["row"].get<int64_t>() * 256 - j;
        ++seen[{x, y}];
        const double sent = offset + scale * cell_of(tile.cells, static_cast<size_t>(j * w + i));
        RC_ASSERT(std::abs(sent - static_cast<double>(land.height()(x, y))) <= scale * 0.5001 + 1e-9);
      }
  }
  RC_ASSERT(seen.size() == static_cast<size_t>(width * height));
}

RC_GTEST_PROP(LandFrames, GroundAndLightCoverTheTiles, ()) {
  const auto width = *rc::gen::inRange<int64_t>(2, 300), height = *rc::gen::inRange<int64_t>(2, 300);
  const bool preview = *rc::gen::arbitrary<bool>();
  const ShownLand shown{1, "land", preview, any_land(width, height), -480.0, {}};
  Kept sink;
  send_ground(shown, sink, Context());
  send_light(shown, {}, sink, Context());
  for (const Kept::Frame& tile : sink.frames) {
    const int64_t w = tile.head["samples"][0], h = tile.head["samples"][1];
    RC_ASSERT(tile.cells.size() == static_cast<size_t>(4 * w * h));
    if (tile.kind != FrameKind::ground) continue;
    bool wet = false, dry = false;
    for (size_t i = 3; i < tile.cells.size(); i += 4) (tile.cells[i] == 0 ? wet : dry) = true;
    RC_ASSERT(wet || dry);
  }
}

TEST(LandFrames, AShadowFallsAwayFromTheSun) {
  Grid<float> z(65, 3, 0.0f);
  for (int64_t y = 0; y < 3; ++y) z(32, y) = 40;
  Frame frame;
  frame.size = {64, 2};
  frame.cell = {1, 1};
  frame.width = 65;
  frame.height = 3;
  Kept sink;
  send_light({1, "land", false, Terrain(frame, {0, 40}, std::move(z))}, {90, 60}, sink, Context());
  const std::string& cells = sink.frames.front().cells;
  const auto sun = [&](size_t x) { return static_cast<uint8_t>(cells[4 * (65 + x) + 2]); };
  EXPECT_EQ(sun(4), 255);
  EXPECT_EQ(sun(20), 0);
  EXPECT_EQ(sun(50), 255);
}

RC_GTEST_PROP(MeshFrames, HoldEveryTriangleWhereItIs, ()) {
  const auto count = *rc::gen::inRange<size_t>(1, 60);
  MeshData data;
  data.centre = {1000, 2000, 30};
  for (size_t i = 0; i < 3 * count; ++i)
    data.positions.push_back({static_cast<float>(*rc::gen::inRange(-500, 500)),
                              static_cast<float>(*rc::gen::inRange(-500, 500)),
                              static_cast<float>(*rc::gen::inRange(-90, 90))});
  for (uint32_t i = 0; i < count; ++i) data.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  const Mesh mesh(data);
  Kept sink;
  send_mesh(mesh, {1, "rock", false}, nullptr, sink, Context());
  RC_ASSERT(sink.texts.front()["triangles"] == count);
  std::multiset<double> sent, own;
  for (const Kept::Frame& block : sink.frames) {
    if (block.head["level"] != 0) continue;
    const size_t vertices = block.head["vertices"], triangles = block.head["triangles"];
    RC_ASSERT(block.cells.size() == 16 * vertices + 6 * triangles);
    const Ordered& box = block.head["box"];
    for (size_t i = 0; i < 3 * triangles; ++i) {
      const size_t vertex = cell_of(block.cells, 8 * vertices + i);
      RC_ASSERT(vertex < vertices);
      double sum = 0;
      for (size_t axis = 0; axis < 3; ++axis) {
        const double low = box[0][axis], high = box[1][axis];
        sum += std::round(low + (high - low) * cell_of(block.cells, 4 * vertex + axis) / 65535);
      }
      sent.insert(sum);
    }
  }
  for (const MeshPoint& p : mesh.positions()) {
    const Vec3 at = to_vec(p) + mesh.centre();
    own.insert(std::round(at.x) + std::round(at.y) + std::round(at.z));
  }
  RC_ASSERT(sent == own);
}

TEST(MeshFrames, ABlockIsBelowAMegabyte) {
  MeshData data;
  constexpr uint32_t side = 400;
  for (uint32_t y = 0; y < side; ++y)
    for (uint32_t x = 0; x < side; ++x) data.positions.push_back({static_cast<float>(x), static_cast<float>(y), 0});
  for (uint32_t y = 0; y + 1 < side; ++y)
    for (uint32_t x = 0; x + 1 < side; ++x) {
      const uint32_t a = y * side + x;
      data.triangles.push_back({a, a + 1, a + side});
      data.triangles.push_back({a + 1, a + side + 1, a + side});
    }
  Kept sink;
  send_mesh(Mesh(data), {1, "rock", false}, nullptr, sink, Context());
  EXPECT_GT(sink.frames.size(), 4u);
  for (const Kept::Frame& block : sink.frames)
    EXPECT_LT(frame_bytes(block.kind, block.head, block.cells).size(), size_t{1} << 20);
}

namespace {

/// The blocks that a page has, by number and level.
class PageBlocks {
 public:
  void take(const Kept& sink, size_t text) {
    if (!sink.texts[text]["keeps"]) blocks_.clear();
    std::set<uint64_t> sent;
    for (const Kept::Frame& frame : sink.frames) {
      const uint64_t number = frame.head["block"];
      if (sent.insert(number).second) blocks_.erase(number);
      if (frame.head["triangles"] == 0) continue;
      blocks_[number][frame.head["level"]] = frame.head["box"].dump() + frame.cells;
    }
    EXPECT_EQ(sent.size(), sink.texts[text]["blocks"]);
  }
  friend bool operator==(const PageBlocks&, const PageBlocks&) = default;

 private:
  std::map<uint64_t, std::map<int, std::string>> blocks_;
};

/// A slab of rock from which balls are taken away, all of them within its field, so that the lattice stays.
Volume carved(const std::vector<Primitive>& strokes) {
  Primitive slab;
  slab.shape = PrimitiveShape::box;
  slab.skeleton = {{0, 0, 0}};
  slab.half = {60, 60, 12};
  slab.falloff = 8;
  slab.energy = 3 * Volume::usual_threshold;
  std::vector<Primitive> all{slab};
  all.insert(all.end(), strokes.begin(), strokes.end());
  const double T = Volume::usual_threshold;
  return Volume(with_primitives(empty_solid(T), all, T), T);
}

}  // namespace

RC_GTEST_PROP(MeshFrames, WhatPagesKeepIsWhatTheyGetAnew, ()) {
  const auto surface = output_kind(Value(carved({}))).surface;
  SurfaceMemory memory;
  SentMesh sent;
  PageBlocks page;
  std::vector<Primitive> strokes;
  const auto edits = *rc::gen::inRange(1, 5);
  for (int edit = 0; edit <= edits; ++edit) {
    if (edit > 0 && *rc::gen::inRange(0, 4) == 0 && !strokes.empty()) {
      strokes.pop_back();
    } else if (edit > 0) {
      Primitive ball;
      ball.shape = PrimitiveShape::sphere;
      const auto place = [] { return static_cast<double>(*rc::gen::inRange(-50, 51)); };
      ball.skeleton = {{place(), place(), static_cast<double>(*rc::gen::inRange(-6, 7))}};
      ball.radius = static_cast<double>(*rc::gen::inRange(1, 11));
      ball.falloff = 3;
      ball.energy = -40;
      strokes.push_back(ball);
    }
    const Value value(carved(strokes));
    const ShownMesh shown{static_cast<uint64_t>(edit), "rock", false};
    Kept kept, anew;
    send_mesh(surface(value, 40, {}, memory, Context()), shown, &sent, kept, Context());
    page.take(kept, 0);
    SurfaceMemory fresh;
    send_mesh(surface(value, 40, {}, fresh, Context()), shown, nullptr, anew, Context());
    PageBlocks whole;
    whole.take(anew, 0);
    RC_ASSERT(page == whole);
    RC_ASSERT(kept.texts.front()["keeps"].get<bool>() == (edit > 0));
    RC_ASSERT(kept.texts.front()["triangles"].get<size_t>() == anew.texts.front()["triangles"].get<size_t>());
  }
}

Primitive block_of(Vec3 at, Vec3 half, double energy) {
  Primitive block;
  block.shape = PrimitiveShape::box;
  block.skeleton = {at};
  block.half = half;
  block.falloff = 4;
  block.energy = energy;
  return block;
}

/// A floor under a roof on a wall, so that rock above tells on what lies below, far off. A mast keeps the lattice as it
/// is.
Value shed(const std::vector<Primitive>& strokes) {
  const double T = Volume::usual_threshold;
  std::vector<Primitive> all{block_of({0, 0, 0}, {60, 20, 6}, 3 * T), block_of({-50, 0, 25}, {8, 16, 22}, 3 * T),
                             block_of({-10, 0, 50}, {45, 16, 3}, 3 * T), block_of({-50, 0, 60}, {3, 3, 20}, 3 * T)};
  all.insert(all.end(), strokes.begin(), strokes.end());
  return Value(Volume(with_primitives(empty_solid(T), all, T), T));
}

/// Where plants do not grow, nor snow lies, where rock hides the sky.
Setting look_of(Biome biome) {
  Setting around;
  around.look.emplace().biome = biome;
  return around;
}

RC_GTEST_PROP(ShownVolume, IsTheSameWhateverIsKept, ()) {
  const auto surface = output_kind(shed({})).surface;
  const auto number = [](int low, int high) {
    return static_cast<double>(*rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high + 1)));
  };
  SurfaceMemory memory;
  std::vector<Primitive> strokes;
  for (int edit = 0; edit <= 2; ++edit) {
    const Setting around = look_of(*rc::gen::element(Biome::temperate, Biome::temperate, Biome::ice));
    const double half = number(2, 6);
    if (edit > 0 && !strokes.empty() && number(0, 3) == 0)
      strokes.pop_back();
    else if (edit > 0)
      strokes.push_back(
          block_of({number(-50, 50), number(-5, 5), *rc::gen::element(6.0, 25.0, 50.0)}, {half, half, 8}, -40));
    const std::shared_ptr<const KeptPaint> before = memory.paint;
    const Mesh kept = surface(shed(strokes), 80, around, memory, Context());
    // What is given up half-way leaves the tiles of an edit that has not been painted.
    if (number(0, 3) == 0) memory.paint = before;
    SurfaceMemory fresh;
    RC_ASSERT(kept.colours().size() == kept.positions().size());
    RC_ASSERT(kept.hash() == surface(shed(strokes), 80, around, fresh, Context()).hash());
  }
}

TEST(ShownVolume, AHoleInARoofLetsGrassGrowBesideIt) {
  const auto surface = output_kind(shed({})).surface;
  const Setting around = look_of(Biome::temperate);
  const Value whole = shed({}), holed = shed({block_of({-8, 0, 50}, {6, 6, 10}, -40)});
  SurfaceMemory memory, fresh;
  const Mesh before = surface(whole, 120, around, memory, Context());
  const Mesh kept = surface(holed, 120, around, memory, Context());
  EXPECT_EQ(kept.hash(), surface(holed, 120, around, fresh, Context()).hash());
  const auto floor = [](const Mesh& mesh) {
    std::map<MeshPoint, MeshColour> colours;
    for (size_t i = 0; i < mesh.positions().size(); ++i) {
      const Vec3 at = mesh.centre() + to_vec(mesh.positions()[i]);
      if (at.z < 15 && std::abs(at.x + 8) > 12) colours[mesh.positions()[i]] = mesh.colours()[i];
    }
    return colours;
  };
  const auto dark = floor(before), light = floor(kept);
  int64_t others = 0;
  for (const auto& [at, colour] : light) others += dark.contains(at) && dark.at(at) != colour ? 1 : 0;
  EXPECT_GT(others, 20);
  EXPECT_LT(others, static_cast<int64_t>(light.size()) / 2);
}

TEST(MeshFrames, AStrokeSendsFewBlocks) {
  Primitive ball;
  ball.skeleton = {{50, 50, 12}};
  ball.shape = PrimitiveShape::sphere;
  ball.radius = 2;
  ball.falloff = 2;
  ball.energy = -40;
  const auto surface = output_kind(Value(carved({}))).surface;
  SurfaceMemory memory;
  SentMesh sent;
  Kept first, second, moved;
  send_mesh(surface(Value(carved({})), 64, {}, memory, Context()), {1, "rock", false}, &sent, first, Context());
  send_mesh(surface(Value(carved({ball})), 64, {}, memory, Context()), {2, "rock", false}, &sent, second, Context());
  EXPECT_GE(second.texts.front()["blocks"], 1);
  EXPECT_LE(second.texts.front()["blocks"], 4);
  EXPECT_GT(first.texts.front()["blocks"], 12);
  // Another lattice is another mesh.
  send_mesh(surface(Value(carved({ball})), 48, {}, memory, Context()), {3, "rock", false}, &sent, moved, Context());
  EXPECT_GT(moved.texts.front()["blocks"], 12);
}

/// Sides of triangles that an odd number of them has, by the places of their ends.
std::set<std::array<MeshPoint, 2>> open_edges(const Mesh& mesh, const MeshBlock& block) {
  std::map<std::array<MeshPoint, 2>, int> edges;
  for (size_t t = 0; t < block.triangles(); ++t)
    for (size_t k = 0; k < 3; ++k) {
      MeshPoint a = mesh.positions()[block.vertices[block.indices[3 * t + k]]];
      MeshPoint b = mesh.positions()[block.vertices[block.indices[3 * t + (k + 1) % 3]]];
      if (b < a) std::swap(a, b);
      ++edges[{a, b}];
    }
  std::set<std::array<MeshPoint, 2>> open;
  for (const auto& [edge, count] : edges)
    if (count % 2 == 1) open.insert(edge);
  return open;
}

RC_GTEST_PROP(MeshLevels, AreCoarserAndKeepTheBorder, ()) {
  const auto side = static_cast<uint32_t>(*rc::gen::inRange(1, 120));
  const float rough = static_cast<float>(*rc::gen::inRange(0, 40));
  MeshData data;
  MeshBlock block;
  for (uint32_t y = 0; y <= side; ++y)
    for (uint32_t x = 0; x <= side; ++x) {
      block.vertices.push_back(y * (side + 1) + x);
      data.positions.push_back(
          {static_cast<float>(x), static_cast<float>(y),
           rough * std::sin(0.3f * static_cast<float>(x)) * std::cos(0.2f * static_cast<float>(y))});
    }
  const auto add = [&](uint32_t a, uint32_t b, uint32_t c) {
    data.triangles.push_back({a, b, c});
    for (const uint32_t corner : {a, b, c}) block.indices.push_back(static_cast<uint16_t>(corner));
  };
  for (uint32_t y = 0; y < side; ++y)
    for (uint32_t x = 0; x < side; ++x) {
      // Holes, and edges that three triangles have.
      if (*rc::gen::inRange(0, 50) == 0) continue;
      const uint32_t a = y * (side + 1) + x;
      add(a, a + 1, a + side + 1);
      add(a + 1, a + side + 2, a + side + 1);
      if (x > 0 && *rc::gen::inRange(0, 200) == 0) add(a, a + side + 1, a - 1);
    }
  const Mesh mesh(data);
  const auto border = open_edges(mesh, block);
  size_t before = block.triangles();
  for (const MeshBlock& level : coarser_levels(mesh, block, 4)) {
    RC_ASSERT(2 * level.triangles() <= before);
    RC_ASSERT(open_edges(mesh, level) == border);
    for (const uint16_t corner : level.indices) RC_ASSERT(corner < level.vertices.size());
    before = level.triangles();
  }
}

TEST(MeshLevels, OfALevelGridAreAboutAQuarterEach) {
  MeshData data;
  MeshBlock block;
  constexpr uint32_t side = 150;
  for (uint32_t y = 0; y < side; ++y)
    for (uint32_t x = 0; x < side; ++x) {
      data.positions.push_back({static_cast<float>(x), static_cast<float>(y), 0});
      block.vertices.push_back(y * side + x);
    }
  for (uint32_t y = 0; y + 1 < side; ++y)
    for (uint32_t x = 0; x + 1 < side; ++x) {
      const uint32_t a = y * side + x;
      for (const uint32_t corner : {a, a + 1, a + side, a + 1, a + side + 1, a + side})
        block.indices.push_back(static_cast<uint16_t>(corner));
    }
  for (size_t i = 0; i + 2 < block.indices.size(); i += 3)
    data.triangles.push_back({block.indices[i], block.indices[i + 1], block.indices[i + 2]});
  const auto levels = coarser_levels(Mesh(data), block, 4);
  EXPECT_GE(levels.size(), 2u);
  EXPECT_LT(levels[0].triangles(), block.triangles() * 4 / 10);
}

}  // namespace tepui::land_frames_test
