#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "tepui/core/error.h"
#include "tepui/core/pool.h"
#include "tepui/io/atomic_file.h"
#include "tepui/io/json_input.h"
#include "tepui/io/mesh_facts.h"

namespace tepui {

namespace {

using Json = nlohmann::json;

constexpr int64_t type_uint8 = 5121, type_uint16 = 5123, type_uint32 = 5125, type_float = 5126;
constexpr int64_t triangles_mode = 4;

/// A GLB's JSON, and the bytes of its binary chunk; every access is checked.
class Document {
 public:
  Document(const std::string& path, std::string_view bytes) : path_(path) {
    if (bytes.size() < 20 || word(bytes, 0) != 0x46546c67) broken("it is not a GLB");
    if (word(bytes, 4) != 2) broken(fmt::format("version {} is not known; version 2 is", word(bytes, 4)));
    if (word(bytes, 8) > bytes.size()) broken("the file ends too early");
    bytes = bytes.substr(0, word(bytes, 8));
    const std::string_view text = chunk(bytes, 12, 0x4e4f534a, "JSON");
    const size_t next = 20 + text.size();
    if (next < bytes.size()) binary_ = chunk(bytes, next, 0x004e4942, "binary");
    auto json = parse_untrusted_json(text);
    if (!json || !json->is_object()) broken("its JSON is damaged");
    json_ = std::move(*json);
    if (!list("extensionsRequired").empty()) broken(fmt::format("it needs {}", list("extensionsRequired").dump()));
  }

  [[noreturn]] void broken(const std::string& reason) const {
    refuse(fmt::format("cannot read '{}' as GLB: {}", path_, reason));
  }

  const Json& list(const char* name) const {
    static const Json none = Json::array();
    const auto found = json_.find(name);
    if (found == json_.end()) return none;
    if (!found->is_array()) broken(fmt::format("'{}' is not a list", name));
    return *found;
  }

  const Json& entry(const char* name, int64_t index) const {
    const Json& entries = list(name);
    if (index < 0 || static_cast<size_t>(index) >= entries.size() || !entries[static_cast<size_t>(index)].is_object())
      broken(fmt::format("there is no '{}' number {}", name, index));
    return entries[static_cast<size_t>(index)];
  }

  /// A whole number that is not negative; `fallback` (negative: none) where it is left out.
  int64_t number(const Json& object, const char* key, int64_t fallback = -1) const {
    const auto found = object.find(key);
    if (found == object.end()) {
      if (fallback < 0) broken(fmt::format("'{}' is missing", key));
      return fallback;
    }
    if (!found->is_number_unsigned() || found->get<uint64_t>() > (uint64_t{1} << 40))
      broken(fmt::format("'{}' is not a sensible number", key));
    return found->get<int64_t>();
  }

  std::string_view binary() const { return binary_; }

 private:
  static uint32_t word(std::string_view bytes, size_t at) {
    uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }

  std::string_view chunk(std::string_view bytes, size_t at, uint32_t kind, const char* name) const {
    if (bytes.size() - at < 8) broken("the file ends too early");
    const size_t length = word(bytes, at);
    if (word(bytes, at + 4) != kind) broken(fmt::format("its {} chunk is missing", name));
    if (length > bytes.size() - at - 8) broken(fmt::format("its {} chunk ends too early", name));
    return bytes.substr(at + 8, length);
  }

  std::string path_;
  Json json_;
  std::string_view binary_;
};

/// Where an accessor's elements lie.
struct Elements {
  const char* first = nullptr;
  size_t count = 0, stride = 0;
  int64_t type = 0;
};

size_t component_bytes(const Document& document, int64_t type) {
  switch (type) {
    case type_uint8:
      return 1;
    case type_uint16:
      return 2;
    case type_uint32:
    case type_float:
      return 4;
    default:
      document.broken(fmt::format("components of type {} are not read", type));
  }
}

Elements elements_of(const Document& document, int64_t accessor_index, const char* shape, size_t components) {
  const Json& accessor = document.entry("accessors", accessor_index);
  if (accessor.contains("sparse")) document.broken("sparse accessors are not read");
  if (accessor.value("type", Json()) != shape) document.broken(fmt::format("an accessor is not of type {}", shape));
  const Json& view = document.entry("bufferViews", document.number(accessor, "bufferView"));
  const Json& buffer = document.entry("buffers", document.number(view, "buffer"));
  if (document.number(view, "buffer") != 0 || buffer.contains("uri")) document.broken("its data are in another file");
  Elements result;
  result.type = document.number(accessor, "componentType");
  result.count = static_cast<size_t>(document.number(accessor, "count"));
  const size_t element = components * component_bytes(document, result.type);
  result.stride = static_cast<size_t>(document.number(view, "byteStride", static_cast<int64_t>(element)));
  const auto view_start = static_cast<size_t>(document.number(view, "byteOffset", 0));
  const auto view_bytes = static_cast<size_t>(document.number(view, "byteLength"));
  const auto offset = static_cast<size_t>(document.number(accessor, "byteOffset", 0));
  if (view_start > document.binary().size() || view_bytes > document.binary().size() - view_start)
    document.broken("a buffer view reaches beyond the data");
  if (result.stride < element || result.count == 0 || offset > view_bytes || element > view_bytes - offset ||
      (result.count - 1) > (view_bytes - offset - element) / result.stride)
    document.broken("an accessor reaches beyond its data");
  result.first = document.binary().data() + view_start + offset;
  return result;
}

uint32_t index_at(const Elements& elements, size_t i) {
  const char* at = elements.first + i * elements.stride;
  uint32_t value = 0;
  // Little-endian: the low bytes come first.
  std::memcpy(&value, at, elements.type == type_uint8 ? 1 : elements.type == type_uint16 ? 2 : 4);
  return value;
}

void add_positions(const Document& document, const Elements& elements, TriangleSoup& soup) {
  if (elements.type != type_float) document.broken("positions are read as floats only");
  for (size_t i = 0; i < elements.count; ++i) {
    std::array<float, 3> p{};
    std::memcpy(p.data(), elements.first + i * elements.stride, sizeof p);
    for (float& v : p) {
      if (!std::isfinite(v)) document.broken(fmt::format("position {} is not finite", i));
      v += 0.0f;  // -0 becomes 0, so that equal positions have equal bits
    }
    soup.positions.push_back(p);
  }
}

void add_primitive(const Document& document, const Json& primitive, TriangleSoup& soup) {
  if (!primitive.is_object() || document.number(primitive, "mode", triangles_mode) != triangles_mode)
    document.broken("only lists of triangles are read");
  const auto attributes = primitive.find("attributes");
  if (attributes == primitive.end() || !attributes->is_object()) document.broken("a mesh has no positions");
  const size_t base = soup.positions.size();
  const Elements positions = elements_of(document, document.number(*attributes, "POSITION"), "VEC3", 3);
  add_positions(document, positions, soup);
  if (soup.positions.size() > UINT32_MAX) document.broken("it has more than 2^32 vertices");
  const bool indexed = primitive.contains("indices");
  Elements indices;
  if (indexed) {
    indices = elements_of(document, document.number(primitive, "indices"), "SCALAR", 1);
    if (indices.type == type_float) document.broken("indices are not whole numbers");
  }
  const size_t corners = indexed ? indices.count : positions.count;
  if (corners % 3 != 0) document.broken(fmt::format("{} corners do not make triangles", corners));
  for (size_t i = 0; i < corners; ++i) {
    const uint32_t index = indexed ? index_at(indices, i) : static_cast<uint32_t>(i);
    if (index >= positions.count)
      document.broken(fmt::format("corner {} is vertex {} of {}", i, index, positions.count));
    soup.corners.push_back(static_cast<uint32_t>(base + index));
  }
}

}  // namespace

TriangleSoup read_glb(const std::string& path) {
  const std::string bytes = read_file(path, physical_memory() / 4);
  const Document document(path, bytes);
  TriangleSoup soup;
  for (const Json& mesh : document.list("meshes")) {
    const auto primitives = mesh.is_object() ? mesh.find("primitives") : mesh.end();
    if (!mesh.is_object() || primitives == mesh.end() || !primitives->is_array())
      document.broken("a mesh has no primitives");
    for (const Json& primitive : *primitives) {
      add_primitive(document, primitive, soup);
      // Many primitives may name the same data; what they add up to must stay in proportion to the file.
      if (soup.positions.size() * sizeof(soup.positions[0]) + soup.corners.size() * 4 > 64 * bytes.size() + (1 << 20))
        document.broken("its meshes repeat the same data too often");
    }
  }
  return soup;
}

}  // namespace tepui
