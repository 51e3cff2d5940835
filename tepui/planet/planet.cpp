#include "tepui/planet/planet.h"

#include <optional>
#include <utility>

namespace tepui {

void describe(Fields<PlanetParams>& f) {
  using P = PlanetParams;
  f.about("Make a planet: plates, mountains, climate, rivers and ice, from which all finer land grows");
  f.example("{} level=6");
  f.reach(Reach::whole);
  f("radius", &P::radius, Range{1, 1e9}, "of the sphere at sea level; the Earth's is 6,371 km")
      .unit("m")
      .slider(1e6, 1e7);
  f("exaggeration", &P::exaggeration, Range{0.01, 100}, "how many times higher the land stands than in true proportion")
      .slider(1, 10);
  f("plates", &P::plates, Range{0, 1000}, "how many plates drift; 0 and 1 are a shell that does not move")
      .slider(1, 40)
      .sweep("4", "14", "40");
  f("fastest", &P::fastest, Range{0, 1000}, "how fast a plate moves at most, in millimetres a year")
      .unit("mm")
      .slider(0, 200);
  f("sea", &P::sea, Range{0, 100}, "per cent of the planet below the sea").sweep("40", "70", "90");
  f("continents", &P::continents, Range{0, 100}, "per cent of the planet with a continent's crust, shelves and all");
  f("hot_spots", &P::hot_spots, Range{0, 1000}, "places that lay chains of volcanoes on the plates above them")
      .slider(0, 60);
  f("belts", &P::belts, "whether mountains, trenches and arcs rise where plates meet");
  f("rivers", &P::rivers, "whether rivers cut the land");
  f("ice", &P::ice, "whether ice sheets and glaciers grow");
  f("banks", &P::banks, "whether both banks of a river are as steep");
  f("troughs", &P::troughs, "whether glaciers have made their valleys round, with flat floors");
  f("warmer", &P::warmer, Range{-150, 150}, "added to the temperature everywhere")
      .unit("K")
      .slider(-20, 20)
      .sweep("-15", "0", "10");
  f("rain", &P::rain, Range{0, 20}, "times the rain of the Earth").slider(0, 3);
  f("wind", &P::wind, Range{0, 20}, "times as far as on the Earth that winds carry water inland").slider(0, 3);
  f("seasons", &P::seasons, Range{0, 10}, "times the Earth's difference between summer and winter").slider(0, 3);
  f("glaciation", &P::glaciation, {"before", "height", "after"},
    "before any ice; at the height of an ice age; after it, when ice has left its valleys behind");
  f("ice_age", &P::ice_age, Range{0, 100}, "how much colder it is at the height of an ice age").unit("K").slider(0, 15);
  f("level", &P::level, Range{4, 9},
    "of the icosphere on which the whole planet is solved; each step is twice as fine");
  f("mode", &P::mode, {"stable", "paper"},
    "how land below that level grows: by local rules, the same for every camera; or by the paper's own equations on "
    "the "
    "mesh of the camera or the piece, whose land changes a little with it");
  f.seed(&P::seed);
}

Planet planet(const Terrain* map, const PlanetParams& params, const Context& context) {
  std::optional<LandMap> given;
  if (map != nullptr) given.emplace(*map);
  GlobalSpec spec;
  spec.level = params.level;
  spec.tectonics.plates = params.plates;
  spec.tectonics.fastest = params.fastest * 1e-3;
  spec.tectonics.continents = params.continents * 0.01;
  spec.tectonics.sea = params.sea * 0.01;
  spec.tectonics.hot_spots = params.hot_spots;
  spec.tectonics.belts = spec.tectonics.worn_belts = params.belts;
  spec.climate.warmer = params.warmer;
  spec.climate.rain = params.rain;
  spec.climate.wind = params.wind;
  spec.climate.seasons = params.seasons;
  spec.glaciation = params.glaciation;
  spec.ice_age = params.ice_age;
  spec.rivers = params.rivers;
  spec.ice = params.ice;
  spec.map = given ? &*given : nullptr;
  spec.key = params.seed.stream("planet").bits(0, 0);
  GlobalLand land = global_land(spec, context);
  land.rules = {params.mode, params.banks, params.troughs, params.belts, params.rivers, params.ice};
  return Planet({std::move(land), params.radius, params.exaggeration});
}

}  // namespace tepui
