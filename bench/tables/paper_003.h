#pragma once

#include "bench/bench.h"
#include "bench/volume/scenes.h"

namespace tepui::bench {

/// A line of Table 1 of Paris et al. 2019, whose times are of a Core i7 at 4 GHz.
struct PaperScene {
  const char* name;
  int64_t primitives;
  double generation;             ///< seconds; 0 where it was sculpted by hand
  double megabytes;              ///< of the tree without the land
  double mesh, plain_mesh;       ///< seconds, optimized and standard
  double calls, standard_calls;  ///< of f, millions
};
const PaperScene& paper_scene(const std::string& name);

/// Adds the rows that mesh a scene: as polygonize does; with its bounds alone, where f is asked along the land, too;
/// and with f asked at every point of the grid. So the table shows what bounds and direct elevation each bring.
void add_mesh_rows(const std::string& name, VolumeScene (*make)());

/// Adds the row that generates a scene. `prepare` sets up what is not timed and returns what makes the volume.
using MakeVolume = std::function<Volume()>;
void add_generation_row(const std::string& name, std::function<MakeVolume()> prepare);

}  // namespace tepui::bench
