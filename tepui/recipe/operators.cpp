// The registry: one line an operator.
#include "tepui/recipe/operators.h"

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/cover/climate.h"
#include "tepui/cover/dunes.h"
#include "tepui/cover/plants.h"
#include "tepui/cover/scatter.h"
#include "tepui/cover/snow.h"
#include "tepui/cover/soil.h"

#include "tepui/erode/amplify.h"
#include "tepui/erode/droplets.h"
#include "tepui/erode/glaciers.h"
#include "tepui/erode/gradation.h"
#include "tepui/erode/levelling.h"
#include "tepui/erode/stream_power.h"
#include "tepui/erode/table_mountain.h"
#include "tepui/erode/thermal.h"
#include "tepui/erode/weathering.h"
#include "tepui/generate/brownian.h"
#include "tepui/generate/circular_faults.h"
#include "tepui/generate/diamond_square.h"
#include "tepui/generate/linear_faults.h"
#include "tepui/generate/noise.h"
#include "tepui/generate/particle_deposition.h"
#include "tepui/generate/shape.h"
#include "tepui/generate/skyline.h"
#include "tepui/generate/uplift.h"
#include "tepui/geology/fault.h"
#include "tepui/geology/fold.h"
#include "tepui/geology/geology_from_materials.h"
#include "tepui/geology/hardness.h"
#include "tepui/geology/materials.h"
#include "tepui/geology/rock_blend.h"
#include "tepui/geology/rock_body.h"
#include "tepui/geology/rock_planes.h"
#include "tepui/geology/strata.h"
#include "tepui/geology/taper.h"
#include "tepui/geology/turbulence.h"
#include "tepui/hydrology/breach.h"
#include "tepui/hydrology/fill.h"
#include "tepui/hydrology/flow.h"
#include "tepui/hydrology/lake_shores.h"
#include "tepui/hydrology/lakes.h"
#include "tepui/hydrology/pits.h"
#include "tepui/hydrology/river_beds.h"
#include "tepui/hydrology/rivers.h"
#include "tepui/hydrology/strahler.h"
#include "tepui/hydrology/stream_power_index.h"
#include "tepui/hydrology/watersheds.h"
#include "tepui/hydrology/wetness.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/read.h"
#include "tepui/io/read_lines.h"
#include "tepui/io/read_mask.h"
#include "tepui/io/reproject.h"
#include "tepui/landforms/arches.h"
#include "tepui/landforms/fall.h"
#include "tepui/landforms/floating_islands.h"
#include "tepui/landforms/galleries.h"
#include "tepui/landforms/hoodoos.h"
#include "tepui/landforms/karst.h"
#include "tepui/landforms/river_erosion.h"
#include "tepui/landforms/sea_erosion.h"
#include "tepui/mesh/hole_parts.h"
#include "tepui/mesh/land_with_holes.h"
#include "tepui/mesh/polygonize.h"
#include "tepui/mesh/simplify.h"
#include "tepui/planet/planet.h"
#include "tepui/planet/planet_map.h"
#include "tepui/planet/planet_patch.h"
#include "tepui/planet/planet_rivers.h"
#include "tepui/planet/planet_rock.h"
#include "tepui/planet/planet_view.h"
#include "tepui/recipe/operator_hooks.h"
#include "tepui/terrain/accessibility.h"
#include "tepui/terrain/adjust.h"
#include "tepui/terrain/aspect.h"
#include "tepui/terrain/combine.h"
#include "tepui/terrain/crop.h"
#include "tepui/terrain/curvature.h"
#include "tepui/terrain/hillshade.h"
#include "tepui/terrain/mask.h"
#include "tepui/terrain/paint.h"
#include "tepui/terrain/relative_height.h"
#include "tepui/terrain/resample.h"
#include "tepui/terrain/roughness.h"
#include "tepui/terrain/slope.h"
#include "tepui/terrain/take.h"
#include "tepui/volume/blend.h"
#include "tepui/volume/difference.h"
#include "tepui/volume/implicitize.h"
#include "tepui/volume/instances.h"
#include "tepui/volume/intersection.h"
#include "tepui/volume/sculpt.h"
#include "tepui/volume/smooth.h"
#include "tepui/volume/strata_erosion.h"
#include "tepui/volume/transform.h"
#include "tepui/volume/union.h"
#include "tepui/volume/warp.h"

namespace tepui {

namespace {

/// Of the files that parameters name, and of what their endings and names say.
Hash files_key(const std::vector<ParamValue>& params) {
  Hasher hasher;
  for (const ParamValue& value : params)
    if (const FilePath* file = std::get_if<FilePath>(&value); file != nullptr && !file->path.empty())
      hasher.add(file_ending(file->path)).add(read_key(file->path));
  return hasher.finish();
}

}  // namespace

const std::vector<Operator>& operators() {
  static const std::vector<Operator> all = [] {
    std::vector<Operator> list{
        op<accessibility>("terrain/accessibility", 1, "Miller1994 Zaksek2011", {"in"}),
        op<adjust>("terrain/adjust", 1, "", {"in", "mask"}),
        op<amplify>("erode/amplify", 2, "BraunWillett2013 Cordonnier2019", {"in", "rock"}).framed(amplify_framing()),
        op<arches>("landforms/arches", 1, "Paris2019", {"in", "rock", "places", "mask", "region"}),
        op<aspect>("terrain/aspect", 1, "Horn1981", {"in"}),
        op<blend>("volume/blend", 1, "Paris2019 Wyvill1999", {"in", "with"}),
        op<breach>("hydrology/breach", 1, "Lindsay2016", {"in"}),
        op<brownian>("generate/brownian", 1, "MandelbrotVanNess1968 Mandelbrot1975 Musgrave1994"),
        op<circular_faults>("generate/circular_faults", 2, "Warszawski2019"),
        op<climate>("cover/climate", 1, "KastenYoung1989 MeinelMeinel1976 TimonenWesterholm2010 SmithBarstad2004",
                    {"in"}),
        op<combine>("terrain/combine", 1, "", {"in", "with", "mask"}),
        op<crop>("terrain/crop", 1, "", {"in"}).framed(crop_framing()),
        op<curvature>("terrain/curvature", 1, "ZevenbergenThorne1987", {"in"}),
        op<diamond_square>("generate/diamond_square", 2, "Fournier1982 Miller1986 Saupe1988"),
        op<droplets>("erode/droplets", 1, "Beyer2015", {"in", "rock", "mask"}),
        op<dunes>("cover/dunes", 1, "Werner1995 Momiji2000 Sauermann2001 Tsoar1983", {"in", "mask"}),
        op<fall>("landforms/fall", 1, "Paris2019", {"in"}),
        op<fault>("geology/fault", 1, "Paris2019", {"in", "with"}),
        op<fill>("hydrology/fill", 1, "Barnes2014 Cordonnier2019 PlanchonDarboux2002", {"in"}),
        op<floating_islands>("landforms/floating_islands", 1, "Paris2019", {"mask", "outline", "rock"}),
        op<flow>("hydrology/flow", 1, "OCallaghanMark1984 Cordonnier2019 Freeman1991 Tarboton1997",
                 {"in", "rain", "inflow"}),
        op<fold>("geology/fold", 1, "Paris2019 Perlin2001 Gustavson2005", {"in"}),
        op<difference>("volume/difference", 1, "Paris2019 Wyvill1999", {"in", "with"}),
        op<galleries>("landforms/galleries", 1, "Paris2019 CatmullRom1974", {"in", "along", "rock"}),
        op<geology_from_materials>("geology/geology_from_materials", 1, "Warszawski2019", {"in"}),
        op<glaciers>("erode/glaciers", 1, "Mieloszyk2017 Graf1970 Nye1952 HumphreyRaymond1994", {"in", "rock", "mask"}),
        op<gradation>("erode/gradation", 1, "Warszawski2019", {"in", "rock"}),
        op<hardness>("geology/hardness", 1, "Warszawski2019", {"in"}).reading(files_key),
        op<hillshade>("terrain/hillshade", 1, "Horn1981 Mark1992", {"in"}),
        op<hole_parts>("mesh/hole_parts", 1, "LorensenCline1987", {"in"}).partly(),
        op<hoodoos>("landforms/hoodoos", 1, "Paris2019 Mech1996", {"in", "rock", "before", "water", "mask", "region"})
            .reading(files_key),
        op<implicitize>("volume/implicitize", 2, "Paris2019", {"in", "mask", "rock"}),
        op<instances>("volume/instances", 1, "Paris2019", {"in", "onto", "along"}),
        op<intersection>("volume/intersection", 1, "Paris2019 Wyvill1999", {"in", "with"}),
        op<karst>("landforms/karst", 1, "Paris2019 WilkinsonWillemsen1983",
                  {"in", "rock", "sinks", "springs", "mask", "region"}),
        op<lake_shores>("hydrology/lake_shores", 1, "Cordonnier2019", {"in"}),
        op<lakes>("hydrology/lakes", 1, "Cordonnier2019", {"in"}),
        op<land_with_holes>("mesh/land_with_holes", 1, "LorensenCline1987", {"in"}).partly(),
        op<levelling>("erode/levelling", 1, "Warszawski2019", {"in"}),
        op<linear_faults>("generate/linear_faults", 1, "Warszawski2019 Mandelbrot1975"),
        op<mask>("terrain/mask", 1, "Horn1981 ZevenbergenThorne1987", {"in"}),
        op<materials>("geology/materials", 1, "Warszawski2019", {"in", "from"}),
        op<noise>("generate/noise", 2, "Perlin2001 Gustavson2005 Musgrave1994"),
        op<paint>("terrain/paint", 1, "", {"in", "strokes"}).remembering(paint_with_marks),
        op<particle_deposition>("generate/particle_deposition", 1, "Shankel2000"),
        op<pits>("hydrology/pits", 1, "Cordonnier2019", {"in"}),
        op<planet>("planet/planet", 4, "Mieloszyk2017 SteinStein1992 Turc1954 BraunWillett2013 Nye1952", {"map"}),
        op<planet_map>("planet/planet_map", 2, "Peel2007", {"in"}),
        op<planet_patch>("planet/planet_patch", 5, "Mieloszyk2017", {"in"}),
        op<planet_rivers>("planet/planet_rivers", 5, "Strahler1957 LeopoldMaddock1953", {"in"}),
        op<planet_rock>("planet/planet_rock", 4, "", {"in"}),
        op<planet_view>("planet/planet_view", 5, "Mieloszyk2017", {"in"}),
        op<plants>("cover/plants", 3, "PriestleyTaylor1972 BevenKirkby1979 Koerner1998", {"in", "mask"}),
        op<polygonize>("mesh/polygonize", 3, "Paris2019 LorensenCline1987", {"in", "land"})
            .coarsened(coarser_polygonize)
            .remembering(polygonize_with_tiles),
        op<read>("io/read", 1, "").reading(files_key),
        op<read_lines>("io/read_lines", 1, "", {"land"}).reading(files_key),
        op<read_mask>("io/read_mask", 1, "").reading(files_key),
        op<relative_height>("terrain/relative_height", 1, "Weiss2001 DeReu2013", {"in"}),
        op<reproject>("io/reproject", 1, "Keys1981", {"in"}),
        op<resample>("terrain/resample", 1, "Keys1981", {"in", "like"})
            .framed(resample_framing())
            .coarsened(coarser_resample),
        op<river_beds>("hydrology/river_beds", 1, "LeopoldMaddock1953", {"in", "along"}),
        op<river_erosion>("landforms/river_erosion", 1, "Paris2019 Freeman1991",
                          {"in", "water", "along", "rock", "mask", "region"}),
        op<rivers>("hydrology/rivers", 1, "Strahler1957 LeopoldMaddock1953", {"in"}),
        op<rock_blend>("geology/rock_blend", 1, "Paris2019", {"in", "with", "mask"}),
        op<rock_body>("geology/rock_body", 1, "Paris2019", {"in", "along"}),
        op<rock_planes>("geology/rock_planes", 1, "Paris2019 Perlin2001 Gustavson2005"),
        op<roughness>("terrain/roughness", 1, "Grohmann2011 Riley1999 Wilson2007", {"in"}),
        op<sculpt>("volume/sculpt", 1, "Paris2019 Wyvill1999", {"in", "along"}),
        op<sea_erosion>("landforms/sea_erosion", 1, "Paris2019", {"in", "rock", "mask", "region"}),
        op<scatter>("cover/scatter", 2, "Matern1960 Lebowitz1965", {"in", "mask"}),
        op<shape>("generate/shape", 1, ""),
        op<simplify>("mesh/simplify", 2, "GarlandHeckbert1997 Dey1999", {"in"}),
        op<skyline>("generate/skyline", 1, "Rankin2015 MandelbrotVanNess1968"),
        op<slope>("terrain/slope", 1, "Horn1981", {"in"}),
        op<soil>("cover/soil", 1, "Heimsath1997 Roering1999", {"in", "mask", "rock"}),
        op<strahler>("hydrology/strahler", 1, "Strahler1957", {"in"}),
        op<strata>("geology/strata", 1, ""),
        op<smooth>("volume/smooth", 1, "Schoenberg1946", {"in", "along"}),
        op<strata_erosion>("volume/strata_erosion", 2, "Paris2019", {"in", "rock", "region"}),
        op<snow>("cover/snow", 1, "Gruber2007 Winstral2002 Pellicciotti2005 Jonas2009", {"in", "mask"}),
        op<stream_power>("erode/stream_power", 2, "BraunWillett2013 Cordonnier2019 Yuan2019 WhippleTucker1999 Zhao2005",
                         {"in", "rock", "uplift", "rain", "inflow", "guides"}),
        op<stream_power_index>("hydrology/stream_power_index", 1, "Moore1991 Freeman1991", {"in"}),
        op<table_mountain>("erode/table_mountain", 1, "Warszawski2019"),
        op<take>("terrain/take", 1, "", {"in"}),
        op<taper>("geology/taper", 1, "Paris2019", {"in"}),
        op<thermal>("erode/thermal", 2, "Musgrave1989", {"in"}),
        op<transform>("volume/transform", 1, "", {"in"}),
        op<turbulence>("geology/turbulence", 1, "Paris2019 Perlin2001 Gustavson2005"),
        op<unite>("volume/union", 1, "Paris2019 Wyvill1999", {"in", "with"}),
        op<uplift>("generate/uplift", 1, "Rankin2015"),
        op<warp>("volume/warp", 1, "Paris2019 Gamito2001", {"in"}),
        op<watersheds>("hydrology/watersheds", 1, "OCallaghanMark1984", {"in", "points"}),
        op<weathering>("erode/weathering", 5, "Benes2005 Musgrave1989", {"in", "rock"}),
        op<wetness>("hydrology/wetness", 1, "BevenKirkby1979 Freeman1991", {"in"}),
    };
    std::ranges::sort(list, {}, &Operator::name);
    return list;
  }();
  return all;
}

const Operator* find_operator(std::string_view name) {
  const auto& all = operators();
  const auto found = std::ranges::find(all, name, &Operator::name);
  return found == all.end() ? nullptr : &*found;
}

const Operator* converter(const Kind& from, const Kind& to) {
  const Operator* found = nullptr;
  for (const Operator& op : operators()) {
    const auto needs = [](const Port& port) { return !port.optional; };
    if (op.partial || op.output != &to || op.inputs.empty() || op.inputs.front().kind != &from ||
        op.inputs.front().list || std::ranges::count_if(op.inputs, needs) != 1 || op.inputs.front().optional)
      continue;
    if (found != nullptr) return nullptr;
    found = &op;
  }
  return found;
}

std::string operator_name(std::string_view name, std::string_view as) {
  const Operator* plain = find_operator(name);
  const bool own = plain == nullptr || plain->params.find(as_key) >= 0 || as == plain_as;
  return own || as.empty() ? std::string(name) : fmt::format("{}_{}", name, as);
}

std::vector<std::string> ways_of(std::string_view name) {
  std::vector<std::string> ways{std::string(plain_as)};
  const Operator* plain = find_operator(name);
  // Of another module, such as strata_erosion beside strata, it is another thing.
  for (const Operator& op : operators())
    if (plain != nullptr && op.module == plain->module && op.name.starts_with(plain->name + "_"))
      ways.push_back(op.name.substr(name.size() + 1));
  return ways;
}

}  // namespace tepui
