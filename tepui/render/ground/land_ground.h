#pragma once  // internal

#include <cstdint>
#include <optional>

#include "tepui/core/context.h"
#include "tepui/render/ground/covers.h"
#include "tepui/render/ground/ground.h"
#include "tepui/render/ground/inland_water.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// The natural look of a land, made ready once: its range of heights, how it stands out from its surroundings (on a
/// reduced grid), its sea, its lakes and rivers, and those of its layers that tell of rock and cover, read in place:
/// `material`, `hardness`, `sediment`, `sand`, `soil`, `snow`. Classes are read from the nearest sample, all else
/// between samples. Land without heights is level. Detail is laid out over the whole world of the land, so that a crop
/// shows what the whole does.
class LandGround {
 public:
  LandGround(const Terrain& land, Palette palette, std::optional<double> sea_level, const Context& context);

  /// Positions are in samples, clamped to the land; the footprint is in metres.
  GroundLook look(double u, double v, Vec3 normal, double footprint) const;
  /// A wall through the beds and the debris on them; metres from the land's south-west sample, z above the datum.
  Rgb cut(Vec3 at, double footprint = 0) const;
  /// Ground beyond the land, made of what is at (u, v) of it; metres as for cut().
  GroundLook beyond(Vec3 at, double u, double v, Vec3 normal, double footprint) const;
  /// What look() tells the Ground.
  GroundPoint point(double u, double v, Vec3 normal, double footprint) const;

  double height_at(double u, double v) const;
  /// Smooth between samples: Horn's (1981) slopes, land being continued in a straight line beyond its border. Unit
  /// length.
  Vec3 normal_at(double u, double v) const;

  Vec2 cell() const { return land_.frame().cell; }
  const InlandWater& water() const { return water_; }

 private:
  struct Sight;  ///< the samples around a place
  Sight sight(double u, double v, int64_t width, int64_t height) const;
  static double between(const Grid<float>& grid, const Sight& at);
  bool has_sediment() const { return sediment_ < covers_.list().size(); }
  float read(const Layer* layer, const Sight& at) const;
  double sample(int64_t x, int64_t y) const;
  float level(double z) const;
  /// Over the nearer of the sea and the inland water at (u, v).
  float above_water(double u, double v, double z) const;
  void survey(const Context& context);

  Terrain land_;
  const Grid<float>* heights_ = nullptr;
  const Layer *material_ = nullptr, *hardness_ = nullptr, *sand_ = nullptr, *soil_ = nullptr, *snow_ = nullptr;
  Covers covers_;
  size_t sediment_ = 0;  ///< among the covers; their number where there is none
  std::optional<double> sea_;
  InlandWater water_;
  double low_ = 0, high_ = 0;
  double base_ = 0, span_ = 1;  ///< of the levels
  float highest_class_ = 0;
  Grid<float> surroundings_;  ///< mean heights around every so many samples
  int64_t step_ = 1;
  Ground ground_;
};

}  // namespace tepui
