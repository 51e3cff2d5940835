#include "tepui/io/glb.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/io/atomic_file.h"
#include "tepui/io/png.h"

static_assert(std::endian::native == std::endian::little, "glTF buffers are little-endian and are written as they are");

namespace tepui {

namespace {

using Json = nlohmann::ordered_json;

constexpr int type_uint16 = 5123, type_uint32 = 5125, type_float = 5126;
constexpr int target_vertices = 34962, target_indices = 34963;
constexpr double largest = std::numeric_limits<uint32_t>::max();  // bytes of a file
constexpr int filter_linear = 9729, filter_linear_mipmap = 9987, clamp_to_edge = 33071;

/// The samples as vertices, in the mesh's axes.
class Surface {
 public:
  explicit Surface(const Terrain& terrain)
      : z_(terrain.height()),
        cell_(terrain.frame().cell),
        centre_x_(0.5 * static_cast<double>(z_.width() - 1)),
        centre_y_(0.5 * static_cast<double>(z_.height() - 1)) {}

  int64_t width() const { return z_.width(); }
  int64_t height() const { return z_.height(); }
  size_t vertices() const { return static_cast<size_t>(z_.size()); }
  size_t triangles() const { return 2 * static_cast<size_t>((width() - 1) * (height() - 1)); }

  float east(int64_t x) const { return static_cast<float>((static_cast<double>(x) - centre_x_) * cell_.x); }
  float south(int64_t y) const { return static_cast<float>((centre_y_ - static_cast<double>(y)) * cell_.y); }

  std::pair<float, float> range() const {
    const auto [low, high] = std::minmax_element(z_.cells().begin(), z_.cells().end());
    return {*low, *high};
  }

  void positions(int64_t y, std::vector<float>& out) const {
    for (int64_t x = 0; x < width(); ++x) out.insert(out.end(), {east(x), z_(x, y), south(y)});
  }

  /// From central differences; one-sided at the rim.
  void normals(int64_t y, std::vector<float>& out) const {
    const int64_t y0 = std::max<int64_t>(y - 1, 0), y1 = std::min(y + 1, height() - 1);
    for (int64_t x = 0; x < width(); ++x) {
      const int64_t x0 = std::max<int64_t>(x - 1, 0), x1 = std::min(x + 1, width() - 1);
      const double dx = (at(x1, y) - at(x0, y)) / (static_cast<double>(x1 - x0) * cell_.x);
      const double dy = (at(x, y1) - at(x, y0)) / (static_cast<double>(y1 - y0) * cell_.y);
      const double length = std::sqrt(dx * dx + dy * dy + 1);
      out.insert(out.end(),
                 {static_cast<float>(-dx / length), static_cast<float>(1 / length), static_cast<float>(dy / length)});
    }
  }

  void coordinates(int64_t y, std::vector<float>& out) const {
    const double v = (static_cast<double>(height() - 1 - y) + 0.5) / static_cast<double>(height());
    for (int64_t x = 0; x < width(); ++x)
      out.insert(out.end(), {static_cast<float>((static_cast<double>(x) + 0.5) / static_cast<double>(width())),
                             static_cast<float>(v)});
  }

  /// The cells between row y and the one north of it.
  template <class Index>
  void indices(int64_t y, std::vector<Index>& out) const {
    for (int64_t x = 0; x + 1 < width(); ++x) {
      const auto sw = static_cast<Index>(y * width() + x), se = static_cast<Index>(sw + 1);
      const auto nw = static_cast<Index>(sw + width()), ne = static_cast<Index>(nw + 1);
      // Both diagonals are as long in plan.
      if (std::abs(at(x + 1, y + 1) - at(x, y)) <= std::abs(at(x, y + 1) - at(x + 1, y)))
        out.insert(out.end(), {sw, se, ne, sw, ne, nw});
      else
        out.insert(out.end(), {sw, se, nw, se, ne, nw});
    }
  }

 private:
  double at(int64_t x, int64_t y) const { return static_cast<double>(z_(x, y)); }

  const Grid<float>& z_;
  Vec2 cell_;
  double centre_x_, centre_y_;
};

/// Sizes and offsets of the parts of the binary chunk, in bytes.
struct Layout {
  size_t index_bytes = 4;
  size_t positions = 0, normals = 0, coordinates = 0, indices = 0, picture = 0, end = 0;
};

size_t aligned(size_t bytes) { return (bytes + 3) / 4 * 4; }

Layout layout_of(const Surface& surface, size_t picture_bytes) {
  Layout layout;
  layout.index_bytes = surface.vertices() <= 65535 ? 2 : 4;  // 65535 itself is not allowed as an index
  layout.normals = surface.vertices() * 12;
  layout.coordinates = layout.normals + surface.vertices() * 12;
  layout.indices = layout.coordinates + surface.vertices() * 8;
  layout.picture = layout.indices + surface.triangles() * 3 * layout.index_bytes;
  layout.end = layout.picture + picture_bytes;
  return layout;
}

Json view(size_t offset, size_t bytes, int target) {
  Json result = {{"buffer", 0}, {"byteOffset", offset}, {"byteLength", bytes}};
  if (target != 0) result["target"] = target;
  return result;
}

Json describe(const Surface& surface, const Layout& layout, const std::string& name,
              const std::array<double, 3>& centre) {
  const bool textured = layout.end > layout.picture;
  const auto [low, high] = surface.range();
  const Json least = {surface.east(0), low, surface.south(surface.height() - 1)};
  const Json most = {surface.east(surface.width() - 1), high, surface.south(0)};

  Json material = {{"name", "land"}, {"pbrMetallicRoughness", {{"metallicFactor", 0.0}, {"roughnessFactor", 0.9}}}};
  if (textured)
    material["pbrMetallicRoughness"]["baseColorTexture"] = {{"index", 0}};
  else
    material["pbrMetallicRoughness"]["baseColorFactor"] = {0.6, 0.57, 0.52, 1.0};

  Json gltf;
  gltf["asset"] = {{"version", "2.0"}, {"generator", "Tepui"}};
  gltf["scene"] = 0;
  gltf["scenes"] = Json::array({{{"nodes", {0}}}});
  gltf["nodes"] = Json::array({{{"name", name}, {"mesh", 0}, {"extras", {{"centre", centre}}}}});
  gltf["meshes"] =
      Json::array({{{"name", name},
                    {"primitives", Json::array({{{"attributes", {{"POSITION", 0}, {"NORMAL", 1}, {"TEXCOORD_0", 2}}},
                                                 {"indices", 3},
                                                 {"material", 0},
                                                 {"mode", 4}}})}}});
  gltf["materials"] = Json::array({material});
  if (textured) {
    gltf["textures"] = Json::array({{{"sampler", 0}, {"source", 0}}});
    gltf["images"] = Json::array({{{"bufferView", 4}, {"mimeType", "image/png"}}});
    gltf["samplers"] = Json::array({{{"magFilter", filter_linear},
                                     {"minFilter", filter_linear_mipmap},
                                     {"wrapS", clamp_to_edge},
                                     {"wrapT", clamp_to_edge}}});
  }
  const size_t vertices = surface.vertices();
  gltf["accessors"] =
      Json::array({{{"bufferView", 0},
                    {"componentType", type_float},
                    {"count", vertices},
                    {"type", "VEC3"},
                    {"min", least},
                    {"max", most}},
                   {{"bufferView", 1}, {"componentType", type_float}, {"count", vertices}, {"type", "VEC3"}},
                   {{"bufferView", 2}, {"componentType", type_float}, {"count", vertices}, {"type", "VEC2"}},
                   {{"bufferView", 3},
                    {"componentType", layout.index_bytes == 2 ? type_uint16 : type_uint32},
                    {"count", surface.triangles() * 3},
                    {"type", "SCALAR"}}});
  gltf["bufferViews"] = Json::array({view(layout.positions, layout.normals - layout.positions, target_vertices),
                                     view(layout.normals, layout.coordinates - layout.normals, target_vertices),
                                     view(layout.coordinates, layout.indices - layout.coordinates, target_vertices),
                                     view(layout.indices, layout.picture - layout.indices, target_indices)});
  if (textured) gltf["bufferViews"].push_back(view(layout.picture, layout.end - layout.picture, 0));
  gltf["buffers"] = Json::array({{{"byteLength", layout.end}}});
  return gltf;
}

void write_words(OutputFile& file, std::initializer_list<size_t> words) {
  for (const size_t word : words) {
    const auto value = static_cast<uint32_t>(word);
    file.write(&value, sizeof value);
  }
}

/// Writes what `make(row, buffer)` gives for each row.
template <class T, class Make>
void write_rows(OutputFile& file, int64_t rows, const Context& context, const Make& make) {
  std::vector<T> buffer;
  for (int64_t y = 0; y < rows; ++y) {
    buffer.clear();
    make(y, buffer);
    file.write(buffer.data(), buffer.size() * sizeof(T));
    if (y % 64 != 0) continue;
    context.check();
    context.progress(static_cast<double>(y) / static_cast<double>(rows));
  }
}

void write_binary(OutputFile& file, const Surface& surface, const Layout& layout, const Context& context) {
  const int64_t rows = surface.height();
  write_rows<float>(file, rows, context.stage("writing", 0, 0.25),
                    [&](int64_t y, std::vector<float>& out) { surface.positions(y, out); });
  write_rows<float>(file, rows, context.stage("writing", 0.25, 0.5),
                    [&](int64_t y, std::vector<float>& out) { surface.normals(y, out); });
  write_rows<float>(file, rows, context.stage("writing", 0.5, 0.6),
                    [&](int64_t y, std::vector<float>& out) { surface.coordinates(y, out); });
  const Context last = context.stage("writing", 0.6, 1);
  if (layout.index_bytes == 2)
    write_rows<uint16_t>(file, rows - 1, last, [&](int64_t y, std::vector<uint16_t>& out) { surface.indices(y, out); });
  else
    write_rows<uint32_t>(file, rows - 1, last, [&](int64_t y, std::vector<uint32_t>& out) { surface.indices(y, out); });
}

std::string stem(const std::string& path) {
  const std::string name = file_name(path);
  return name.substr(0, name.rfind('.'));
}

}  // namespace

void check_glb(const std::string& path, const Frame& frame) {
  if (frame.width < 2 || frame.height < 2)
    refuse(fmt::format("cannot write '{}': land of {} x {} samples has no surface", path, frame.width, frame.height));
  const double expected = 56.0 * static_cast<double>(frame.width) * static_cast<double>(frame.height);
  if (expected > largest - (64 << 20))
    refuse(fmt::format("cannot write '{}': a mesh of {} x {} samples needs {}, a GLB holds 4 GiB", path, frame.width,
                       frame.height, bytes_text(expected)),
           "bring the land to fewer samples with 'resample'");
}

std::array<double, 3> write_glb(const std::string& path, const Terrain& terrain, const Image* texture,
                                const Context& context) {
  const Frame& frame = terrain.frame();
  check_glb(path, frame);
  const Surface surface(terrain);
  const std::string picture = texture != nullptr ? encode_png(*texture, {}, context.stage("texture", 0, 0.2)) : "";
  const Layout layout = layout_of(surface, picture.size());
  const std::array<double, 3> centre = {0.5 * (frame.x(0) + frame.x(frame.width - 1)),
                                        0.5 * (frame.y(0) + frame.y(frame.height - 1)), 0};

  std::string text = describe(surface, layout, stem(path), centre).dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize(aligned(text.size()), ' ');
  const size_t binary = aligned(layout.end);
  const size_t total = 12 + 8 + text.size() + 8 + binary;
  if (static_cast<double>(total) > largest)
    refuse(
        fmt::format("cannot write '{}': it needs {}, a GLB holds 4 GiB", path, bytes_text(static_cast<double>(total))));
  write_atomically(path, [&](const std::string& temporary) {
    OutputFile file(temporary, path);
    write_words(file, {0x46546c67, 2, total, text.size(), 0x4e4f534a});
    file.write(text.data(), text.size());
    write_words(file, {binary, 0x004e4942});
    write_binary(file, surface, layout, context.stage("writing", 0.2, 1));
    file.write(picture.data(), picture.size());
    file.write("\0\0\0", binary - layout.end);
    file.close();
  });
  return centre;
}

}  // namespace tepui
