#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/random.h"
#include "tepui/erode/weathering.h"
#include "tepui/erode/weathering_rule.h"
#include "tests/support/beds.h"

namespace tepui::test {

/// Samples so far apart, along x and y.
inline Frame small_frame(int64_t width, int64_t height, Vec2 cell = {1, 1}) {
  Frame frame;
  frame.cell = cell;
  frame.width = width;
  frame.height = height;
  frame.size = {cell.x * static_cast<double>(std::max<int64_t>(width - 1, 1)),
                cell.y * static_cast<double>(std::max<int64_t>(height - 1, 1))};
  return frame;
}

inline Frame any_frame() {
  const auto side = rc::gen::weightedOneOf<int64_t>(
      {{1, rc::gen::just<int64_t>(1)}, {2, rc::gen::inRange<int64_t>(2, 8)}, {5, rc::gen::inRange<int64_t>(8, 40)}});
  const double cell = *rc::gen::element(0.25, 1.0, 3.7);
  const double other = *rc::gen::element(1.0, 1.0, 1.0, 2.0, 0.31);
  Frame frame = small_frame(*side, *side, {cell, cell * other});
  frame.first_x = *rc::gen::element<int64_t>(0, 0, 17, -5);
  frame.first_y = *rc::gen::element<int64_t>(0, 0, 3, -40);
  return frame;
}

/// Blocks, steps and grain: walls of every height, and level ground between.
inline Grid<float> any_heights(const Frame& frame) {
  const Stream stream(*rc::gen::inRange<uint64_t>(0, 1000));
  const double base = *rc::gen::element(0.0, -300.0, 1234.5, 1e7), span = *rc::gen::element(60.0, 0.0, 1e-3, 3e5);
  const int64_t block = *rc::gen::inRange<int64_t>(1, 12);
  const double grain = *rc::gen::element(0.0, 0.0, 0.02, 0.5);
  Grid<float> z(frame.width, frame.height);
  for (int64_t y = 0; y < frame.height; ++y)
    for (int64_t x = 0; x < frame.width; ++x) {
      const auto at = static_cast<uint64_t>(y / block * frame.width + x / block);
      const double level = std::floor(4 * stream.uniform(at, 1)) / 4;
      const double rough = grain * stream.uniform(static_cast<uint64_t>(y * frame.width + x), 2);
      z(x, y) = static_cast<float>(base + span * (level + rough));
    }
  return z;
}

/// Of that name, with numbers from 0 up.
inline Layer any_layer(const char* name, const Frame& frame, double most) {
  const Stream stream(*rc::gen::inRange<uint64_t>(0, 1000));
  Grid<float> cells(frame.width, frame.height);
  for (int64_t i = 0; i < cells.size(); ++i) {
    const auto at = static_cast<uint64_t>(i);
    cells.data()[i] = stream.uniform(at, 1) < 0.3 ? 0.0f : static_cast<float>(most * stream.uniform(at));
  }
  return make_layer(name, "m", LayerKind::continuous, std::move(cells));
}

/// Perhaps with debris, and with hardness.
inline Terrain any_worn_land(const Frame& frame) {
  Terrain land(frame, {0, 1}, any_heights(frame));
  if (*rc::gen::element(false, false, true))
    land = land.with(any_layer("sediment", frame, *rc::gen::element(1.0, 40.0)));
  if (*rc::gen::element(false, false, true)) land = land.with(any_layer("hardness", frame, 1.2));
  return land;
}

inline WeatheringParams any_weathering(const Frame& frame) {
  WeatheringParams p;
  p.steps = *rc::gen::element<int64_t>(1, 3, 10, 40);
  p.mode = *rc::gen::element(WeatheringMode::block, WeatheringMode::smooth);
  p.pace = *rc::gen::element(0.25, 0.01, 1.0);
  p.chance = *rc::gen::element(0.05, 1.0, 0.3);
  p.spread = *rc::gen::element(0.0, 0.3, 5.0);
  const double cell = std::sqrt(frame.cell.x * frame.cell.y);
  p.reach = metres(cell * *rc::gen::element(0.0, 0.3, 1.0, 1.6, 3.0, 1000.0));
  // So long a reach slides a million times a step.
  if (p.reach.value > 10 * cell) p.reach = metres(cell * 45), p.steps = 1;
  p.talus = {*rc::gen::element(0.0, 30.0, 80.0)};
  p.cover = metres(*rc::gen::element(0.0, 0.0, 2.0, 1e6));
  p.seed = {*rc::gen::inRange<int64_t>(0, 100), 1};
  return p;
}

/// The same, counted in metres: about as many steps.
inline WeatheringParams in_metres(WeatheringParams p, const Frame& frame) {
  double retreat = frame.cell.x;
  const auto steps = static_cast<double>(*p.steps);
  p.steps.reset();
  while (retreat > 1e-9 * frame.cell.x && static_cast<double>(weathering_steps(p, retreat, frame)) > steps)
    retreat /= 2;
  p.retreat = metres(retreat);
  return p;
}

/// Beds through which any_heights() cuts; or none.
inline const Geology* any_rock() {
  static const Geology rock = sample_rock();
  return *rc::gen::element<const Geology*>(nullptr, nullptr, &rock);
}

}  // namespace tepui::test
