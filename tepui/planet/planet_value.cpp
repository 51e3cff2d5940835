#include "tepui/planet/planet_value.h"

#include <cmath>

#include "tepui/core/error.h"

namespace tepui {

namespace {

void require_sound(const PlanetData& data) {
  const GlobalLand& land = data.land;
  const auto count = land.mesh.directions.size();
  bool sound = land.mesh.level >= 0 && land.mesh.level <= 12 &&
               static_cast<int64_t>(count) == vertices_of_level(land.mesh.level) &&
               static_cast<int64_t>(land.mesh.triangles.size()) == triangles_of_level(land.mesh.level);
  each_column(data, [&](const auto& column) {
    const void* address = &column;
    const bool of_others = address == &land.mesh.triangles || address == &land.plate_turns;
    sound = sound && (of_others || column.size() == count);
  });
  for (const double* number : numbers_of(data)) sound = sound && std::isfinite(*number);
  for (const auto& corners : land.mesh.triangles)
    for (const int32_t v : corners) sound = sound && v >= 0 && static_cast<size_t>(v) < count;
  for (const int32_t v : land.receiver) sound = sound && v >= -1 && v < static_cast<int64_t>(count);
  for (const uint16_t plate : land.plate) sound = sound && plate < land.plate_turns.size();
  for (const Province province : land.province) sound = sound && static_cast<int>(province) < provinces;
  if (!sound || !(data.radius > 0)) fail("a planet's arrays do not belong together");
}

Hash hash_of(const PlanetData& data) {
  Hasher hasher;
  hasher.add(std::string_view("planet"));
  hasher.add(static_cast<int64_t>(data.land.mesh.level));
  hasher.add(data.land.key);
  const LocalRules& rules = data.land.rules;
  hasher.add(static_cast<int64_t>(rules.mode)).add(rules.banks).add(rules.troughs);
  hasher.add(rules.faults).add(rules.streams).add(rules.snow);
  for (const double* number : numbers_of(data)) hasher.add(*number);
  each_column(
      data, [&](const auto& column) { hasher.add(hash_large(column.data(), column.size() * sizeof(column.front()))); });
  return hasher.finish();
}

}  // namespace

Planet::Planet(PlanetData data) {
  require_sound(data);
  hash_ = hash_of(data);
  data_ = std::make_shared<const PlanetData>(std::move(data));
}

size_t Planet::bytes() const {
  size_t sum = sizeof(PlanetData);
  each_column(*data_, [&](const auto& column) { sum += column.size() * sizeof(column.front()); });
  return sum;
}

}  // namespace tepui
