#include "tepui/graph/cache_bytes.h"
#include "tepui/graph/columns.h"
#include "tepui/graph/kept_kinds.h"
#include "tepui/planet/planet_value.h"

namespace tepui {

namespace {

std::vector<PartBytes> parts_of_planet(const Value& value) {
  std::vector<PartBytes> parts;
  each_column(get<Planet>(value).data(), [&](const auto& column) { parts.push_back(column_bytes(column)); });
  return parts;
}

std::string outline_of_planet(const Value& value, const std::vector<Part>&) {
  const PlanetData& data = get<Planet>(value).data();
  ByteWriter w;
  w.put(static_cast<int64_t>(data.land.mesh.level));
  w.word(data.land.key);
  const LocalRules& rules = data.land.rules;
  w.word((rules.banks ? 1 : 0) + (rules.troughs ? 2 : 0) + (rules.mode == PlanetMode::paper ? 4 : 0) +
         (rules.faults ? 8 : 0) + (rules.streams ? 16 : 0) + (rules.snow ? 32 : 0));
  for (const double* number : numbers_of(data)) w.put(*number);
  return std::move(w.bytes());
}

std::optional<Value> restore_planet(std::string_view text, const std::vector<Part>& parts, const PartReader& read) {
  ByteReader r(text);
  PlanetData data;
  const int64_t level = r.integer();
  r.require(level >= 0 && level <= 12);
  data.land.mesh.level = static_cast<int>(level);
  data.land.key = r.word();
  const uint64_t rules = r.word();
  r.require(rules < 64);
  const auto has = [&](uint64_t bit) { return (rules & bit) != 0; };
  data.land.rules = {has(4) ? PlanetMode::paper : PlanetMode::stable, has(1), has(2), has(8), has(16), has(32)};
  for (double* number : numbers_of(data)) *number = r.number();
  return restore_columns<Planet>(r, std::move(data), parts, read,
                                 [](auto& whole, const auto& take) { each_column(whole, take); });
}

}  // namespace

Kind kept_planet(Kind row) {
  row.parts = parts_of_planet;
  row.outline = outline_of_planet;
  row.restore = restore_planet;
  return row;
}

}  // namespace tepui
