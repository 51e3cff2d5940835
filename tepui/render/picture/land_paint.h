#pragma once  // internal

#include <memory>
#include <optional>

#include "tepui/geology/geology.h"
#include "tepui/render/ground/land_ground.h"
#include "tepui/render/page/legend.h"
#include "tepui/render/picture/picture_params.h"

namespace tepui {

/// What land is coloured by. Positions are in samples, lengths in metres.
class LandPaint {
 public:
  /// Keeps the land and the rock that it is made of, which only the colours of rock need; the sea level is in metres.
  LandPaint(const Terrain& land, const PictureParams& params, std::optional<double> sea, const Context& context,
            const Geology* rock = nullptr);
  virtual ~LandPaint();

  /// With the small relief that belongs to the colour, on a surface with this normal.
  virtual GroundLook look(double u, double v, Vec3 normal, double footprint) const;
  /// The colour alone, roughly, for bounced light.
  virtual Rgb rough(double u, double v) const;
  /// Of ground beyond the land like that at (u, v); `at` in metres from the south-west corner.
  virtual GroundLook beyond(Vec3 at, double u, double v, Vec3 normal, double footprint) const;
  /// A cut through the ground; `at` in metres from the south-west corner.
  virtual Rgb cut(double u, double v, Vec3 at, double footprint) const;
  /// The lakes and rivers that are seen; none where the colours themselves tell of water.
  const InlandWater& water() const { return water_; }
  /// What the colours mean; empty where they mean nothing.
  PictureLegend legend() const;

 protected:
  LandPaint();

 private:
  Rgb plain_colour(double u, double v, Vec3 normal) const;
  /// The colour of rock at a height.
  Rgb rock_colour(double u, double v, double z) const;
  /// Rock under what hides it.
  Rgb cover_colour(Rgb rock, const Covers::Depths& depths) const;
  Rgb cover_cut(Rgb rock, double u, double v, double z, double footprint) const;
  Rgb scaled_colour(double value) const;
  void set_covers();
  void set_scale(ColourMap map, const std::optional<Interval>& range);
  Vec3 slope_normal(double u, double v) const;

  PictureColour colour_ = PictureColour::clay;
  Terrain land_;
  const Layer* layer_ = nullptr;
  ColourScale scale_;
  std::vector<Rgb> colours_;  ///< of the scale, from low to high
  std::optional<Geology> rock_;
  std::unique_ptr<LandGround> ground_;
  InlandWater water_;
  Covers covers_;
  std::vector<Rgb> cover_colours_;
  float hiding_ = 1;  ///< thickness of a cover that hides what is below, metres
  Grid<Rgb> rough_;
  Vec2 rough_step_;
};

}  // namespace tepui
