#include "tepui/render/ground/solid_grain.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tepui/core/random.h"
#include "tepui/render/light/colour.h"

namespace tepui {

namespace {

constexpr int64_t side = 32, mask = side - 1;
constexpr int most_octaves = 20;

/// Pairs of neighbours along x, so that a cube's corners are four reads.
struct Block {
  std::vector<float> values = std::vector<float>(static_cast<size_t>(side * side * side) * 2);
  Block() {
    const Stream stream(0x736f'6c69'64u);
    const auto at = [&](int64_t x, int64_t y, int64_t z) {
      return static_cast<float>(2 * stream.uniform(static_cast<uint64_t>((z * side + y) * side + (x & mask))) - 1);
    };
    for (int64_t z = 0; z < side; ++z)
      for (int64_t y = 0; y < side; ++y)
        for (int64_t x = 0; x < side; ++x) {
          float* pair = values.data() + ((z * side + y) * side + x) * 2;
          pair[0] = at(x, y, z);
          pair[1] = at(x + 1, y, z);
        }
  }
};

/// The turn of each octave against the axes, and its place in the block.
struct Turn {
  double row[3][3];
  float back[3][3];  ///< the same, for slopes
  double shift[3];
};

struct Turns {
  std::array<Turn, most_octaves> list;
  Turns() {
    // Turns about two axes by the angles of 3-4-5 and 5-12-13: exact, orthogonal, and never back where they began.
    constexpr double a[3][3] = {{0.8, -0.6, 0}, {0.6, 0.8, 0}, {0, 0, 1}};
    constexpr double b[3][3] = {{1, 0, 0}, {0, 12.0 / 13, -5.0 / 13}, {0, 5.0 / 13, 12.0 / 13}};
    double now[3][3] = {{0.48, 0.64, -0.6}, {-0.8, 0.6, 0}, {0.36, 0.48, 0.8}};
    double scale = 1;
    const Stream stream(0x7475'726eu);
    for (size_t k = 0; k < list.size(); ++k, scale *= 2) {
      for (int i = 0; i < 3; ++i) {
        list[k].shift[i] = stream.uniform(k, static_cast<uint64_t>(i), 0, static_cast<double>(side));
        for (int j = 0; j < 3; ++j) {
          list[k].row[i][j] = now[i][j] * scale;
          list[k].back[j][i] = static_cast<float>(now[i][j]);
        }
      }
      double half[3][3], next[3][3];
      multiply(a, now, half);
      multiply(b, half, next);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) now[i][j] = next[i][j];
    }
  }
  static void multiply(const double (&l)[3][3], const double (&r)[3][3], double (&out)[3][3]) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) out[i][j] = l[i][0] * r[0][j] + l[i][1] * r[1][j] + l[i][2] * r[2][j];
  }
};

struct Shared {
  Block block;
  Turns turns;
};
const Shared& shared() {
  static const Shared made;
  return made;
}

/// Without a call to floor(), which is slow where SSE4 may not be assumed.
inline int64_t whole_below(double v) {
  const int64_t cut = static_cast<int64_t>(v);
  return cut - (v < static_cast<double>(cut) ? 1 : 0);
}

/// The cell of a place in an octave: its corners, and where in it the place is.
struct Cell {
  const float *p00, *p10, *p01, *p11;  ///< pairs along x; first index y, second z
  float u, v, w;

  Cell(const float* block, const Turn& turn, const double (&at)[3]) {
    double q[3];
    for (int i = 0; i < 3; ++i)
      q[i] = turn.row[i][0] * at[0] + turn.row[i][1] * at[1] + turn.row[i][2] * at[2] + turn.shift[i];
    const int64_t x = whole_below(q[0]), y = whole_below(q[1]), z = whole_below(q[2]);
    u = static_cast<float>(q[0] - static_cast<double>(x));
    v = static_cast<float>(q[1] - static_cast<double>(y));
    w = static_cast<float>(q[2] - static_cast<double>(z));
    const int64_t y0 = (y & mask) * side, y1 = ((y + 1) & mask) * side;
    const int64_t z0 = (z & mask) * side * side, z1 = ((z + 1) & mask) * side * side;
    const float* column = block + (x & mask) * 2;
    p00 = column + (z0 + y0) * 2;
    p10 = column + (z0 + y1) * 2;
    p01 = column + (z1 + y0) * 2;
    p11 = column + (z1 + y1) * 2;
  }
};

inline float ease(float t) { return t * t * (3 - 2 * t); }

inline float value_in(const Cell& c) {
  const float u = ease(c.u), v = ease(c.v), w = ease(c.w);
  const float a = c.p00[0] + u * (c.p00[1] - c.p00[0]), b = c.p10[0] + u * (c.p10[1] - c.p10[0]);
  const float d = c.p01[0] + u * (c.p01[1] - c.p01[0]), e = c.p11[0] + u * (c.p11[1] - c.p11[0]);
  const float near = a + v * (b - a), far = d + v * (e - d);
  return near + w * (far - near);
}

/// The value, and its slopes along the turned axes.
inline float slopes_in(const Cell& c, float (&slope)[3]) {
  const float u = ease(c.u), v = ease(c.v), w = ease(c.w);
  const float xa = c.p00[1] - c.p00[0], xb = c.p10[1] - c.p10[0], xd = c.p01[1] - c.p01[0], xe = c.p11[1] - c.p11[0];
  const float a = c.p00[0] + u * xa, b = c.p10[0] + u * xb, d = c.p01[0] + u * xd, e = c.p11[0] + u * xe;
  const float near = a + v * (b - a), far = d + v * (e - d);
  const float x_near = xa + v * (xb - xa), x_far = xd + v * (xe - xd);
  slope[0] = 6 * c.u * (1 - c.u) * (x_near + w * (x_far - x_near));
  slope[1] = 6 * c.v * (1 - c.v) * ((b - a) + w * ((e - d) - (b - a)));
  slope[2] = 6 * c.w * (1 - c.w) * (far - near);
  return near + w * (far - near);
}

/// How much of an octave of that size a pixel still shows.
inline float shown(float size, float footprint) {
  return size >= 2.5f * footprint ? 1 : smooth_step(1.0f, 2.5f, size / footprint);
}

/// Cracks run where a rough field is 0, so they are jagged: one net of wide meshes, one of meshes an eighth as wide.
constexpr float field_fall = 0.45f;
constexpr int narrow_from = 3;
constexpr float narrow_scale = 8;

/// A line is as wide as a pixel at least, and fainter for it.
inline float crack(float field, float footprint) {
  constexpr float thin = 0.015f;
  const float width = thin + 1.2f * footprint, off = field < 0 ? -field : field;
  return off < width ? (1 - off / width) * (thin / width) : 0;
}

}  // namespace

SolidGrain solid_grain(Vec3 at, Vec3 squeeze, const SolidGrainRange& range) {
  const Shared& s = shared();
  const float* block = s.block.values.data();
  const double place[3] = {at.x * squeeze.x, at.y * squeeze.y, at.z * squeeze.z};
  SolidGrain sum;
  float size = 1, weight = 0.55f, pebble_weight = 0.25f;
  float wide_field = 0, narrow_field = 0, field_weight = 1, narrow_weight = 1;
  const int octaves = range.octaves < most_octaves ? range.octaves : most_octaves;
  for (int k = 0; k < octaves && size > range.footprint; ++k) {
    const Turn& turn = s.turns.list[static_cast<size_t>(k)];
    float slope[3];
    const float value = slopes_in(Cell(block, turn, place), slope), seen = shown(size, range.footprint);
    const float flip = value < 0 ? -1.0f : 1.0f, hump = value * flip;
    sum.value += weight * seen * value;
    sum.pebbles += pebble_weight * seen * (hump - 0.36f);
    wide_field += field_weight * seen * value;
    if (k >= narrow_from) narrow_field += narrow_weight * seen * value, narrow_weight *= field_fall;
    field_weight *= field_fall;
    for (int i = 0; i < 3; ++i) {
      const float back = turn.back[i][0] * slope[0] + turn.back[i][1] * slope[1] + turn.back[i][2] * slope[2];
      sum.tilt[i] += seen * back;
      sum.pebble_tilt[i] += pebble_weight * seen * flip * back;
    }
    size *= 0.5f;
    weight *= range.fall;
    pebble_weight = pebble_weight < 0.6f ? pebble_weight * 1.3f : pebble_weight;
  }
  sum.value = std::clamp(sum.value, -1.0f, 1.0f);
  const float wide = crack(wide_field, range.footprint) * smooth_step(-0.2f, 0.3f, sum.value);
  const float narrow = crack(narrow_field, range.footprint * narrow_scale) * smooth_step(0.3f, -0.2f, sum.value);
  sum.cracks = 1 - (1 - wide) * (1 - narrow);
  const float axes[3] = {static_cast<float>(squeeze.x), static_cast<float>(squeeze.y), static_cast<float>(squeeze.z)};
  for (int i = 0; i < 3; ++i) {
    sum.tilt[i] *= axes[i];
    sum.pebble_tilt[i] *= axes[i];
  }
  return sum;
}

float solid_grain_value(Vec3 at, const SolidGrainRange& range) {
  const Shared& s = shared();
  const double place[3] = {at.x, at.y, at.z};
  float sum = 0, size = 1, weight = 0.62f;
  const int octaves = range.octaves < most_octaves ? range.octaves : most_octaves;
  for (int k = 0; k < octaves && size > range.footprint; ++k) {
    sum += weight * shown(size, range.footprint) *
           value_in(Cell(s.block.values.data(), s.turns.list[static_cast<size_t>(k)], place));
    size *= 0.5f;
    weight *= range.fall;
  }
  return std::clamp(sum, -1.0f, 1.0f);
}

}  // namespace tepui
