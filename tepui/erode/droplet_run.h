#pragma once  // internal

#include <cstdint>
#include <functional>

#include "tepui/core/context.h"
#include "tepui/core/grid.h"
#include "tepui/core/random.h"

namespace tepui {

/// What droplets need to know.
struct DropletRule {
  static constexpr int batches = 32;
  static constexpr float least_slope = 0.01f;  ///< Carries as much as if the land were so steep.
  static constexpr float rate = 0.3f;          ///< Of what is lacking or too much, a step.
  static constexpr float gravity = 4, fastest = 4;

  double amount = 0.3;  ///< Droplets for each sample.
  int steps = 64;
  float inertia = 0.15f;
  float capacity = 4;
  float bite = 0.04f;       ///< Times what they take and lay down.
  float quanta_a_cell = 1;  ///< Quanta of height as long as a cell.
  Stream draws{0};
};

/// Where droplets run. Heights are whole quanta, below 2^24.
struct DropletGround {
  Grid<float> height;
  Grid<float> softness;     ///< From 0, which never wears, to 1; empty: 1.
  Grid<float> share;        ///< From 0, which never changes, to 1; empty: 1.
  Grid<uint8_t> takes_all;  ///< 1 where droplets end and what they carry has left: the sea, and outside.
};

/// Where a droplet starts that is drawn for a sample in a batch, in samples; whether there is one.
struct DropletStart {
  bool falls = false;
  float x = 0, y = 0;
};
DropletStart droplet_start(const DropletRule& rule, int64_t x, int64_t y, int batch);

/// Runs all droplets over the ground. `prepare` is called before each batch, to look at the rock as it lies then.
/// Returns the quanta that left. The same bits for any number of threads.
int64_t run_droplets(DropletGround& ground, const DropletRule& rule, const std::function<void(DropletGround&)>& prepare,
                     const Context& context);

}  // namespace tepui
