#include "tepui/io/glb.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/core/pool.h"
#include "tepui/io/mesh_output.h"
#include "tepui/io/png.h"
#include "tepui/mesh/srgb.h"

static_assert(std::endian::native == std::endian::little, "glTF buffers are little-endian and are written as they are");

namespace tepui {

namespace {

using Json = nlohmann::ordered_json;

constexpr int type_uint16 = 5123, type_uint32 = 5125, type_float = 5126;
constexpr int target_vertices = 34962, target_indices = 34963;
constexpr double largest = std::numeric_limits<uint32_t>::max();  // bytes of a file
constexpr int filter_linear = 9729, filter_linear_mipmap = 9987, clamp_to_edge = 33071;

size_t aligned(size_t bytes) { return (bytes + 3) / 4 * 4; }

/// A texture of the material, as the file holds it.
struct Picture {
  const char* use;
  std::string png;
};

/// The binary chunk: parts one after the other, each an accessor but for the pictures at the end.
struct Layout {
  struct Part {
    std::string name;  ///< of the attribute; "indices"; of a picture its use
    size_t offset = 0, bytes = 0;
  };
  std::vector<Part> parts;
  size_t accessors = 0;  ///< the parts before the pictures
  size_t index_bytes = 4;
  size_t end = 0;

  void add(const char* name, size_t bytes) {
    parts.push_back({name, end, bytes});
    end += bytes;
  }
};

constexpr const char *use_colour = "baseColorTexture", *use_normal = "normalTexture",
                     *use_occlusion = "occlusionTexture";

/// A map of normals needs them: what a program would derive itself differs from one to the next.
bool has_tangents(const MeshSource::Facts& facts, const std::vector<Picture>& pictures) {
  return facts.normals && std::ranges::any_of(pictures, [](const Picture& p) { return p.use == use_normal; });
}

Layout layout_of(const MeshSource::Facts& facts, const std::vector<Picture>& pictures) {
  const auto vertices = static_cast<size_t>(facts.vertices);
  Layout layout;
  layout.index_bytes = vertices <= 65535 ? 2 : 4;  // 65535 itself is not allowed as an index
  layout.add("POSITION", vertices * 12);
  if (facts.normals) layout.add("NORMAL", vertices * 12);
  if (has_tangents(facts, pictures)) layout.add("TANGENT", vertices * 16);
  if (facts.coordinates) layout.add("TEXCOORD_0", vertices * 8);
  if (facts.colours) layout.add("COLOR_0", vertices * 8);
  layout.add("indices", static_cast<size_t>(facts.triangles) * 3 * layout.index_bytes);
  layout.accessors = layout.parts.size();
  // They start on a multiple of four only by chance, which a picture does not need.
  for (const Picture& picture : pictures) layout.add(picture.use, picture.png.size());
  return layout;
}

Json material_of(const Layout& layout, bool coloured) {
  Json surface = {{"metallicFactor", 0.0}, {"roughnessFactor", 1.0}}, material = {{"name", "land"}};
  Json others = Json::object();
  for (size_t i = layout.accessors; i < layout.parts.size(); ++i) {
    const Json texture = {{"index", i - layout.accessors}};
    (layout.parts[i].name == use_colour ? surface : others)[layout.parts[i].name] = texture;
    coloured = coloured || layout.parts[i].name == use_colour;
  }
  if (!coloured) surface["baseColorFactor"] = {0.6, 0.57, 0.52, 1.0};
  material["pbrMetallicRoughness"] = surface;
  material.update(others);
  return material;
}

Json accessor_of(const Layout::Part& part, size_t view, const Layout& layout, const MeshSource::Facts& facts) {
  Json accessor = {{"bufferView", view}, {"componentType", type_float}, {"count", facts.vertices}, {"type", "VEC3"}};
  if (part.name == "POSITION") {
    const auto [low, high] = facts.bounds;
    accessor["min"] = {low[0], low[2], 0.0f - high[1]};
    accessor["max"] = {high[0], high[2], 0.0f - low[1]};
  } else if (part.name == "TANGENT") {
    accessor["type"] = "VEC4";
  } else if (part.name == "TEXCOORD_0") {
    accessor["type"] = "VEC2";
  } else if (part.name == "COLOR_0") {
    accessor["componentType"] = type_uint16;
    accessor["normalized"] = true;
    accessor["type"] = "VEC4";
  } else if (part.name == "indices") {
    accessor["componentType"] = layout.index_bytes == 2 ? type_uint16 : type_uint32;
    accessor["count"] = facts.triangles * 3;
    accessor["type"] = "SCALAR";
  }
  return accessor;
}

void describe_textures(Json& gltf, const Layout& layout) {
  Json textures = Json::array(), images = Json::array();
  for (size_t view = layout.accessors; view < layout.parts.size(); ++view) {
    textures.push_back({{"sampler", 0}, {"source", images.size()}});
    images.push_back({{"bufferView", view}, {"mimeType", "image/png"}});
  }
  gltf["textures"] = textures;
  gltf["images"] = images;
  gltf["samplers"] = Json::array({{{"magFilter", filter_linear},
                                   {"minFilter", filter_linear_mipmap},
                                   {"wrapS", clamp_to_edge},
                                   {"wrapT", clamp_to_edge}}});
}

Json describe(const MeshSource::Facts& facts, const Layout& layout, const std::string& name) {
  Json gltf, attributes, accessors = Json::array(), views = Json::array();
  size_t indices = 0;
  for (const Layout::Part& part : layout.parts) {
    Json view = {{"buffer", 0}, {"byteOffset", part.offset}, {"byteLength", part.bytes}};
    const bool accessed = views.size() < layout.accessors;
    if (part.name == "indices")
      indices = views.size();
    else if (accessed)
      attributes[part.name] = views.size();
    if (accessed) {
      view["target"] = part.name == "indices" ? target_indices : target_vertices;
      accessors.push_back(accessor_of(part, views.size(), layout, facts));
    }
    views.push_back(view);
  }
  gltf["asset"] = {{"version", "2.0"}, {"generator", "Tepui"}};
  gltf["scene"] = 0;
  gltf["scenes"] = Json::array({{{"nodes", {0}}}});
  const Json centre = {facts.centre.x, facts.centre.y, facts.centre.z};
  gltf["nodes"] = Json::array({{{"name", name}, {"mesh", 0}, {"extras", {{"centre", centre}}}}});
  const Json primitive = {{"attributes", attributes}, {"indices", indices}, {"material", 0}, {"mode", 4}};
  gltf["meshes"] = Json::array({{{"name", name}, {"primitives", Json::array({primitive})}}});
  gltf["materials"] = Json::array({material_of(layout, facts.colours)});
  if (layout.parts.size() > layout.accessors) describe_textures(gltf, layout);
  gltf["accessors"] = accessors;
  gltf["bufferViews"] = views;
  gltf["buffers"] = Json::array({{{"byteLength", layout.end}}});
  return gltf;
}

void write_words(OutputFile& file, std::initializer_list<size_t> words) {
  for (const size_t word : words) {
    const auto value = static_cast<uint32_t>(word);
    file.write(&value, sizeof value);
  }
}

MeshPoint y_up_normal(const MeshPoint& normal) {
  // glTF knows no unknown normals.
  return normal == MeshPoint{} ? MeshPoint{0, 1, 0} : y_up(normal);
}

/// Along the surface eastwards; north, up the picture, is then to its left.
void append_tangent(const MeshPoint& normal, std::string& bytes) {
  const double x = static_cast<double>(normal[0]), z = static_cast<double>(normal[2]), size = std::sqrt(x * x + z * z);
  const MeshPoint east =
      size > 0 ? MeshPoint{static_cast<float>(z / size), 0, static_cast<float>(-x / size)} : MeshPoint{1, 0, 0};
  append(bytes, y_up(east));
  append(bytes, 1.0f);
}

void append_colour(const MeshColour& colour, std::string& bytes) {
  static const auto table = [] {
    std::array<uint16_t, 256> values{};
    for (size_t i = 0; i < 256; ++i)
      values[i] = static_cast<uint16_t>(65535 * linear_from_srgb(static_cast<double>(i) / 255) + 0.5);
    return values;
  }();
  for (size_t k = 0; k < 3; ++k) append(bytes, table[colour[k]]);
  append(bytes, static_cast<uint16_t>(colour[3] * 257));
}

/// Writes what put(entry, bytes) makes of each entry that get(first, entries) gives.
template <class T, class Get, class Put>
void write_list(OutputFile& file, int64_t count, const Context& context, const Get& get, const Put& put) {
  write_blocks(file, count, context, [&](int64_t begin, int64_t end, std::string& bytes) {
    std::vector<T> list(static_cast<size_t>(end - begin));
    get(begin, std::span<T>(list));
    for (const T& entry : list) put(entry, bytes);
  });
}

void write_binary(OutputFile& file, const MeshSource& source, const Layout& layout, const Context& context) {
  const MeshSource::Facts& facts = source.facts();
  write_list<MeshPoint>(
      file, facts.vertices, context.stage("writing", 0, 0.2),
      [&](int64_t first, std::span<MeshPoint> out) { source.positions(first, out); },
      [](const MeshPoint& p, std::string& bytes) { append(bytes, y_up(p)); });
  if (facts.normals)
    write_list<MeshPoint>(
        file, facts.vertices, context.stage("writing", 0.2, 0.35),
        [&](int64_t first, std::span<MeshPoint> out) { source.normals(first, out); },
        [](const MeshPoint& n, std::string& bytes) { append(bytes, y_up_normal(n)); });
  if (std::ranges::find(layout.parts, "TANGENT", &Layout::Part::name) != layout.parts.end())
    write_list<MeshPoint>(
        file, facts.vertices, context.stage("writing", 0.35, 0.4),
        [&](int64_t first, std::span<MeshPoint> out) { source.normals(first, out); }, append_tangent);
  if (facts.coordinates)
    write_list<MeshCoordinate>(
        file, facts.vertices, context.stage("writing", 0.4, 0.5),
        [&](int64_t first, std::span<MeshCoordinate> out) { source.coordinates(first, out); },
        [](const MeshCoordinate& c, std::string& bytes) { append(bytes, c); });
  if (facts.colours)
    write_list<MeshColour>(
        file, facts.vertices, context.stage("writing", 0.5, 0.6),
        [&](int64_t first, std::span<MeshColour> out) { source.colours(first, out); }, append_colour);
  const bool narrow = layout.index_bytes == 2;
  write_list<MeshTriangle>(
      file, facts.triangles, context.stage("writing", 0.6, 1),
      [&](int64_t first, std::span<MeshTriangle> out) { source.triangles(first, out); },
      [narrow](const MeshTriangle& t, std::string& bytes) {
        for (const uint32_t corner : t) narrow ? append(bytes, static_cast<uint16_t>(corner)) : append(bytes, corner);
      });
}

std::string stem(const std::string& path) {
  const std::string name = file_name(path);
  return name.substr(0, name.rfind('.'));
}

[[noreturn]] void too_large(const std::string& path, double bytes) {
  refuse(fmt::format("cannot write '{}': it needs {}, a GLB holds 4 GiB", path, bytes_text(bytes)),
         "a .ply holds more; for land, 'resample' brings it to fewer samples");
}

}  // namespace

void check_glb(const std::string& path, const Frame& frame) {
  check_land_mesh(path, frame);
  const double expected = 72.0 * static_cast<double>(frame.width) * static_cast<double>(frame.height);
  if (expected > largest - (64 << 20)) too_large(path, expected);
}

void write_glb(const std::string& path, const MeshSource& source, const MeshTextures& textures,
               const Context& context) {
  const MeshSource::Facts& facts = source.facts();
  require_surface(path, facts);
  // Before pictures are made, and before sizes could overflow.
  const double least = 12.0 * static_cast<double>(facts.vertices) + 6.0 * static_cast<double>(facts.triangles);
  if (least > largest) too_large(path, least);
  std::vector<Picture> pictures;
  const auto add = [&](const char* use, const Image* image, double from) {
    if (image != nullptr && facts.coordinates)
      pictures.push_back({use, encode_png(*image, {}, context.stage("textures", from, from + 0.1))});
  };
  add(use_colour, textures.colour, 0);
  add(use_normal, textures.normal, 0.1);
  add(use_occlusion, textures.occlusion, 0.2);
  const Layout layout = layout_of(facts, pictures);
  std::string text = describe(facts, layout, stem(path)).dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize(aligned(text.size()), ' ');
  const size_t binary = aligned(layout.end);
  const size_t total = 12 + 8 + text.size() + 8 + binary;
  if (static_cast<double>(total) > largest) too_large(path, static_cast<double>(total));
  write_atomically(path, [&](const std::string& temporary) {
    OutputFile file(temporary, path);
    write_words(file, {0x46546c67, 2, total, text.size(), 0x4e4f534a});
    file.write(text.data(), text.size());
    write_words(file, {binary, 0x004e4942});
    write_binary(file, source, layout, context.stage("writing", 0.3, 1));
    for (const Picture& picture : pictures) file.write(picture.png.data(), picture.png.size());
    file.write("\0\0\0", binary - layout.end);
    file.close();
  });
}

std::array<double, 3> write_glb(const std::string& path, const Terrain& terrain, const MeshTextures& textures,
                                const Context& context) {
  check_glb(path, terrain.frame());
  const LandMesh source(terrain);
  write_glb(path, source, textures, context);
  const Vec3 centre = source.facts().centre;
  return {centre.x, centre.y, centre.z};
}

}  // namespace tepui
