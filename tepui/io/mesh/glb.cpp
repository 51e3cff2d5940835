#include "tepui/io/mesh/glb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/pool.h"
#include "tepui/io/mesh/glb_parts.h"
#include "tepui/io/mesh/glb_stage.h"
#include "tepui/io/mesh/glb_standing.h"
#include "tepui/io/mesh/mesh_output.h"
#include "tepui/io/raster/png.h"
#include "tepui/mesh/atlas.h"
#include "tepui/mesh/checks.h"
#include "tepui/mesh/subset.h"

namespace tepui {

namespace {

using Json = nlohmann::ordered_json;

constexpr int target_vertices = 34962, target_indices = 34963;
constexpr double largest = std::numeric_limits<uint32_t>::max();  // bytes of a file
constexpr int filter_linear = 9729, filter_linear_mipmap = 9987, clamp_to_edge = 33071;
constexpr const char *quantisation = "KHR_mesh_quantization", *meshopt = "EXT_meshopt_compression",
                     *instancing = "EXT_mesh_gpu_instancing";

size_t aligned(size_t bytes) { return (bytes + 3) / 4 * 4; }

/// A texture of the material, as the file holds it.
struct GlbPicture {
  const char* use;
  std::string png;
};

constexpr const char *use_colour = "baseColorTexture", *use_normal = "normalTexture",
                     *use_occlusion = "occlusionTexture", *use_roughness = "metallicRoughnessTexture";

/// A map of normals needs them: what a program would derive itself differs from one to the next.
bool has_tangents(const MeshSource::Facts& facts, const std::vector<GlbPicture>& pictures) {
  return facts.normals && std::ranges::any_of(pictures, [](const GlbPicture& p) { return p.use == use_normal; });
}

/// All that a file says, and where.
struct GlbContents {
  std::vector<GlbPart> parts;  ///< of the mesh, then of what stands on it
  size_t own = 0;              ///< how many of them are of the mesh; 0 where there is none
  size_t water = 0;            ///< and how many after them of the water
  std::vector<GlbModel> models;
  bool models_alone = false;
  std::vector<std::string> packed;  ///< the parts' bytes where they are compressed
  std::vector<GlbPicture> pictures;
  std::vector<size_t> offsets;  ///< in the binary chunk, of parts, then pictures
  size_t end = 0;
  GlbLattice lattice, water_lattice;
  bool closed = false;
  double roughness = 0.9;
  bool shaded = false;  ///< the picture of roughness holds the light of the sky too

  bool is_packed() const { return !packed.empty(); }
  size_t stored(size_t part) const { return is_packed() ? packed[part].size() : parts[part].bytes(); }

  void lay_out() {
    for (size_t i = 0; i < parts.size(); ++i) {
      offsets.push_back(end);
      // Numbers start on a multiple of four; a picture need not.
      end = aligned(end + stored(i));
    }
    for (const GlbPicture& picture : pictures) {
      offsets.push_back(end);
      end += picture.png.size();
    }
  }
};

/// Occlusion in red, roughness in green, nothing of metal in blue, as glTF packs them.
Image surface_picture(const MeshTextures& textures) {
  const Image& matt = *textures.roughness;
  Image packed(matt.width, matt.height, 3);
  for (int y = 0; y < packed.height; ++y)
    for (int x = 0; x < packed.width; ++x) {
      uint8_t* out = packed.at(x, y);
      out[0] = textures.occlusion != nullptr ? *textures.occlusion->at(x, y) : uint8_t{255};
      out[1] = *matt.at(x, y);
      out[2] = 0;
    }
  return packed;
}

Json material_of(const GlbContents& contents, bool coloured) {
  Json surface = {{"metallicFactor", 0.0}, {"roughnessFactor", contents.roughness}}, material = {{"name", "land"}};
  Json others = Json::object();
  for (size_t i = 0; i < contents.pictures.size(); ++i) {
    const char* use = contents.pictures[i].use;
    const bool is_roughness = use == use_roughness;
    (use == use_colour || is_roughness ? surface : others)[use] = {{"index", i}};
    coloured = coloured || use == use_colour;
    // One picture is both, in channels of its own.
    if (is_roughness && contents.shaded) others[use_occlusion] = {{"index", i}};
  }
  if (!coloured) surface["baseColorFactor"] = {0.6, 0.57, 0.52, 1.0};
  material["pbrMetallicRoughness"] = surface;
  material.update(others);
  if (!contents.closed) material["doubleSided"] = true;
  return material;
}

Json accessor_of(const GlbPart& part, size_t view) {
  Json accessor = {{"bufferView", view}, {"componentType", part.component_type}, {"count", part.count}};
  if (part.normalised) accessor["normalized"] = true;
  accessor["type"] = part.type;
  if (part.name == "POSITION") {
    const auto& b = part.bounds;
    const auto corner = [&](size_t first) -> Json {
      if (!part.is_float()) return {std::lround(b[first]), std::lround(b[first + 1]), std::lround(b[first + 2])};
      return {static_cast<float>(b[first]), static_cast<float>(b[first + 1]), static_cast<float>(b[first + 2])};
    };
    accessor["min"] = corner(0);
    accessor["max"] = corner(3);
  }
  if (!part.unit.empty()) accessor["extras"] = {{"unit", part.unit}};
  if (!part.channels.empty()) accessor["extras"] = {{"channels", part.channels}};
  return accessor;
}

void describe_textures(Json& gltf, const GlbContents& contents) {
  if (contents.pictures.empty()) return;
  Json textures = Json::array(), images = Json::array();
  for (size_t i = 0; i < contents.pictures.size(); ++i) {
    textures.push_back({{"sampler", 0}, {"source", i}});
    images.push_back({{"bufferView", contents.parts.size() + i}, {"mimeType", "image/png"}});
  }
  gltf["textures"] = textures;
  gltf["images"] = images;
  gltf["samplers"] = Json::array({{{"magFilter", filter_linear},
                                   {"minFilter", filter_linear_mipmap},
                                   {"wrapS", clamp_to_edge},
                                   {"wrapT", clamp_to_edge}}});
}

/// Views of the binary chunk. Of compressed parts: views of a buffer that is not there, and where its bytes are made
/// from, as the extension wants it.
void describe_views(Json& gltf, const GlbContents& contents) {
  Json views = Json::array();
  size_t unpacked = 0;
  for (size_t i = 0; i < contents.parts.size(); ++i) {
    const GlbPart& part = contents.parts[i];
    Json view = {{"buffer", contents.is_packed() ? 1 : 0},
                 {"byteOffset", contents.is_packed() ? unpacked : contents.offsets[i]},
                 {"byteLength", part.bytes()}};
    unpacked = aligned(unpacked + part.bytes());
    if (part.stride != part.element) view["byteStride"] = part.stride;
    if (part.name != "TRANSLATION" && part.name != "ROTATION" && part.name != "SCALE")
      view["target"] = part.is_indices() ? target_indices : target_vertices;
    if (contents.is_packed())
      view["extensions"] = {{meshopt,
                             {{"buffer", 0},
                              {"byteOffset", contents.offsets[i]},
                              {"byteLength", contents.packed[i].size()},
                              {"byteStride", part.stride},
                              {"count", part.count},
                              {"mode", part.is_indices() ? "TRIANGLES" : "ATTRIBUTES"}}}};
    views.push_back(view);
  }
  for (size_t i = 0; i < contents.pictures.size(); ++i)
    views.push_back({{"buffer", 0},
                     {"byteOffset", contents.offsets[contents.parts.size() + i]},
                     {"byteLength", contents.pictures[i].png.size()}});
  gltf["bufferViews"] = views;
  gltf["buffers"] = Json::array({{{"byteLength", contents.end}}});
  if (contents.is_packed())
    gltf["buffers"].push_back({{"byteLength", unpacked}, {"extensions", {{meshopt, {{"fallback", true}}}}}});
}

Json mesh_of(const GlbContents& contents, const std::string& name, size_t first, size_t indices, size_t material) {
  Json attributes;
  for (size_t part = first; part < indices; ++part) attributes[contents.parts[part].name] = part;
  const Json primitive = {{"attributes", attributes}, {"indices", indices}, {"material", material}, {"mode", 4}};
  return {{"name", name}, {"primitives", Json::array({primitive})}};
}

/// Adds the node of the mesh that comes next, and says that it stands in the scene.
void add_node(Json& gltf, const std::string& name, const GlbLattice& lattice) {
  Json node = {{"name", name}, {"mesh", gltf["meshes"].size()}};
  if (const double step = lattice.step; step > 0) {
    node["translation"] = lattice.middle;
    node["scale"] = {step, step, step};
  }
  gltf["scenes"][0]["nodes"].push_back(gltf["nodes"].size());
  gltf["nodes"].push_back(node);
}

/// The mesh, on the first node.
void describe_mesh(Json& gltf, const MeshSource::Facts& facts, const GlbContents& contents, const std::string& name) {
  add_node(gltf, name, contents.lattice);
  gltf["meshes"].push_back(mesh_of(contents, name, 0, contents.own - 1, 0));
  gltf["materials"].push_back(material_of(contents, facts.colours));
}

/// Programs have shaders for water: they find it by the name of its material.
void describe_water(Json& gltf, const GlbContents& contents, const std::string& name) {
  add_node(gltf, name, contents.water_lattice);
  const size_t first = contents.own, indices = first + contents.water - 1;
  gltf["meshes"].push_back(mesh_of(contents, name, first, indices, gltf["materials"].size()));
  gltf["materials"].push_back(
      {{"name", "water"},
       {"pbrMetallicRoughness",
        {{"baseColorFactor", {0.02, 0.07, 0.09, 0.8}}, {"metallicFactor", 0.0}, {"roughnessFactor", 0.05}}},
       {"alphaMode", "BLEND"},
       {"doubleSided", true}});
}

/// What stands, below a node of its own: a node and a mesh for each model.
void describe_models(Json& gltf, const GlbContents& contents, const std::string& name) {
  const size_t material = gltf["materials"].size(), first = gltf["nodes"].size() + 1;
  const size_t before = contents.own + contents.water;
  gltf["scenes"][0]["nodes"].push_back(gltf["nodes"].size());
  gltf["materials"].push_back({{"name", "plants"},
                               {"pbrMetallicRoughness", {{"metallicFactor", 0.0}, {"roughnessFactor", 0.9}}},
                               {"doubleSided", true}});
  Json all = {{"name", name}, {"children", Json::array()}}, nodes = Json::array();
  for (size_t m = 0; m < contents.models.size(); ++m) {
    const GlbModel& model = contents.models[m];
    all["children"].push_back(first + m);
    const size_t placed = before + model.translation;
    const Json attributes = {{"TRANSLATION", placed}, {"ROTATION", placed + 1}, {"SCALE", placed + 2}};
    Json node = {{"name", model.name}, {"mesh", gltf["meshes"].size()}};
    if (contents.models_alone)
      node["translation"] = {2.0 * static_cast<double>(m), 0.0, 0.0};
    else
      node["extensions"] = {{instancing, {{"attributes", attributes}}}};
    nodes.push_back(std::move(node));
    gltf["meshes"].push_back(mesh_of(contents, model.name, before + model.vertices, before + model.indices, material));
  }
  gltf["nodes"].push_back(all);
  for (Json& node : nodes) gltf["nodes"].push_back(std::move(node));
}

Json describe(const MeshSource::Facts& facts, const GlbContents& contents, const std::string& name,
              const GlbScene* stage) {
  Json gltf, extensions = Json::array();
  if (contents.lattice.step > 0) extensions.push_back(quantisation);
  if (contents.is_packed()) extensions.push_back(meshopt);
  if (!contents.models.empty() && !contents.models_alone) extensions.push_back(instancing);
  gltf["asset"] = {{"version", "2.0"}, {"generator", "Tepui"}};
  if (!extensions.empty()) gltf["extensionsUsed"] = gltf["extensionsRequired"] = extensions;
  gltf["scene"] = 0;
  gltf["scenes"] = Json::array({{{"nodes", Json::array()}}});
  for (const char* list : {"nodes", "meshes", "materials"}) gltf[list] = Json::array();
  if (contents.own > 0) describe_mesh(gltf, facts, contents, name);
  if (contents.water > 0) describe_water(gltf, contents, name + "_water");
  if (!contents.models.empty()) describe_models(gltf, contents, contents.own > 0 ? name + "_plants" : name);
  if (stage != nullptr) add_stage(gltf, *stage, facts.centre);
  gltf["nodes"][0]["extras"] = {{"centre", {facts.centre.x, facts.centre.y, facts.centre.z}}};
  describe_textures(gltf, contents);
  gltf["accessors"] = Json::array();
  for (const GlbPart& part : contents.parts) gltf["accessors"].push_back(accessor_of(part, gltf["accessors"].size()));
  describe_views(gltf, contents);
  return gltf;
}

void write_words(ByteSink& file, std::initializer_list<size_t> words) {
  for (const size_t word : words) {
    const auto value = static_cast<uint32_t>(word);
    file.write(&value, sizeof value);
  }
}

void write_binary(ByteSink& file, const GlbContents& contents, const Context& context) {
  double done = 0, all = 1;
  for (size_t i = 0; i < contents.parts.size(); ++i) all += static_cast<double>(contents.stored(i));
  size_t at = 0;
  for (size_t i = 0; i < contents.parts.size(); ++i) {
    const GlbPart& part = contents.parts[i];
    const double next = done + static_cast<double>(contents.stored(i)) / all;
    if (contents.is_packed())
      file.write(contents.packed[i].data(), contents.packed[i].size());
    else
      write_blocks(file, part.count, context.stage("writing", done, next), part.make);
    at += contents.stored(i);
    file.write("\0\0\0", aligned(at) - at);
    at = aligned(at);
    done = next;
  }
  for (const GlbPicture& picture : contents.pictures) file.write(picture.png.data(), picture.png.size());
  file.write("\0\0\0", aligned(contents.end) - contents.end);
}

std::string stem(const std::string& path) {
  const std::string name = file_name(path);
  return name.substr(0, name.rfind('.'));
}

[[noreturn]] void too_large(const std::string& path, double bytes) {
  refuse(fmt::format("cannot write '{}': it needs {}, a GLB holds 4 GiB", path, bytes_text(bytes)),
         "a .ply holds more; for land, 'resample' brings it to fewer samples");
}

void add_water(GlbContents& contents, const StoredMesh& water, const GlbOptions& options) {
  if (options.quantise) contents.water_lattice = glb_lattice(water.facts().bounds, options.step);
  for (GlbPart& part : glb_parts(water, contents.water_lattice, nullptr)) contents.parts.push_back(std::move(part));
  contents.water = contents.parts.size() - contents.own;
}

void add_standing(GlbContents& contents, const GlbStanding& standing) {
  for (GlbPart& part : standing.parts()) contents.parts.push_back(std::move(part));
  contents.models = standing.models();
}

/// All of a file whose parts and pictures are known.
void write_contents(const FileTarget& to, GlbContents& contents, const MeshSource::Facts& facts, const Context& context,
                    const GlbOptions& options) {
  if (options.meshopt)
    for (const GlbPart& part : contents.parts)
      contents.packed.push_back(compressed(part, context.stage("compressing", 0.3, 0.6)));
  contents.lay_out();
  std::string text = describe(facts, contents, stem(to.path()) + options.name_suffix, options.scene)
                         .dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize(aligned(text.size()), ' ');
  const size_t binary = aligned(contents.end);
  const size_t total = 12 + 8 + text.size() + 8 + binary;
  if (static_cast<double>(total) > largest) too_large(to.path(), static_cast<double>(total));
  to.write([&](ByteSink& file) {
    write_words(file, {0x46546c67, 2, total, text.size(), 0x4e4f534a});
    file.write(text.data(), text.size());
    write_words(file, {binary, 0x004e4942});
    write_binary(file, contents, context.stage("writing", options.meshopt ? 0.6 : 0.3, 1));
  });
}

}  // namespace

void check_glb(const std::string& path, const Frame& frame) {
  check_land_mesh(path, frame);
  const double expected = 72.0 * static_cast<double>(frame.width) * static_cast<double>(frame.height);
  if (expected > largest - (64 << 20)) too_large(path, expected);
}

void write_glb(const FileTarget& to, const MeshSource& given, const MeshTextures& textures, const Context& context,
               const GlbOptions& options) {
  const MeshSource::Facts& facts = given.facts();
  require_surface(to.path(), facts);
  // Before pictures are made, and before sizes could overflow.
  const double least = (options.quantise ? 8.0 : 12.0) * static_cast<double>(facts.vertices) +
                       6.0 * static_cast<double>(facts.triangles);
  // Compressed, a triangle still takes a byte.
  if ((options.meshopt ? static_cast<double>(facts.triangles) : least) > largest - 1024) too_large(to.path(), least);
  std::optional<StoredMesh> ordered;
  if (options.meshopt) ordered.emplace(in_drawing_order(gather(given)));
  const MeshSource& source = ordered ? *ordered : given;
  GlbContents contents;
  const auto add = [&](const char* use, const Image* image, double from) {
    if (image != nullptr && facts.coordinates)
      contents.pictures.push_back({use, encode_png(*image, {}, context.stage("textures", from, from + 0.1))});
  };
  add(use_colour, textures.colour, 0);
  add(use_normal, textures.normal, 0.1);
  const Image surface = textures.roughness != nullptr ? surface_picture(textures) : Image();
  add(textures.roughness != nullptr ? use_roughness : use_occlusion,
      textures.roughness != nullptr ? &surface : textures.occlusion, 0.2);
  contents.shaded = textures.occlusion != nullptr;
  // A map of it counts in full.
  contents.roughness = textures.roughness != nullptr && facts.coordinates ? 1 : textures.roughness_factor;
  contents.closed = textures.closed || is_closed(source, context);
  if (options.quantise) contents.lattice = glb_lattice(facts.bounds, options.step);
  GlbTangents tangents;
  const bool has = has_tangents(facts, contents.pictures);
  if (has && textures.charted) tangents = tangents_of(gather(source));
  contents.parts = glb_parts(source, contents.lattice, has ? &tangents : nullptr);
  contents.own = contents.parts.size();
  std::optional<StoredMesh> water;
  if (options.water != nullptr) add_water(contents, water.emplace(*options.water), options);
  std::optional<GlbStanding> standing;
  if (!options.standing.empty()) add_standing(contents, standing.emplace(options.standing, facts.centre, options));
  write_contents(to, contents, facts, context, options);
}

void write_glb(const FileTarget& to, const Lines& points, const Context& context, const GlbOptions& options) {
  const std::span<const Lines> all(&points, 1);
  MeshSource::Facts facts;
  facts.centre = standing_centre(all);
  const GlbStanding standing(all, facts.centre, options);
  if (standing.models().empty())
    refuse(fmt::format("'{}' would be empty: there are no points", to.path()),
           "a .csv or a .geojson may be empty; a GLB may not");
  GlbContents contents;
  contents.models_alone = options.models_alone;
  add_standing(contents, standing);
  write_contents(to, contents, facts, context, options);
}

std::array<double, 3> write_glb(const FileTarget& to, const Terrain& terrain, const MeshTextures& textures,
                                const Context& context, const GlbOptions& options) {
  check_glb(to.path(), terrain.frame());
  const LandMesh source(terrain);
  write_glb(to, source, textures, context, options);
  const Vec3 centre = source.facts().centre;
  return {centre.x, centre.y, centre.z};
}

}  // namespace tepui
