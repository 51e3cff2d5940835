#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>

#include "tepui/core/srgb.h"
#include "tepui/core/text.h"
#include "tepui/io/file/json_input.h"
#include "tepui/io/mesh/glb.h"
#include "tepui/io/mesh/glb_unpack.h"
#include "tepui/io/mesh/mesh_input.h"

static_assert(std::endian::native == std::endian::little, "glTF buffers are little-endian and are read as they are");

namespace tepui {

namespace {

using GlbJson = nlohmann::json;

enum ComponentType : int64_t { int8 = 5120, uint8 = 5121, int16 = 5122, uint16 = 5123, uint32 = 5125, float32 = 5126 };
enum Mode : int64_t { list_mode = 4, strip_mode = 5, fan_mode = 6 };

constexpr size_t longest_json = size_t{32} << 20;

/// Whether a file that needs this extension still has all of its triangles in plain sight.
bool is_harmless(const std::string& extension) {
  for (const char* prefix : {"KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "KHR_xmp"})
    if (extension.starts_with(prefix)) return true;
  return extension == "KHR_mesh_quantization" || extension == meshopt_extension;
}

/// A GLB's JSON, and the bytes of its binary chunk; every access is checked.
class Document {
 public:
  Document(std::string_view bytes, const MeshInput& input)
      : input_(input), unpacking_left_(64 * bytes.size() + (1 << 20)) {
    if (bytes.size() < 4 || word(bytes, 0) != 0x46546c67) broken("it does not start like one");
    if (bytes.size() < 20) broken("the file ends too early");
    if (word(bytes, 4) != 2) broken(fmt::format("version {} is not supported; only version 2 is", word(bytes, 4)));
    if (word(bytes, 8) > bytes.size()) broken("the file ends too early");
    if (word(bytes, 8) < 20) broken(fmt::format("it claims to have {} bytes", word(bytes, 8)));
    bytes = bytes.substr(0, word(bytes, 8));
    const std::string_view text = chunk(bytes, 12, 0x4e4f534a, "JSON");
    const size_t next = 20 + text.size();
    if (next < bytes.size()) binary_ = chunk(bytes, next, 0x004e4942, "binary");
    if (text.size() > longest_json) broken("its JSON is longer than 32 MiB");
    auto json = parse_untrusted_json(text);
    if (!json || !json->is_object()) broken("its JSON is damaged");
    json_ = std::move(*json);
    for (const GlbJson& extension : list(json_, "extensionsRequired"))
      if (!extension.is_string() || !is_harmless(extension.get<std::string>()))
        broken(fmt::format("it needs {}, which is not supported",
                           extension.dump(-1, ' ', true, GlbJson::error_handler_t::replace)));
  }

  [[noreturn]] void broken(std::string_view reason) const { input_.broken(reason); }

  const GlbJson& root() const { return json_; }

  const GlbJson& list(const GlbJson& object, const char* name) const {
    static const GlbJson none = GlbJson::array();
    const auto found = object.find(name);
    if (found == object.end()) return none;
    if (!found->is_array()) broken(fmt::format("'{}' is not a list", name));
    return *found;
  }

  const GlbJson& entry(const char* name, int64_t index) const {
    const GlbJson& entries = list(json_, name);
    if (index < 0 || static_cast<size_t>(index) >= entries.size() || !entries[static_cast<size_t>(index)].is_object())
      broken(fmt::format("there is no '{}' number {}", name, index));
    return entries[static_cast<size_t>(index)];
  }

  /// A whole number that is not negative; `fallback` (negative: none) where it is left out.
  int64_t number(const GlbJson& object, const char* key, int64_t fallback = -1) const {
    const auto found = object.find(key);
    if (found == object.end()) {
      if (fallback < 0) broken(fmt::format("'{}' is missing", key));
      return fallback;
    }
    return whole(*found, key);
  }

  int64_t whole(const GlbJson& value, const char* what) const {
    if (!value.is_number_unsigned() || value.get<uint64_t>() > (uint64_t{1} << 40))
      broken(fmt::format("'{}' is not a valid number", what));
    return value.get<int64_t>();
  }

  /// `count` numbers, if they are there at all.
  bool numbers(const GlbJson& object, const char* key, size_t count, double* out) const {
    const auto found = object.find(key);
    if (found == object.end()) return false;
    if (!found->is_array() || found->size() != count) broken(fmt::format("'{}' is not {} numbers", key, count));
    for (size_t i = 0; i < count; ++i) {
      if (!(*found)[i].is_number()) broken(fmt::format("'{}' is not {} numbers", key, count));
      out[i] = (*found)[i].get<double>();
    }
    return true;
  }

  /// The bytes of a buffer view, unpacked where they are compressed.
  std::string_view view_bytes(int64_t index) const {
    const GlbJson& view = entry("bufferViews", index);
    if (const auto extensions = view.find("extensions"); extensions != view.end() && extensions->is_object())
      if (const auto packed = extensions->find(meshopt_extension); packed != extensions->end())
        return unpacked_bytes(index, *packed, static_cast<size_t>(number(view, "byteLength")));
    return stored_bytes(view);
  }

 private:
  std::string_view stored_bytes(const GlbJson& view) const {
    const int64_t buffer = number(view, "buffer");
    if (buffer != 0 || entry("buffers", buffer).contains("uri")) broken("its data are in another file");
    const auto start = static_cast<size_t>(number(view, "byteOffset", 0));
    const auto length = static_cast<size_t>(number(view, "byteLength"));
    if (start > binary_.size() || length > binary_.size() - start) broken("a buffer view reaches beyond the data");
    return binary_.substr(start, length);
  }

  std::string_view unpacked_bytes(int64_t index, const GlbJson& packed, size_t length) const {
    const auto known = unpacked_.find(index);
    if (known != unpacked_.end()) return known->second;
    if (!packed.is_object()) broken("a compressed view is damaged");
    const auto text = [&](const char* key, const char* fallback) {
      const GlbJson value = packed.value(key, GlbJson(fallback));
      return value.is_string() ? value.get<std::string>() : std::string();
    };
    PackedView view;
    view.bytes = stored_bytes(packed);
    view.mode = text("mode", "");
    view.filter = text("filter", "NONE");
    view.count = static_cast<size_t>(number(packed, "count"));
    view.stride = static_cast<size_t>(number(packed, "byteStride"));
    const std::string_view fault = fault_of(view);
    if (!fault.empty()) broken(fault);
    // Many views may name the same bytes.
    if (view.count * view.stride != length || length > unpacking_left_) broken("a compressed view is damaged");
    unpacking_left_ -= length;
    std::optional<std::string> bytes = unpack(view);
    if (!bytes) broken("a compressed view is damaged");
    return unpacked_.emplace(index, std::move(*bytes)).first->second;
  }

  static uint32_t word(std::string_view bytes, size_t at) {
    uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }

  std::string_view chunk(std::string_view bytes, size_t at, uint32_t kind, const char* name) const {
    if (bytes.size() - at < 8) broken("the file ends too early");
    const size_t length = word(bytes, at);
    if (word(bytes, at + 4) != kind) broken(fmt::format("its {} chunk is missing", name));
    if (length > bytes.size() - at - 8)
      broken(fmt::format("its {} chunk says that it has {} bytes, and {} follow", name, length, bytes.size() - at - 8));
    return bytes.substr(at + 8, length);
  }

  const MeshInput& input_;
  GlbJson json_;
  std::string_view binary_;
  mutable std::map<int64_t, std::string> unpacked_;  ///< by view
  mutable size_t unpacking_left_;                    ///< bytes, so that they stay in proportion to the file
};

/// Where an accessor's elements lie.
struct Elements {
  const char* first = nullptr;
  size_t count = 0, stride = 0, components = 1;
  int64_t type = 0;
  bool normalised = false;

  double value(size_t i, size_t component) const {
    const char* at = first + i * stride;
    switch (type) {
      case int8:
        return scaled<int8_t>(at, component);
      case uint8:
        return scaled<uint8_t>(at, component);
      case int16:
        return scaled<int16_t>(at, component);
      case uint16:
        return scaled<uint16_t>(at, component);
      default:
        return static_cast<double>(raw<float>(at, component));
    }
  }

  uint32_t index(size_t i) const {
    uint32_t value = 0;
    // Little-endian: the low bytes come first.
    std::memcpy(&value, first + i * stride, type == uint8 ? 1 : type == uint16 ? 2 : 4);
    return value;
  }

 private:
  template <class T>
  static T raw(const char* at, size_t component) {
    T value;
    std::memcpy(&value, at + component * sizeof(T), sizeof value);
    return value;
  }
  template <class T>
  double scaled(const char* at, size_t component) const {
    const double value = static_cast<double>(raw<T>(at, component));
    return normalised ? std::max(value / static_cast<double>(std::numeric_limits<T>::max()), -1.0) : value;
  }
};

size_t component_bytes(const Document& document, int64_t type) {
  switch (type) {
    case int8:
    case uint8:
      return 1;
    case int16:
    case uint16:
      return 2;
    case uint32:
    case float32:
      return 4;
    default:
      document.broken(fmt::format("components of type {} are not supported", type));
  }
}

size_t components_of(const Document& document, const GlbJson& accessor) {
  const GlbJson type = accessor.value("type", GlbJson());
  for (const auto& [name, count] :
       {std::pair("SCALAR", 1), std::pair("VEC2", 2), std::pair("VEC3", 3), std::pair("VEC4", 4)})
    if (type == name) return static_cast<size_t>(count);
  document.broken("an accessor has an unsupported type");
}

Elements elements_of(const Document& document, int64_t accessor_index) {
  const GlbJson& accessor = document.entry("accessors", accessor_index);
  if (accessor.contains("sparse")) document.broken("sparse accessors are not supported");
  if (!accessor.contains("bufferView"))
    document.broken("an accessor has no data; this kind of compressed mesh is not supported");
  const int64_t view_index = document.number(accessor, "bufferView");
  const GlbJson& view = document.entry("bufferViews", view_index);
  const std::string_view bytes = document.view_bytes(view_index);
  Elements result;
  result.type = document.number(accessor, "componentType");
  result.count = static_cast<size_t>(document.number(accessor, "count"));
  result.components = components_of(document, accessor);
  result.normalised = accessor.value("normalized", GlbJson()) == true;
  const size_t element = result.components * component_bytes(document, result.type);
  result.stride = static_cast<size_t>(document.number(view, "byteStride", static_cast<int64_t>(element)));
  const auto offset = static_cast<size_t>(document.number(accessor, "byteOffset", 0));
  if (result.stride < element || result.count == 0 || offset > bytes.size() || element > bytes.size() - offset ||
      (result.count - 1) > (bytes.size() - offset - element) / result.stride)
    document.broken("an accessor reaches beyond its data");
  result.first = bytes.data() + offset;
  return result;
}

/// A place in the scene: columns of the matrix, and the last column.
struct Placement {
  Vec3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}, origin{};

  Vec3 turn(Vec3 p) const { return x * p.x + y * p.y + z * p.z; }
  Vec3 point(Vec3 p) const { return turn(p) + origin; }
  /// By the cofactors, so that it stays at right angles to the surface.
  Vec3 normal(Vec3 n) const { return cross(y, z) * n.x + cross(z, x) * n.y + cross(x, y) * n.z; }
  bool mirrors() const { return dot(x, cross(y, z)) < 0; }
};

Placement operator*(const Placement& a, const Placement& b) {
  return {a.turn(b.x), a.turn(b.y), a.turn(b.z), a.point(b.origin)};
}

Placement placement_of(const Document& document, const GlbJson& node) {
  Placement place;
  double m[16];
  if (document.numbers(node, "matrix", 16, m))
    return {{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}, {m[12], m[13], m[14]}};
  double t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
  document.numbers(node, "translation", 3, t);
  document.numbers(node, "rotation", 4, q);
  document.numbers(node, "scale", 3, s);
  const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(size > 0)) document.broken("a rotation is not valid");
  const double a = q[0] / size, b = q[1] / size, c = q[2] / size, w = q[3] / size;
  place.x = Vec3{1 - 2 * (b * b + c * c), 2 * (a * b + c * w), 2 * (a * c - b * w)} * s[0];
  place.y = Vec3{2 * (a * b - c * w), 1 - 2 * (a * a + c * c), 2 * (b * c + a * w)} * s[1];
  place.z = Vec3{2 * (a * c + b * w), 2 * (b * c - a * w), 1 - 2 * (a * a + b * b)} * s[2];
  place.origin = {t[0], t[1], t[2]};
  return place;
}

MeshPoint single(Vec3 v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

Vec3 vector_at(const Elements& elements, size_t i) {
  return {elements.value(i, 0), elements.value(i, 1), elements.value(i, 2)};
}

class GlbReader {
  using Names = std::vector<std::string>;

 public:
  GlbReader(std::string_view bytes, const std::string& path, const Context& context)
      : input_(path, "GLB", context),
        document_(bytes, input_),
        limit_(64.0 * static_cast<double>(bytes.size()) + (1 << 20)) {}

  Mesh read() && {
    const GlbJson& scenes = document_.list(document_.root(), "scenes");
    if (scenes.empty()) {
      for (size_t i = 0; i < document_.list(document_.root(), "meshes").size(); ++i)
        add_mesh(static_cast<int64_t>(i), Placement());
    } else {
      walk(document_.entry("scenes", document_.number(document_.root(), "scene", 0)));
    }
    return std::move(input_).finish(true);
  }

 private:
  /// A node on the way down.
  struct Step {
    int64_t node;
    Placement parent;
    int depth;
  };

  void walk(const GlbJson& scene) {
    std::vector<bool> seen(document_.list(document_.root(), "nodes").size(), false);
    std::vector<Step> steps;
    const auto push = [&](const GlbJson& nodes, const Placement& place, int depth) {
      if (depth > 256) document_.broken("its nodes are nested more than 256 deep");
      for (size_t i = nodes.size(); i-- > 0;) steps.push_back({document_.whole(nodes[i], "nodes"), place, depth});
      if (steps.size() > 2 * seen.size() + 1024) document_.broken("a node has two parents");
    };
    push(document_.list(scene, "nodes"), Placement(), 0);
    while (!steps.empty()) {
      const Step step = steps.back();
      steps.pop_back();
      const GlbJson& node = document_.entry("nodes", step.node);
      if (seen[static_cast<size_t>(step.node)]) document_.broken("a node has two parents");
      seen[static_cast<size_t>(step.node)] = true;
      const Placement place = step.parent * placement_of(document_, node);
      if (node.contains("mesh")) add_mesh(document_.number(node, "mesh"), place);
      push(document_.list(node, "children"), place, step.depth + 1);
    }
  }

  void add_mesh(int64_t index, const Placement& place) {
    const GlbJson& primitives = document_.list(document_.entry("meshes", index), "primitives");
    if (primitives.empty()) document_.broken("a mesh has no primitives");
    for (const GlbJson& primitive : primitives) add_primitive(primitive, place);
  }

  void add_primitive(const GlbJson& primitive, const Placement& place) {
    if (!primitive.is_object()) document_.broken("a mesh has no primitives");
    const int64_t mode = document_.number(primitive, "mode", list_mode);
    if (mode > fan_mode) document_.broken(fmt::format("primitives of mode {} are not supported", mode));
    if (mode < list_mode) return;
    const auto attributes = primitive.find("attributes");
    if (attributes == primitive.end() || !attributes->is_object()) document_.broken("a mesh has no positions");
    const Elements positions = elements_of(document_, document_.number(*attributes, "POSITION"));
    if (positions.components != 3 || positions.type == uint32) document_.broken("positions are not three numbers");
    const size_t base = input_.points();
    Elements indices;
    const bool indexed = primitive.contains("indices");
    if (indexed) {
      indices = elements_of(document_, document_.number(primitive, "indices"));
      if (indices.components != 1 || (indices.type != uint8 && indices.type != uint16 && indices.type != uint32))
        document_.broken("indices are not whole numbers");
    }
    const size_t corners = indexed ? indices.count : positions.count;
    // Many nodes and primitives may name the same data; what they add up to must stay in proportion to the file.
    made_ += 48.0 * static_cast<double>(positions.count) + 12.0 * static_cast<double>(corners);
    if (made_ > limit_) document_.broken("its meshes repeat the same data too often");
    input_.reserve(positions.count, mode == list_mode ? corners / 3 : corners);
    for (size_t i = 0; i < positions.count; ++i) input_.add_point(place.point(vector_at(positions, i)));
    add_own(*attributes, base, positions.count);
    add_extras(*attributes, base, positions.count, place);
    const auto corner = [&](size_t i) -> uint64_t {
      const uint64_t index = indexed ? indices.index(i) : i;
      if (index >= positions.count)
        document_.broken(fmt::format("corner {} is vertex {} of {}", i, index, positions.count));
      return base + index;
    };
    add_triangles(mode, corners, place.mirrors(), corner);
  }

  template <class Corner>
  void add_triangles(int64_t mode, size_t corners, bool mirrored, const Corner& corner) {
    if (mode == list_mode && corners % 3 != 0)
      document_.broken(fmt::format("{} corners do not make triangles", corners));
    const auto add = [&](uint64_t a, uint64_t b, uint64_t c) {
      mirrored ? input_.add_triangle(a, c, b) : input_.add_triangle(a, b, c);
    };
    for (size_t i = 2; i < corners; i += mode == list_mode ? 3 : 1) {
      if (mode == fan_mode)
        add(corner(0), corner(i - 1), corner(i));
      else if (mode == strip_mode && i % 2 == 1)
        add(corner(i - 1), corner(i - 2), corner(i));
      else
        add(corner(i - 2), corner(i - 1), corner(i));
    }
  }

  /// Numbers of vertices by names that begin with an underscore, single ones and weights that Tepui has packed; kept at
  /// the end if every primitive has them.
  void add_own(const GlbJson& attributes, size_t base, size_t count) {
    for (const auto& [key, accessor] : attributes.items()) {
      if (!key.starts_with('_')) continue;
      const std::string name = lower_case(key.substr(1));
      const std::vector<std::string> packed = name.starts_with("weights_") ? channels_of(accessor) : Names();
      const std::vector<std::string> names = packed.empty() ? Names{name} : packed;
      if (!std::ranges::all_of(names, is_attribute_name)) continue;
      const Elements found = elements_of(document_, document_.whole(accessor, "attributes"));
      if (found.type == uint32 || (packed.empty() ? found.components != 1 : found.components < names.size())) continue;
      if (found.count != count) document_.broken(fmt::format("{} does not fit the positions", name));
      for (size_t k = 0; k < names.size(); ++k) add_numbers(names[k], unit_of(accessor), found, k, base);
    }
  }

  void add_numbers(const std::string& name, const std::string& unit, const Elements& found, size_t component,
                   size_t base) {
    auto known = std::ranges::find(input_.attributes, name, &MeshAttribute::name);
    if (known == input_.attributes.end()) {
      if (base != 0 || input_.attributes.size() >= most_attributes) return;
      known = input_.attributes.insert(known, {name, unit});
    }
    if (known->values.size() != base) return;
    for (size_t i = 0; i < found.count; ++i) known->values.push_back(static_cast<float>(found.value(i, component)));
  }

  /// The names of attributes that are packed together; none where the file does not tell.
  Names channels_of(const GlbJson& accessor) const {
    const GlbJson& described = document_.entry("accessors", document_.whole(accessor, "attributes"));
    const auto extras = described.find("extras");
    if (extras == described.end() || !extras->is_object()) return {};
    const auto channels = extras->find("channels");
    if (channels == extras->end() || !channels->is_array() || channels->size() > 4) return {};
    Names names;
    for (const GlbJson& channel : *channels)
      if (channel.is_string()) names.push_back("weight_" + channel.get<std::string>());
    return names;
  }

  std::string unit_of(const GlbJson& accessor) const {
    const GlbJson& described = document_.entry("accessors", document_.whole(accessor, "attributes"));
    const auto extras = described.find("extras");
    if (extras == described.end() || !extras->is_object()) return {};
    const auto unit = extras->find("unit");
    const std::string text = unit != extras->end() && unit->is_string() ? unit->get<std::string>() : std::string();
    return is_attribute_unit(text) ? text : std::string();
  }

  /// Normals, texture coordinates and colours; kept at the end if every primitive has them.
  void add_extras(const GlbJson& attributes, size_t base, size_t count, const Placement& place) {
    const auto elements = [&](const char* name, size_t have, size_t least, size_t most) {
      Elements found;
      if (have != base || !attributes.contains(name)) return found;
      found = elements_of(document_, document_.number(attributes, name));
      if (found.components < least || found.components > most || found.count != count || found.type == uint32)
        document_.broken(fmt::format("{} does not fit the positions", name));
      return found;
    };
    const Elements normals = elements("NORMAL", input_.normals.size(), 3, 3);
    const Elements places = elements("TEXCOORD_0", input_.coordinates.size(), 2, 2);
    const Elements colours = elements("COLOR_0", input_.colours.size(), 3, 4);
    const auto byte = [](double linear) { return colour_byte(srgb_from_linear(std::clamp(linear, 0.0, 1.0))); };
    for (size_t i = 0; i < normals.count; ++i)
      input_.normals.push_back(single(place.normal(vector_at(normals, i)) * (place.mirrors() ? -1.0 : 1.0)));
    for (size_t i = 0; i < places.count; ++i)
      input_.coordinates.push_back({static_cast<float>(places.value(i, 0)), static_cast<float>(places.value(i, 1))});
    for (size_t i = 0; i < colours.count; ++i)
      input_.colours.push_back({byte(colours.value(i, 0)), byte(colours.value(i, 1)), byte(colours.value(i, 2)),
                                colours.components == 4 ? colour_byte(colours.value(i, 3)) : uint8_t{255}});
  }

  MeshInput input_;
  Document document_;
  double limit_, made_ = 0;
};

}  // namespace

Mesh parse_glb(std::string_view bytes, const std::string& path, const Context& context) {
  return GlbReader(bytes, path, context).read();
}

}  // namespace tepui
