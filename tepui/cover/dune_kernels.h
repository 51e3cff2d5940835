#pragma once  // internal

#include <cstdint>

// Rows of a DuneField, several cells at once. Rows may be read and written up to `dune_pad` cells beyond both ends.

namespace tepui {

inline constexpr int64_t dune_pad = 16;
/// Ground that no sand gets onto, quanta.
inline constexpr int32_t dune_wall = 1 << 29;
/// What a cell's wind says where it lifts nothing and drops all that it carries.
inline constexpr float dune_shade = -1;
/// Where it stops nothing, and lifts what lies below this; "eddy - 5" lifts 5 quanta.
inline constexpr float dune_eddy = -2;

/// A row at a hop: what lies there, what arrives in the air and what the wind lifts.
struct HopRow {
  const int32_t* rock;
  const float* wind;   ///< quanta that it lifts, or shade, or eddy
  const float* share;  ///< of wind that there is; nullptr: all
  int32_t *sand, *air, *top;
};
/// Share of the sand in the air that comes to rest where it touches sand or rock.
struct StopRule {
  float sand, rock;
};
void hop_row(const HopRow& row, int64_t count, const StopRule& rule);

/// How a line of sight or a stream of air comes from the row before it.
struct Slant {
  int64_t step = 0;  ///< columns from a cell to the second of the two that its air comes from: -1 or 1
  float side = 0;    ///< share of the second
  float drop = 0;    ///< quanta from one row to the next
};
/// The line that sinks from what stands in the rows before, or the ground where that is higher.
void cast_row(const float* before, const int32_t* rock, const int32_t* sand, const Slant& slant, int64_t count,
              float* line);
/// A mean of the line upwind, and what is lifted for each quantum that the line is above it.
struct UpwindMean {
  float fresh = 0;  ///< share that each row forgets
  float gain = 0;
};
/// Writes the row's `mean` and adds to what the rise lifts.
void mean_row(const float* before, const float* line, const Slant& slant, const UpwindMean& rule, int64_t count,
              float* mean, float* rise);
/// Smooths the rises across the wind, over some six cells on each side; `room` is a row, too.
void smooth_rise(float* rise, float* room, int64_t count);

struct WindRow {
  const int32_t *rock, *sand;
  const float *line, *rise;  ///< the shadow's, and what is lifted because the ground rises
  const float *far, *near;   ///< below them air stands before a wall, or turns at its foot; nullptr: nowhere
  float lift, most, level;   ///< lifted on level sand, and at most; tolerance
};
/// Writes the row's wind.
void wind_row(const WindRow& row, int64_t count, float* wind);

/// What slides.
struct SlideRule {
  float rest;           ///< the tangent of rest, quanta a metre
  float per_x, per_y;   ///< cells a metre
  float haste, creep;   ///< share of what is too steep that slides at once; of any slope
  float face, pressed;  ///< the slope that wind climbs, quanta from a row to the next, and the haste of what is steeper
};
/// A row and, by `stride`, those beside it; the wind comes from the row before. `wind` is nullptr in a calm.
struct LooseRow {
  const int32_t *top, *rock;
  const float* wind;
  int64_t stride;
};
/// What each cell of the row gives for a quantum of drop.
void loose_row(const LooseRow& row, int64_t count, const SlideRule& rule, float* loose);
/// Adds to the sand what slides in and out; `loose` are the rows south of it, its own and north of it.
void slide_row(const int32_t* top, int64_t stride, const float* const loose[3], int64_t count, int32_t* sand);

/// Of a slope that falls with the wind: what stands higher above the next row than it rests falls onto it, at once.
struct FallRow {
  int32_t *top, *sand;
  int64_t stride;            ///< to the next row
  int32_t straight, aslant;  ///< quanta that a cell may stand above the next one, and above those beside that
};
/// Takes it from the row and writes to `parts` what goes to the left, straight on and to the right.
void fall_row(const FallRow& row, int64_t count, int32_t* const parts[3]);
/// Adds it to the next row.
void land_row(const FallRow& row, int64_t count, int32_t* const parts[3]);

}  // namespace tepui
