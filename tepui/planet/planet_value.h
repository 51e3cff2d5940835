#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "tepui/core/hash.h"
#include "tepui/planet/global_land.h"

namespace tepui {

/// All of a planet.
struct PlanetData {
  GlobalLand land;
  double radius = earth_radius;  ///< of the sphere at sea level, metres
  double exaggeration = 1;       ///< how much higher its land stands than that of the same planet in true proportion
};

/// Goes through the arrays of a planet, in the order in which they are kept.
template <class Data, class Visit>
void each_column(Data& data, const Visit& visit) {
  auto& land = data.land;
  visit(land.mesh.directions);
  visit(land.mesh.triangles);
  visit(land.height);
  visit(land.lake_depth);
  visit(land.receiver);
  visit(land.discharge);
  visit(land.runoff);
  visit(land.steepness);
  visit(land.hardness);
  visit(land.temperature);
  visit(land.season);
  visit(land.rain);
  visit(land.summer_rain);
  visit(land.ice);
  visit(land.ice_flow);
  visit(land.ice_flow_now);
  visit(land.snow_line);
  visit(land.province);
  visit(land.plate);
  visit(land.stress);
  visit(land.crust_age);
  visit(land.plate_turns);
}

/// Its numbers, in the order in which they are kept.
template <class Data>
auto numbers_of(Data& data) {
  return std::array{&data.radius,        &data.exaggeration,        &data.land.unit,
                    &data.land.lapse,    &data.land.snow_line_rise, &data.land.ice_gradient,
                    &data.land.most_snow};
}

/// A planet, which knows its land everywhere: what the global stage has found, and the key of all that is drawn below
/// it. A value: immutable, cheap to copy.
class Planet {
 public:
  static constexpr std::string_view kind_name = "planet";

  /// Refuses arrays that do not belong together.
  explicit Planet(PlanetData data);

  const PlanetData& data() const { return *data_; }
  const GlobalLand& land() const { return data_->land; }
  std::shared_ptr<const GlobalLand> share() const { return {data_, &data_->land}; }

  double radius() const { return data_->radius; }
  /// What a length on the ground, and a height, of the planet of the Earth's size is here.
  double length_scale() const { return data_->radius / earth_radius; }
  double height_scale() const { return length_scale() * data_->exaggeration; }

  size_t bytes() const;
  Hash hash() const { return hash_; }

 private:
  std::shared_ptr<const PlanetData> data_;
  Hash hash_;
};

}  // namespace tepui
