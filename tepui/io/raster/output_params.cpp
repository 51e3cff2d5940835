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
  f("paint", &OutputParams::paint, {"none", "natural"},
    "colours of the vertices of a mesh or volume: natural: those of the ground as pictures show it, with its roughness "
    "and the shares of its kinds; none: what the mesh has itself; auto: natural where it has none");
  f("error", &OutputParams::error, Range{0, 1e6},
    "a mesh with fewer triangles: how far its surface may lie from the samples of land, above or below, or from that "
    "of "
    "a volume or mesh; 0 keeps all; auto: for a GLB of land a fifth of a cell, or more where that keeps over a tenth "
    "of "
    "the samples, for one of a volume a tenth of what lies between vertices, else 0")
      .unit("m");
  f("lods", &OutputParams::lods, Range{1, 8},
    "levels of detail of a GLB: NAME.glb, NAME_lod1.glb, ..., each with 3 times the error and half the texels");
  f("collision", &OutputParams::collision,
    "also write NAME_collision.glb: the surface for collisions, without textures, to a cell's width");
  f("texture", &OutputParams::texture, Range{64, 8192},
    "colour, normals and roughness of a mesh or volume as textures of so many texels along each side, instead of on "
    "its vertices; auto: none")
      .slider(256, 4096)
      .unit("px");
  f("scene", &OutputParams::scene,
    "a land's GLB with a camera and a sun: those of the recipe's picture of it, else of its look");
  f("water", &OutputParams::water,
    "a land's GLB with the surfaces of its sea, lakes and rivers as a mesh of their own, of the material 'water'");
  f("quantise", &OutputParams::quantise,
    "a GLB's positions in 16 bits, normals and colours in 8: half the size, for programs with KHR_mesh_quantization");
  f("meshopt", &OutputParams::meshopt, "a compressed GLB, for programs with EXT_meshopt_compression");
  f("for", &OutputParams::engine, engine_names(),
    "scattered points as this program takes them: a .csv in its units and axes; a .glb with the models alone, side by "
    "side, for the .csv to place");
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
