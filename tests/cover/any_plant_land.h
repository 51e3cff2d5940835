#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <string>

#include "tepui/core/random.h"
#include "tests/support/support.h"

namespace tepui::test {

/// Hills of up to some hundred metres, of any shape, wherever in the world.
inline Terrain any_hills() {
  const auto side = rc::gen::weightedOneOf<int64_t>(
      {{1, rc::gen::just<int64_t>(1)}, {2, rc::gen::inRange<int64_t>(2, 8)}, {5, rc::gen::inRange<int64_t>(8, 70)}});
  const double cell = *rc::gen::element(2.0, 8.0, 25.0, 130.0), top = *rc::gen::element(0.0, 20.0, 300.0);
  const int64_t w = *side, h = *side;
  const Terrain land = sample_land(w, h, *rc::gen::inRange<uint64_t>(0, 1000), cell, {100, 100 + top});
  Frame frame = land.frame();
  frame.cell.y *= *rc::gen::element(1.0, 1.0, 0.5);
  frame.first_x = *rc::gen::element<int64_t>(0, 17), frame.first_y = *rc::gen::element<int64_t>(0, -40);
  return Terrain(frame, land.relief(), land.height().clone());
}

/// With a layer of numbers between the bounds, one in three of them the lower one.
inline Terrain with_any(const Terrain& land, const char* name, double low, double high, uint64_t seed) {
  const Stream stream(seed);
  Grid<float> cells(land.frame().width, land.frame().height);
  for (int64_t i = 0; i < cells.size(); ++i) {
    const auto at = static_cast<uint64_t>(i);
    cells.data()[i] = static_cast<float>(stream.uniform(at, 1) < 0.3 ? low : stream.uniform(at, 0, low, high));
  }
  return land.with(make_layer(name, "", LayerKind::continuous, std::move(cells)));
}

/// With a layer of one number.
inline Terrain with_even(const Terrain& land, const char* name, double value) {
  Grid<float> cells(land.frame().width, land.frame().height, static_cast<float>(value));
  return land.with(make_layer(name, "", LayerKind::continuous, std::move(cells)));
}

/// The climate of a place, as plants see it.
struct PlantClimate {
  double mean, summer, winter, sun, sun_summer, rain;
};
inline Terrain with_climate(Terrain land, const PlantClimate& c) {
  land = with_even(with_even(land, "temperature", c.mean), "temperature_summer", c.summer);
  land = with_even(with_even(land, "temperature_winter", c.winter), "sun", c.sun);
  return with_even(with_even(land, "sun_summer", c.sun_summer), "rain", c.rain);
}

}  // namespace tepui::test
