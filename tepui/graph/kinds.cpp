// The rows of all kinds of value. What a kind costs decides whether it is kept: rock is soon made again.
#include <iterator>

#include "tepui/core/image.h"
#include "tepui/geology/geology.h"
#include "tepui/graph/kept_kinds.h"
#include "tepui/io/file_list.h"
#include "tepui/mesh/mesh.h"
#include "tepui/planet/planet_value.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/volume.h"

namespace tepui {

namespace {

/// A kind that is made again, unless the row says how it is kept.
template <ValueClass T>
Kind kind(const char* noun, const char* label) {
  Kind row;
  row.name = T::kind_name;
  row.noun = noun;
  row.label = label;
  row.bytes = [](const void* object) -> size_t { return static_cast<const T*>(object)->bytes(); };
  row.hash = [](const void* object) -> Hash { return static_cast<const T*>(object)->hash(); };
  return row;
}

}  // namespace

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> rows = {
      kept_terrain(kind<Terrain>("land", "Land")),  kind<Geology>("rock", "Rock"),
      kept_lines(kind<Lines>("lines", "Lines")),    kind<Volume>("volumes", "Volume"),
      kept_mesh(kind<Mesh>("meshes", "Mesh")),      kept_image(kind<Image>("pictures", "Picture")),
      kept_files(kind<FileList>("files", "Files")), kept_planet(kind<Planet>("planets", "Planet")),
  };
  return rows;
}

}  // namespace tepui
