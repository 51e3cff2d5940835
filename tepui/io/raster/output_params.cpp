#include "tepui/io/raster/output_params.h"

namespace tepui {

void describe(Fields<OutputParams>& f) {
  f.about("How an output is written");
  f("range", &OutputParams::range, Range{-1e9, 1e9},
    "heights of the smallest and the largest number of a 16-bit file; auto: the layer's own")
      .unit("m");
  f("tiles", &OutputParams::tiles, Range{1, 256},
    "columns and rows of tiles that share their edge samples and one range, or of a mesh their edge vertices; {x} and "
    "{y} in the name count them from the north-west");
  f("cog", &OutputParams::cog, "a cloud optimised GeoTIFF, with overviews");
  f("compression", &OutputParams::compression, std::vector<std::string>{"deflate", "none"}, "of a GeoTIFF's samples");
  f("palette", &OutputParams::palette, palette_names(), "the country that a GLB's natural colours are of");
  f("quantise", &OutputParams::quantise,
    "a GLB's positions in 16 bits, normals and colours in 8: half the size, for programs with KHR_mesh_quantization");
  f("meshopt", &OutputParams::meshopt, "a compressed GLB, for programs with EXT_meshopt_compression");
  f("cell", &OutputParams::cell, Range{1e-6, 1e6},
    "of a volume or rock: metres between the points at which it is asked; auto: 256 go into the longer side of a "
    "mesh, and a round number, 400 at most, into the longest of a grid")
      .unit("m");
  f("sample", &OutputParams::sample, std::vector<std::string>{"field", "resistance"},
    "of .npy and .vti: the field of a volume (f - T, above 0 in rock), or the resistance of its rock");
  f("low", &OutputParams::low, Range{-1e9, 1e9},
    "of .npy and .vti: the lower corner of the box that is sampled; auto: that of all that there is")
      .unit("m");
  f("high", &OutputParams::high, Range{-1e9, 1e9}, "of .npy and .vti: its upper corner; auto likewise").unit("m");
}

}  // namespace tepui
