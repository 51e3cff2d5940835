#include "bench/volume/scenes.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "tepui/core/math.h"
#include "tepui/core/noise.h"
#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tepui/volume/implicitize.h"
#include "tepui/volume/land_sheet.h"
#include "tepui/volume/primitive.h"

namespace tepui::bench {

namespace {

constexpr double threshold = Volume::usual_threshold;

/// Height of a place, its noise being told.
using Shape = std::function<double(double x, double y, double noise)>;

Terrain land_of(int64_t side, double cell, double noise_scale, const Shape& shape) {
  const Frame world = make_world({static_cast<double>(side - 1) * cell, static_cast<double>(side - 1) * cell}, side);
  const Noise noise({.scale = noise_scale, .octaves = 8, .gain = 0.47, .key = 7});
  Grid<float> height(world.width, world.height);
  parallel_chunks(world.height, 16, Context(), [&](int64_t begin, int64_t end) {
    std::vector<double> x(static_cast<size_t>(world.width));
    std::vector<float> row(x.size());
    for (size_t i = 0; i < x.size(); ++i) x[i] = world.x(static_cast<int64_t>(i));
    for (int64_t j = begin; j < end; ++j) {
      noise.row(x, world.y(j), row);
      for (size_t i = 0; i < x.size(); ++i)
        height(static_cast<int64_t>(i), j) = static_cast<float>(shape(x[i], world.y(j), static_cast<double>(row[i])));
    }
  });
  return Terrain(world, {0, 1}, std::move(height));
}

double soft_step(double t) { return t / (1 + std::abs(t)); }

/// Strokes lie upon the land: they get its height added.
void lay_upon(const Terrain& land, std::vector<Primitive>& strokes) {
  const LandSheet sheet(land);
  for (Primitive& stroke : strokes) {
    double h = 0;
    sheet.heights(&stroke.skeleton[0].x, &stroke.skeleton[0].y, 1, &h);
    stroke.skeleton[0].z += h;
  }
}

Primitive stroke_at(Vec3 at, double falloff, double energy) {
  Primitive stroke;
  stroke.skeleton = {at};
  stroke.falloff = falloff;
  stroke.energy = energy;
  return stroke;
}

VolumeScene finish(std::string name, Terrain land, std::vector<Primitive> strokes, SurfaceLattice lattice,
                   double paper_seconds) {
  // The floor is below all that is asked.
  const Volume bare = implicitize(land, nullptr, nullptr, {.floor = metres(2000)}, Context());
  Volume carved = bare.with_root(with_primitives(bare.share(), strokes, threshold));
  return {std::move(name), std::move(land), std::move(strokes), bare, std::move(carved), lattice, paper_seconds};
}

double coast(double x) { return 3000 + 500 * math::sin(x * 0.0021) + 120 * math::sin(x * 0.0093); }

}  // namespace

double canyon_axis(double x) { return 550 + 160 * math::sin(x * 0.0075) + 45 * math::sin(x * 0.021); }

VolumeScene sea_scene() {
  Terrain land = land_of(
      2000, 3, 900, [](double x, double y, double noise) { return 26 * soft_step((y - coast(x)) / 12) + 12 * noise; });
  const Stream random(0x5ea);
  std::vector<Primitive> strokes;
  const double energy[] = {-15, -10, -8};
  for (uint64_t i = 0; i < 50693; ++i) {
    const double x = random.uniform(i, 0, 0, 5997);
    const double y = coast(x) + random.uniform(i, 1, -17, 17);
    strokes.push_back(stroke_at({x, y, random.uniform(i, 2, -2, 2)}, 8, energy[i / 16898 % 3]));
  }
  lay_upon(land, strokes);
  return finish("sea", std::move(land), std::move(strokes), {{0, 0, -48}, 3, 2000, 2000, 33}, 13.3);
}

VolumeScene karst_scene() {
  Terrain land = land_of(1520, 3.42, 2200, [](double, double, double noise) { return 1050 + 420 * noise; });
  const double side = 1519 * 3.42;
  const LandSheet sheet(land);
  const Stream random(0xca57);
  std::vector<Primitive> strokes;
  // Passages: walkers that go down in bends, a node every 8 m.
  uint64_t draw = 0;
  while (strokes.size() < 165773) {
    Vec3 at{random.uniform(draw, 0, 200, side - 200), random.uniform(draw, 1, 200, side - 200), 0};
    sheet.heights(&at.x, &at.y, 1, &at.z);
    double heading = random.uniform(draw, 2, 0, 2 * math::pi), fall = 0.9;
    ++draw;
    for (int node = 0; node < 320 && at.z > 60; ++node, ++draw) {
      for (uint64_t k = 0; k < 12 + draw % 4 / 3 && strokes.size() < 165773; ++k) {
        const Vec3 off{random.uniform(draw, 8 + 3 * k, -5, 5), random.uniform(draw, 9 + 3 * k, -5, 5),
                       random.uniform(draw, 10 + 3 * k, -5, 5)};
        strokes.push_back(stroke_at(at + off, 6, -15));
      }
      heading += random.uniform(draw, 3, -0.5, 0.5);
      fall = std::clamp(fall + random.uniform(draw, 4, -0.3, 0.27), 0.0, 0.95);
      const double level = std::sqrt(1 - fall * fall);
      at = at + Vec3{math::cos(heading) * level, math::sin(heading) * level, -fall} * 8;
      at.x = std::clamp(at.x, 30.0, side - 30);
      at.y = std::clamp(at.y, 30.0, side - 30);
    }
  }
  return finish("karst", std::move(land), std::move(strokes), {{0, 0, 30}, 3.42, 1520, 1520, 447}, 14.2);
}

VolumeScene canyon_scene() {
  Terrain land = land_of(1000, 1.1, 300, [](double x, double y, double noise) {
    const double away = std::abs(y - canyon_axis(x)) + 14 * noise;
    return 430 + 35 * noise + 130 * soft_step((away - 55) / 14);
  });
  const Stream random(0xca9);
  std::vector<Primitive> strokes;
  for (uint64_t i = 0; i < 137043; ++i) {
    const double x = random.uniform(i, 0, 0, 1098.9);
    const double y = canyon_axis(x) + random.uniform(i, 1, -105, 105);
    strokes.push_back(stroke_at({x, y, random.uniform(i, 2, -2, 1)}, 4, random.uniform(i, 3, -12, -6)));
  }
  lay_upon(land, strokes);
  return finish("canyon", std::move(land), std::move(strokes), {{0, 0, 40}, 1.1, 1000, 1000, 546}, 32.6);
}

VolumeScene benagil_scene() {
  Terrain land = land_of(550, 0.73, 90,
                         [](double x, double, double noise) { return 12 + 18 * soft_step((x - 190) / 2) + 3 * noise; });
  const Stream random(0xbe9a);
  std::vector<Primitive> strokes;
  constexpr uint64_t drags = 551, dabs = 13264;
  for (uint64_t i = 0; i < drags; ++i) {
    // Somewhere in a disc of 135 m around the middle, between the sea and the plateau.
    const double away = 120 * std::sqrt(random.uniform(i, 0)), angle = random.uniform(i, 1, 0, 2 * math::pi),
                 heading = random.uniform(i, 2, 0, 2 * math::pi), z = random.uniform(i, 3, 0, 24);
    const Vec3 from{200 + away * math::cos(angle), 200 + away * math::sin(angle), z};
    const Vec3 step{2.2 * math::cos(heading), 2.2 * math::sin(heading), 0};
    const uint64_t count = dabs * (i + 1) / drags - dabs * i / drags;
    for (uint64_t k = 0; k < count; ++k)
      strokes.push_back(stroke_at(from + step * (static_cast<double>(k) - 12), 5.5, -1.5));
  }
  return finish("benagil", std::move(land), std::move(strokes), {{0, 0, -20}, 0.73, 550, 550, 87}, 2.7);
}

VolumeScene hoodoo_scene() {
  constexpr double side = 649 * 0.54;
  Terrain land = land_of(650, 0.54, 90, [](double x, double y, double noise) {
    const double t = std::clamp((y - 60) / 230, 0.0, 1.0), s = t * t * (3 - 2 * t);
    const double gully = 1 + math::cos(2 * math::pi * x / 13 + 2 * math::sin(0.05 * x));
    return 10 + 105 * s - 28 * s * (1 - s) * gully + 4 * noise;
  });
  const LandSheet sheet(land);
  const Stream random(0x400d);
  std::vector<Primitive> strokes;
  constexpr uint64_t features = 1100, points = 55619;
  for (uint64_t i = 0; i < features; ++i) {
    Vec3 foot{random.uniform(i, 0, 5, side - 5), random.uniform(i, 1, 70, 280), 0};
    sheet.heights(&foot.x, &foot.y, 1, &foot.z);
    const uint64_t count = points * (i + 1) / features - points * i / features;
    for (uint64_t k = 0; k < count; ++k) {
      const double angle = random.uniform(i, 2, 0, 6) + 2 * math::pi * static_cast<double>(k % 3) / 3;
      const double z = 0.36 * static_cast<double>(k / 3) - 0.5;
      strokes.push_back(stroke_at(foot + Vec3{0.6 * math::cos(angle), 0.6 * math::sin(angle), z},
                                  random.uniform(i * 64 + k, 3, 1.2, 1.8), 3));
    }
  }
  return finish("hoodoo", std::move(land), std::move(strokes), {{0, 0, -6}, 0.54, 650, 650, 245}, 2.9);
}

}  // namespace tepui::bench
