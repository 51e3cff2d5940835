#include "tepui/erode/node_warp.h"

#include <algorithm>
#include <cmath>

namespace tepui {

namespace {

/// Cells over which displacements fade at the border.
constexpr double border = 6;

/// Weights of four knots for a place between the second and the third (the uniform cubic B-spline).
std::array<float, 4> spline_weights(double t) {
  const double s = 1 - t, t2 = t * t, t3 = t2 * t;
  return {static_cast<float>(s * s * s / 6), static_cast<float>((3 * t3 - 6 * t2 + 4) / 6),
          static_cast<float>((3 * (t + t2 - t3) + 1) / 6), static_cast<float>(t3 / 6)};
}

double ramp(double distance) { return std::clamp(distance / border, 0.0, 1.0); }

}  // namespace

NodeWarp::NodeWarp(int64_t width, int64_t height, Stream draws) : width_(width), height_(height) {
  // Amplitudes of one and two cells at 8 and 16 cells: no steeper than a half each, so that nodes keep their order.
  for (size_t o = 0; o < octaves; ++o) {
    Octave& octave = octave_[o];
    octave.spacing = int64_t{8} << o;
    const double amplitude = 2.5 * static_cast<double>(int64_t{1} << o);
    octave.across = width / octave.spacing + 5;
    const int64_t up = height / octave.spacing + 5;
    octave.x.resize(static_cast<size_t>(octave.across * up));
    octave.y.resize(octave.x.size());
    for (size_t i = 0; i < octave.x.size(); ++i) {
      // Keyed by column and row, so that a wider lattice has the same knots.
      const uint64_t column = i % static_cast<uint64_t>(octave.across), row = i / static_cast<uint64_t>(octave.across);
      const uint64_t key = (row << 32) | column;
      octave.x[i] = static_cast<float>(draws.uniform(key, 2 * o, -amplitude, amplitude));
      octave.y[i] = static_cast<float>(draws.uniform(key, 2 * o + 1, -amplitude, amplitude));
    }
  }
}

float NodeWarp::fade(double column, double row) const {
  const double x = std::min(column, static_cast<double>(width_ - 1) - column);
  const double y = std::min(row, static_cast<double>(height_ - 1) - row);
  return static_cast<float>(ramp(std::min(x, y)));
}

void NodeWarp::row(int64_t y, float* dx, float* dy) const {
  std::fill(dx, dx + width_, 0.0f);
  std::fill(dy, dy + width_, 0.0f);
  std::vector<float> knots_x, knots_y;
  for (const Octave& octave : octave_) {
    const int64_t n = octave.across;
    knots_x.assign(static_cast<size_t>(n), 0.0f), knots_y.assign(static_cast<size_t>(n), 0.0f);
    const auto across = spline_weights(static_cast<double>(y % octave.spacing) / static_cast<double>(octave.spacing));
    for (size_t k = 0; k < 4; ++k) {
      const size_t first = static_cast<size_t>((y / octave.spacing + static_cast<int64_t>(k)) * n);
      for (size_t i = 0; i < static_cast<size_t>(n); ++i) {
        knots_x[i] += across[k] * octave.x[first + i];
        knots_y[i] += across[k] * octave.y[first + i];
      }
    }
    for (int64_t phase = 0; phase < octave.spacing; ++phase) {
      const auto w = spline_weights(static_cast<double>(phase) / static_cast<double>(octave.spacing));
      size_t i = 0;
      for (int64_t x = phase; x < width_; x += octave.spacing, ++i) {
        dx[x] += w[0] * knots_x[i] + w[1] * knots_x[i + 1] + w[2] * knots_x[i + 2] + w[3] * knots_x[i + 3];
        dy[x] += w[0] * knots_y[i] + w[1] * knots_y[i + 1] + w[2] * knots_y[i + 2] + w[3] * knots_y[i + 3];
      }
    }
  }
  for (int64_t x = 0; x < width_; ++x) {
    const float f = fade(static_cast<double>(x), static_cast<double>(y));
    dx[x] *= f, dy[x] *= f;
  }
}

Vec2 NodeWarp::at(double column, double row) const {
  column = std::clamp(column, 0.0, static_cast<double>(width_ - 1));
  row = std::clamp(row, 0.0, static_cast<double>(height_ - 1));
  Vec2 sum{};
  for (const Octave& octave : octave_) {
    const double u = column / static_cast<double>(octave.spacing), v = row / static_cast<double>(octave.spacing);
    const auto i = static_cast<int64_t>(u), j = static_cast<int64_t>(v);
    const auto along = spline_weights(u - static_cast<double>(i)), across = spline_weights(v - static_cast<double>(j));
    for (int64_t b = 0; b < 4; ++b)
      for (int64_t a = 0; a < 4; ++a) {
        const auto knot = static_cast<size_t>((j + b) * octave.across + i + a);
        const double w = static_cast<double>(along[static_cast<size_t>(a)] * across[static_cast<size_t>(b)]);
        sum.x += w * static_cast<double>(octave.x[knot]), sum.y += w * static_cast<double>(octave.y[knot]);
      }
  }
  const double f = fade(column, row);
  return {sum.x * f, sum.y * f};
}

Vec2 NodeWarp::node_at(Vec2 place) const {
  // A fixed point: displacements change by less than a cell from node to node.
  Vec2 node = place;
  for (int i = 0; i < 30; ++i) {
    const Vec2 d = at(node.x, node.y);
    node = {place.x - d.x, place.y - d.y};
  }
  return node;
}

}  // namespace tepui
