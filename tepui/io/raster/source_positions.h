#pragma once  // internal

#include <array>
#include <cmath>
#include <memory>

#include "tepui/core/context.h"
#include "tepui/core/frame.h"
#include "tepui/io/place/crs.h"

// Where the samples of one land lie among those of another, in another reference system.

namespace tepui {

/// To the nearest 1/4096: what reproject.h says of positions.
inline double rounded_position(double position) { return std::floor(position * 4096 + 0.5) / 4096; }

/// Between the position of a sample that reproject uses and PROJ's own, in old cells: interpolated at half the spacing
/// that is checked, plus rounding.
inline constexpr double reproject_tolerance = 1.0 / 256;

/// Between the samples of a land and coordinates in its own system. `turn` is the system's full_turn().
class SourcePlace {
 public:
  SourcePlace(const Frame& frame, double turn);

  /// Of a place in samples from the south-west one. Never beyond a pole, or more than half a turn from the middle.
  Vec2 position(double u, double v) const;
  /// The other way round, rounded; x may be any number of turns away.
  Vec2 sample(double x, double y) const;

 private:
  Vec2 origin_, step_;
  double middle_, turn_;
};

inline constexpr int64_t tile_side = 32;

/// A square of new samples and where they lie among the old ones; NaN where nowhere.
struct Tile {
  int64_t x = 0, y = 0, width = 0, height = 0;
  std::array<double, tile_side * tile_side> u, v;  ///< rows of tile_side
};

/// The positions of all samples of `to` among those of `from`, interpolated as reproject.h says. `way_back` leads from
/// the system of `to` to that of `from`, whose full_turn() is `turn`.
class SourcePositions {
 public:
  SourcePositions(const Frame& from, CrsTransform way_back, double turn, const Frame& to, const Context& context);
  ~SourcePositions();

  int64_t tile_columns() const;
  int64_t tile_rows() const;
  /// From any thread.
  void fill(int64_t column, int64_t row, Tile& tile) const;
  /// Tiles whose samples were each asked for.
  int64_t exact_tiles() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace tepui
