#pragma once  // internal

#include <cstdint>
#include <optional>
#include <string_view>

#include "tepui/terrain/terrain.h"

namespace tepui {

/// A land as `scatter` asks about it: layers at any place, bilinear between samples, the same in every window of it.
class ScatterGround {
 public:
  /// Where a place lies among the samples of the frame.
  struct Spot {
    int64_t column, row;
    double east, north;  ///< share of the way to the next sample
  };
  /// How steep the ground is, and how it falls.
  struct Slope {
    double degrees = 0;
    double east = 0, north = 0;  ///< of a step downhill; zero on level ground
  };

  ScatterGround(const Terrain& land, const Terrain* mask);

  const Terrain& land() const { return land_; }
  const Frame& frame() const { return frame_; }
  /// The rectangle that the samples span, in metres.
  double west() const { return frame_.x(0); }
  double east() const { return frame_.x(frame_.width - 1); }
  double south() const { return frame_.y(0); }
  double north() const { return frame_.y(frame_.height - 1); }

  Spot spot(double x, double y) const;
  static double at(const Grid<float>& grid, const Spot& spot);
  /// Of a layer that may not be there: 0.
  static double at(const Grid<float>* grid, const Spot& spot) { return grid != nullptr ? at(*grid, spot) : 0; }
  /// Over some metres, whatever the samples are, so that another resolution sees the same slope.
  Slope slope(double x, double y) const;

  const Grid<float>* find(std::string_view name) const;

  const Grid<float>* height;
  const Grid<float>*mask, *water, *ice, *snow, *soil, *summer;

 private:
  Terrain land_;
  Terrain mask_land_;
  Frame frame_;
};

/// How far slopes are measured to each side, at least, in metres.
inline constexpr double scatter_slope_length = 8;

/// Where one species stands: its layer as a share from 0 to 1.
class ScatterShare {
 public:
  /// Refuses a layer that is neither a share nor metres.
  ScatterShare(const ScatterGround& ground, std::string_view layer);

  /// Whether the land has what the layer means.
  bool known() const { return known_; }
  /// The layer times the mask.
  double at(double x, double y) const;
  /// At least the share anywhere in the rectangle, in metres.
  double most(double west, double south, double east, double north) const;

 private:
  struct Part {
    const Grid<float>* grid;
    double full;       ///< the layer's value that is plenty
    bool slopes_only;  ///< not on level ground
  };

  const ScatterGround& ground_;
  std::vector<Part> parts_;               ///< the largest counts; none: everywhere
  bool known_ = true, by_slope_ = false;  ///< by_slope_: of blocks where no layer tells of debris
};

}  // namespace tepui
