#include "tepui/io/raster/output_params.h"

namespace tepui {

void describe(Fields<OutputParams>& f) {
  f.about("How an output is written");
  f("range", &OutputParams::range, Range{-1e9, 1e9},
    "heights of the smallest and largest number of a 16-bit file; auto: the layer's own range")
      .unit("m");
  f("tiles", &OutputParams::tiles, Range{1, 256},
    "columns and rows of tiles that share their edge samples and one range, or of a mesh their edge vertices; {x} and "
    "{y} in the name count them from the north-west");
  f("cog", &OutputParams::cog, "a cloud optimised GeoTIFF, with overviews");
  f("compression", &OutputParams::compression, std::vector<std::string>{"deflate", "none"}, "compression of a GeoTIFF");
  describe_skin(f);
  f("quantise", &OutputParams::quantise,
    "a GLB's positions in 16 bits, normals and colours in 8: half the size, for programs with KHR_mesh_quantization");
  f("meshopt", &OutputParams::meshopt, "a compressed GLB, for programs with EXT_meshopt_compression");
  f("cell", &OutputParams::cell, Range{1e-6, 1e6},
    "volume or rock: metres between samples; auto: 256 cells along the longer side of a "
    "mesh, and a round length with at most 400 along the longest side of a grid")
      .unit("m");
  f("sample", &OutputParams::sample, std::vector<std::string>{"field", "resistance"},
    ".npy and .vti: the field of a volume (f - T, above 0 in rock), or the resistance of its rock");
  f("low", &OutputParams::low, Range{-1e9, 1e9},
    ".npy and .vti: lower corner of the sampled box; auto: of the whole volume")
      .unit("m");
  f("high", &OutputParams::high, Range{-1e9, 1e9},
    ".npy and .vti: upper corner of the sampled box; auto: of the whole volume")
      .unit("m");
}

}  // namespace tepui
