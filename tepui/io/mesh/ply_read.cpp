#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>

#include "tepui/core/number.h"
#include "tepui/io/mesh/mesh_input.h"
#include "tepui/io/mesh/ply.h"

static_assert(std::endian::native == std::endian::little, "the numbers of little-endian files are read as they are");

namespace tepui {

namespace {

enum class Type { int8, uint8, int16, uint16, int32, uint32, float32, float64 };
constexpr size_t type_bytes[] = {1, 1, 2, 2, 4, 4, 4, 8};
constexpr double type_top[] = {127, 255, 32767, 65535, 2147483647.0, 4294967295.0, 1, 1};

bool is_whole(Type type) { return type < Type::float32; }

std::optional<Type> type_of(std::string_view name) {
  static constexpr std::string_view names[][2] = {{"char", "int8"},     {"uchar", "uint8"},   {"short", "int16"},
                                                  {"ushort", "uint16"}, {"int", "int32"},     {"uint", "uint32"},
                                                  {"float", "float32"}, {"double", "float64"}};
  for (size_t i = 0; i < std::size(names); ++i)
    if (name == names[i][0] || name == names[i][1]) return static_cast<Type>(i);
  return std::nullopt;
}

struct Property {
  std::string name;
  Type type = Type::float32;
  std::optional<Type> count{};  ///< of a list: the type of its length
};

struct Element {
  std::string name;
  uint64_t count = 0;
  std::vector<Property> properties;
};

enum class Encoding { text, little, big };

/// The part of the file after the header, number by number.
class Numbers {
 public:
  Numbers(std::string_view bytes, Encoding encoding, const MeshInput& input)
      : bytes_(bytes), encoding_(encoding), input_(input) {}

  size_t left() const { return bytes_.size() - at_; }
  /// Bytes that a number of this type takes at least.
  size_t least(Type type) const { return encoding_ == Encoding::text ? 1 : type_bytes[static_cast<size_t>(type)]; }

  double next(Type type) { return encoding_ == Encoding::text ? word() : binary(type); }

  void skip(uint64_t count, Type type) {
    if (encoding_ == Encoding::text) {
      for (uint64_t i = 0; i < count; ++i) word();
      return;
    }
    const size_t each = type_bytes[static_cast<size_t>(type)];
    if (count > left() / each) ends();
    at_ += static_cast<size_t>(count) * each;
  }

 private:
  [[noreturn]] void ends() const { input_.broken("the file ends too early"); }

  double word() {
    const auto blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
    while (at_ < bytes_.size() && blank(bytes_[at_])) ++at_;
    const size_t first = at_;
    while (at_ < bytes_.size() && !blank(bytes_[at_])) ++at_;
    if (first == at_) ends();
    const std::optional<double> value = parse_number(bytes_.substr(first, at_ - first));
    if (!value) input_.broken("a number is damaged");
    return *value;
  }

  template <class T>
  double as(const char* bytes) const {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<double>(value);
  }

  double binary(Type type) {
    const size_t size = type_bytes[static_cast<size_t>(type)];
    if (size > left()) ends();
    char bytes[8];
    std::memcpy(bytes, bytes_.data() + at_, size);
    at_ += size;
    if (encoding_ == Encoding::big) std::reverse(bytes, bytes + size);
    switch (type) {
      case Type::int8:
        return as<int8_t>(bytes);
      case Type::uint8:
        return as<uint8_t>(bytes);
      case Type::int16:
        return as<int16_t>(bytes);
      case Type::uint16:
        return as<uint16_t>(bytes);
      case Type::int32:
        return as<int32_t>(bytes);
      case Type::uint32:
        return as<uint32_t>(bytes);
      case Type::float32:
        return as<float>(bytes);
      case Type::float64:
        return as<double>(bytes);
    }
    return 0;
  }

  std::string_view bytes_;
  Encoding encoding_;
  const MeshInput& input_;
  size_t at_ = 0;
};

/// What a property of a vertex is for.
enum Role { x, y, z, nx, ny, nz, s, t, red, green, blue, alpha, role_count };

Role role_of(const std::string& name) {
  static constexpr std::string_view names[] = {"x", "y", "z",   "nx",    "ny",   "nz",
                                               "s", "t", "red", "green", "blue", "alpha"};
  static constexpr std::pair<std::string_view, Role> others[] = {
      {"u", s},   {"v", t},     {"texture_u", s}, {"texture_v", t},      {"diffuse_red", red}, {"diffuse_green", green},
      {"r", red}, {"g", green}, {"b", blue},      {"diffuse_blue", blue}};
  for (size_t i = 0; i < std::size(names); ++i)
    if (name == names[i]) return static_cast<Role>(i);
  for (const auto& [other, role] : others)
    if (name == other) return role;
  return role_count;
}

class PlyReader {
 public:
  PlyReader(std::string_view bytes, const std::string& path, const Context& context)
      : rest_(bytes), input_(path, "PLY", context) {}

  Mesh read() && {
    read_header();
    Numbers numbers(rest_, encoding_, input_);
    for (const Element& element : elements_) {
      require_room(element, numbers);
      if (element.name == "vertex")
        read_vertices(element, numbers);
      else if (element.name == "face")
        read_faces(element, numbers);
      else
        skip(element, numbers);
    }
    return std::move(input_).finish(false);
  }

 private:
  std::string_view line() {
    const size_t end = rest_.find('\n');
    if (end == std::string_view::npos || end > 4096) input_.broken("its header does not end");
    std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
    return text;
  }

  static std::string_view word(std::string_view& text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    const size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view result = text.substr(0, end);
    text.remove_prefix(end);
    return result;
  }

  void read_header() {
    if (!rest_.starts_with("ply")) input_.broken("it does not begin with 'ply'");
    if (line() != "ply") input_.broken("it does not begin with 'ply'");
    bool formatted = false;
    for (int lines = 0;; ++lines) {
      if (lines > 10000) input_.broken("its header does not end");
      std::string_view text = line();
      const std::string_view keyword = word(text);
      if (keyword == "end_header") break;
      if (keyword == "format") {
        read_format(word(text));
        formatted = true;
      } else if (keyword == "element") {
        add_element(text);
      } else if (keyword == "property") {
        add_property(text);
      } else if (keyword == "comment") {
        note_unit(text);
      } else if (keyword != "obj_info" && !keyword.empty()) {
        input_.broken("its header has an unknown line");
      }
    }
    if (!formatted) input_.broken("its header does not name the format");
    const auto is_vertex = [](const Element& element) { return element.name == "vertex"; };
    if (std::ranges::count_if(elements_, is_vertex) != 1) input_.broken("it has no vertices");
    for (const Element& element : elements_)
      if (element.name == "tristrips" && element.count > 0) input_.broken("triangle strips are not supported");
  }

  /// "unit of layer: m", as ply.cpp writes it.
  void note_unit(std::string_view text) {
    if (word(text) != "unit" || word(text) != "of") return;
    std::string_view name = word(text);
    const std::string_view unit = word(text);
    if (!name.ends_with(':')) return;
    name.remove_suffix(1);
    if (is_attribute_name(name) && is_attribute_unit(unit) && units_.size() < most_attributes)
      units_.emplace(name, unit);
  }

  void read_format(std::string_view name) {
    if (name == "ascii")
      encoding_ = Encoding::text;
    else if (name == "binary_little_endian")
      encoding_ = Encoding::little;
    else if (name == "binary_big_endian")
      encoding_ = Encoding::big;
    else
      input_.broken("its format must be ascii, binary_little_endian or binary_big_endian");
  }

  void add_element(std::string_view text) {
    Element element;
    element.name = word(text);
    const std::string_view count = word(text);
    const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), element.count);
    if (error != std::errc() || end != count.data() + count.size() || element.name.empty())
      input_.broken("an element of its header has no name or no count");
    if (elements_.size() >= 64) input_.broken("it has more than 64 elements");
    elements_.push_back(std::move(element));
  }

  void add_property(std::string_view text) {
    if (elements_.empty()) input_.broken("a property comes before the first element");
    Property property;
    std::string_view type = word(text);
    if (type == "list") {
      property.count = type_of(word(text));
      if (!property.count || !is_whole(*property.count)) input_.broken("the length of a list is not a whole number");
      type = word(text);
    }
    if (!type_of(type)) input_.broken("a property has no known type");
    property.type = *type_of(type);
    property.name = word(text);
    if (elements_.back().properties.size() >= 256) input_.broken("an element has more than 256 properties");
    elements_.back().properties.push_back(std::move(property));
  }

  /// What the header claims must fit into the file before anything is made of it.
  void require_room(const Element& element, const Numbers& numbers) const {
    size_t each = 0;
    for (const Property& property : element.properties) each += numbers.least(property.count.value_or(property.type));
    if (each > 0 && element.count > numbers.left() / each)
      input_.broken(
          fmt::format("it claims to have {} of '{}', but ends before them", element.count, shown(element.name)));
  }

  static std::string shown(std::string text) {
    text.resize(std::min<size_t>(text.size(), 40));
    for (char& c : text)
      if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126) c = '?';
    return text;
  }

  uint64_t list_length(const Property& property, Numbers& numbers) const {
    const double length = numbers.next(*property.count);
    if (!(length >= 0 && length <= 4294967295.0) || length != std::floor(length))
      input_.broken("the length of a list is not a whole number");
    return static_cast<uint64_t>(length);
  }

  void skip(const Element& element, Numbers& numbers) const {
    // Without properties there is nothing to skip, however many there are.
    if (element.properties.empty()) return;
    for (uint64_t i = 0; i < element.count; ++i)
      for (const Property& property : element.properties)
        numbers.skip(property.count ? list_length(property, numbers) : 1, property.type);
  }

  /// Of every property the attribute that it becomes, -1 for none.
  std::vector<int> attributes_of(const Element& element) {
    std::vector<int> slots;
    for (const Property& property : element.properties) {
      const bool known =
          std::ranges::find(input_.attributes, property.name, &MeshAttribute::name) != input_.attributes.end();
      const bool fits =
          !property.count && !known && is_attribute_name(property.name) && input_.attributes.size() < most_attributes;
      slots.push_back(fits ? static_cast<int>(input_.attributes.size()) : -1);
      if (fits) input_.attributes.push_back({property.name, units_[property.name]});
    }
    return slots;
  }

  void read_vertices(const Element& element, Numbers& numbers) {
    std::vector<Role> roles;
    std::array<bool, role_count + 1> has{};
    std::array<double, role_count + 1> top{};
    for (const Property& property : element.properties) {
      roles.push_back(property.count ? role_count : role_of(property.name));
      has[roles.back()] = true;
      top[roles.back()] = type_top[static_cast<size_t>(property.type)];
    }
    if (!has[x] || !has[y] || !has[z]) input_.broken("its vertices have no x, y and z");
    const bool with_normals = has[nx] && has[ny] && has[nz], with_places = has[s] && has[t],
               with_colours = has[red] && has[green] && has[blue];
    const std::vector<int> slots = attributes_of(element);
    // As many as that are in the file, if every number of it takes its bytes.
    if (encoding_ != Encoding::text) input_.reserve(element.count, 0);
    std::array<double, role_count + 1> v{};
    v[alpha] = top[alpha] = has[alpha] ? top[alpha] : 1;
    const auto single = [&](Role role) { return static_cast<float>(v[role]); };
    const auto byte = [&](Role role) { return colour_byte(v[role] / top[role]); };
    for (uint64_t i = 0; i < element.count; ++i) {
      for (size_t k = 0; k < roles.size(); ++k) {
        const Property& property = element.properties[k];
        if (property.count)
          numbers.skip(list_length(property, numbers), property.type);
        else
          v[roles[k]] = numbers.next(property.type);
        if (slots[k] >= 0)
          input_.attributes[static_cast<size_t>(slots[k])].values.push_back(static_cast<float>(v[role_count]));
      }
      input_.add_point({v[x], v[y], v[z]});
      if (with_normals) input_.normals.push_back({single(nx), single(ny), single(nz)});
      if (with_places) input_.coordinates.push_back({single(s), static_cast<float>(1 - v[t])});
      if (with_colours) input_.colours.push_back({byte(red), byte(green), byte(blue), byte(alpha)});
    }
  }

  void read_faces(const Element& element, Numbers& numbers) {
    if (element.properties.empty()) return;
    std::vector<uint64_t> corners;
    const auto is_corners = [](const Property& p) {
      return p.count && (p.name == "vertex_indices" || p.name == "vertex_index");
    };
    if (std::ranges::none_of(element.properties, is_corners)) input_.broken("its faces have no 'vertex_indices'");
    if (encoding_ != Encoding::text) input_.reserve(0, element.count);
    for (uint64_t i = 0; i < element.count; ++i)
      for (const Property& property : element.properties) {
        const uint64_t length = property.count ? list_length(property, numbers) : 1;
        if (!is_corners(property)) {
          numbers.skip(length, property.type);
          continue;
        }
        if (length > numbers.left()) input_.broken("the file ends too early");
        corners.clear();
        for (uint64_t k = 0; k < length; ++k) {
          const double index = numbers.next(property.type);
          if (!(index >= 0 && index <= 4294967295.0) || index != std::floor(index))
            input_.broken(fmt::format("face {} names vertex {}", i, index));
          corners.push_back(static_cast<uint64_t>(index));
        }
        input_.add_polygon(corners);
      }
  }

  std::string_view rest_;
  MeshInput input_;
  Encoding encoding_ = Encoding::text;
  std::vector<Element> elements_;
  std::map<std::string, std::string, std::less<>> units_;
};

}  // namespace

Mesh parse_ply(std::string_view bytes, const std::string& path, const Context& context) {
  return PlyReader(bytes, path, context).read();
}

}  // namespace tepui
