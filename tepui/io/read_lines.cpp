#include "tepui/io/read_lines.h"

#include "tepui/io/table/lines_read.h"

namespace tepui {

void describe(Fields<ReadLinesParams>& f) {
  using P = ReadLinesParams;
  f.about("Read points, lines and polygons from a file: GeoJSON, GeoPackage");
  f.reach(Reach::whole);
  f.example("{} file=recipes/data/ridges.geojson");
  f("file", &P::file, "path of the file, relative to the recipe");
  f("layer", &P::layer, "name of the layer, if there are several; auto: the only one");
  f("crs", &P::crs, "reference system of its coordinates, such as EPSG:32612, or metres; auto: what the file says")
      .sweep("metres", "EPSG:32612", "EPSG:3857");
}

Lines read_lines(const Terrain* land, const ReadLinesParams& params, const Context& context) {
  const LinesFileParams said{params.layer.value_or(""), params.crs.value_or("")};
  return lines_from_file(params.file.path, said, context, land != nullptr ? &land->frame() : nullptr);
}

}  // namespace tepui
