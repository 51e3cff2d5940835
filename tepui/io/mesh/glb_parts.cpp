#include "tepui/io/mesh/glb_parts.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/core/srgb.h"
#include "tepui/io/mesh/mesh_output.h"
#include "tepui/mesh/sets.h"
#include "tepui/mesh/subset.h"

static_assert(std::endian::native == std::endian::little, "glTF buffers are little-endian and are written as they are");

namespace tepui {

namespace {

constexpr int type_int8 = 5120, type_uint8 = 5121, type_int16 = 5122, type_uint16 = 5123, type_uint32 = 5125,
              type_float = 5126;
constexpr double largest_int16 = 32767, largest_int8 = 127;
constexpr int64_t grain = 1 << 14;

MeshPoint y_up_normal(const MeshPoint& normal) {
  // glTF knows no unknown normals.
  return normal == MeshPoint{} ? MeshPoint{0, 1, 0} : y_up(normal);
}

/// Along the surface eastwards; north, up the picture, is then to its left.
std::array<float, 4> tangent_of(const MeshPoint& normal) {
  const double x = static_cast<double>(normal[0]), z = static_cast<double>(normal[2]), size = std::sqrt(x * x + z * z);
  const MeshPoint east =
      size > 0 ? MeshPoint{static_cast<float>(z / size), 0, static_cast<float>(-x / size)} : MeshPoint{1, 0, 0};
  const MeshPoint turned = y_up(east);
  return {turned[0], turned[1], turned[2], 1};
}

std::array<uint16_t, 4> linear_colour(const MeshColour& colour) {
  static const auto table = [] {
    std::array<uint16_t, 256> values{};
    for (size_t i = 0; i < 256; ++i)
      values[i] = static_cast<uint16_t>(65535 * linear_from_srgb(static_cast<double>(i) / 255) + 0.5);
    return values;
  }();
  return {table[colour[0]], table[colour[1]], table[colour[2]], static_cast<uint16_t>(colour[3] * 257)};
}

template <size_t n>
std::array<int8_t, 4> in_bytes(const std::array<float, n>& v) {
  std::array<int8_t, 4> result{};
  for (size_t k = 0; k < n; ++k) result[k] = static_cast<int8_t>(std::rint(static_cast<double>(v[k]) * largest_int8));
  return result;
}

std::array<int16_t, 4> in_words(const MeshPoint& p, const GlbLattice& lattice) {
  std::array<int16_t, 4> result{};
  // Halves go to the even multiple of the step, not to what is even from the middle: tiles with other middles agree.
  for (size_t k = 0; k < 3; ++k)
    result[k] = static_cast<int16_t>(std::rint(static_cast<double>(p[k]) / lattice.step) -
                                     std::rint(lattice.middle[k] / lattice.step));
  return result;
}

/// Makes what put(entry) gives of each entry that get(first, entries) gives.
template <class T, class Get, class Put>
auto maker(Get get, Put put) {
  return [get, put](int64_t begin, int64_t end, std::string& bytes) {
    std::vector<T> list(static_cast<size_t>(end - begin));
    get(begin, std::span<T>(list));
    for (const T& entry : list) append(bytes, put(entry));
  };
}

GlbPart position_part(const MeshSource& source, const GlbLattice& lattice) {
  const MeshSource::Facts& facts = source.facts();
  const auto get = [&source](int64_t first, std::span<MeshPoint> out) { source.positions(first, out); };
  GlbPart part{"POSITION", "", type_float, false, "VEC3", facts.vertices, 12, 12, {}, {}};
  const auto [low, high] = facts.bounds;
  const MeshPoint lower{low[0], low[2], 0.0f - high[1]}, upper{high[0], high[2], 0.0f - low[1]};
  for (size_t k = 0; k < 3; ++k)
    part.bounds[k] = static_cast<double>(lower[k]), part.bounds[3 + k] = static_cast<double>(upper[k]);
  part.make = maker<MeshPoint>(get, [](const MeshPoint& p) { return y_up(p); });
  if (lattice.step <= 0) return part;
  part.component_type = type_int16, part.element = 6, part.stride = 8;
  const auto low_words = in_words(lower, lattice), high_words = in_words(upper, lattice);
  for (size_t k = 0; k < 3; ++k) part.bounds[k] = low_words[k], part.bounds[3 + k] = high_words[k];
  part.make = maker<MeshPoint>(get, [lattice](const MeshPoint& p) { return in_words(y_up(p), lattice); });
  return part;
}

GlbPart normal_part(const MeshSource& source, bool small) {
  const auto get = [&source](int64_t first, std::span<MeshPoint> out) { source.normals(first, out); };
  GlbPart part{"NORMAL", "", type_float, false, "VEC3", source.facts().vertices, 12, 12, {}, {}};
  part.make = maker<MeshPoint>(get, y_up_normal);
  if (!small) return part;
  part.component_type = type_int8, part.normalised = true, part.element = 3, part.stride = 4;
  part.make = maker<MeshPoint>(get, [](const MeshPoint& n) { return in_bytes(y_up_normal(n)); });
  return part;
}

GlbPart tangent_part(const MeshSource& source, const GlbTangents& tangents, bool small) {
  if (!tangents.empty()) {
    GlbPart part{"TANGENT", "", type_float, false, "VEC4", source.facts().vertices, 16, 16, {}, {}};
    if (small) part.component_type = type_int8, part.normalised = true, part.element = part.stride = 4;
    part.make = [&tangents, small](int64_t begin, int64_t end, std::string& bytes) {
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
        const std::array<float, 4>& t = tangents[i];
        const MeshPoint turned = y_up({t[0], t[1], t[2]});
        const std::array<float, 4> whole{turned[0], turned[1], turned[2], t[3]};
        small ? append(bytes, in_bytes(whole)) : append(bytes, whole);
      }
    };
    return part;
  }
  const auto get = [&source](int64_t first, std::span<MeshPoint> out) { source.normals(first, out); };
  GlbPart part{"TANGENT", "", type_float, false, "VEC4", source.facts().vertices, 16, 16, {}, {}};
  part.make = maker<MeshPoint>(get, tangent_of);
  if (!small) return part;
  part.component_type = type_int8, part.normalised = true, part.element = part.stride = 4;
  part.make = maker<MeshPoint>(get, [](const MeshPoint& n) { return in_bytes(tangent_of(n)); });
  return part;
}

GlbPart colour_part(const MeshSource& source, bool small) {
  const auto get = [&source](int64_t first, std::span<MeshColour> out) { source.colours(first, out); };
  GlbPart part{"COLOR_0", "", type_uint16, true, "VEC4", source.facts().vertices, 8, 8, {}, {}};
  part.make = maker<MeshColour>(get, linear_colour);
  if (!small) return part;
  part.component_type = type_uint8, part.element = part.stride = 4;
  part.make = maker<MeshColour>(get, [](const MeshColour& colour) {
    MeshColour result{};
    for (size_t k = 0; k < 4; ++k) result[k] = static_cast<uint8_t>((linear_colour(colour)[k] + 128) / 257);
    return result;
  });
  return part;
}

GlbPart index_part(const MeshSource& source) {
  const MeshSource::Facts& facts = source.facts();
  const bool narrow = facts.vertices <= 65535;  // 65535 itself is not allowed as an index
  const size_t bytes = narrow ? 2 : 4;
  GlbPart part{"indices", "", narrow ? type_uint16 : type_uint32, false, "SCALAR", facts.triangles * 3, bytes, bytes,
               {},        {}};
  part.make = [&source, narrow](int64_t begin, int64_t end, std::string& out) {
    // Whole triangles; blocks of corners need not begin with one.
    const int64_t first = begin / 3, last = (end + 2) / 3;
    std::vector<MeshTriangle> list(static_cast<size_t>(last - first));
    source.triangles(first, list);
    for (int64_t i = begin; i < end; ++i) {
      const uint32_t corner = list[static_cast<size_t>(i / 3 - first)][static_cast<size_t>(i % 3)];
      narrow ? append(out, static_cast<uint16_t>(corner)) : append(out, corner);
    }
  };
  return part;
}

/// "_RESISTANCE", as glTF wants names of one's own.
std::string own_name(const std::string& name) {
  std::string result = "_";
  for (const char c : name) result += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return result;
}

constexpr std::string_view weight_prefix = "weight_";

/// Shares of the kinds of ground, four in four bytes, as shaders blend them: what is missing of the last four is 0.
GlbPart weights_part(const MeshSource& source, const std::vector<size_t>& which, size_t number) {
  GlbPart part{
      "_WEIGHTS_" + std::to_string(number), "", type_uint8, true, "VEC4", source.facts().vertices, 4, 4, {}, {}};
  for (const size_t one : which)
    part.channels.push_back(source.facts().attributes[one].name.substr(weight_prefix.size()));
  part.make = [&source, which](int64_t begin, int64_t end, std::string& bytes) {
    const auto count = static_cast<size_t>(end - begin);
    std::vector<std::array<uint8_t, 4>> packed(count, std::array<uint8_t, 4>{});
    std::vector<float> values(count);
    for (size_t k = 0; k < which.size(); ++k) {
      source.attribute(which[k], begin, values);
      for (size_t i = 0; i < count; ++i)
        packed[i][k] = static_cast<uint8_t>(255 * std::clamp(values[i], 0.0f, 1.0f) + 0.5f);
    }
    for (const auto& four : packed) append(bytes, four);
  };
  return part;
}

/// Attributes as parts: single numbers, and weights in fours.
void add_attributes(const MeshSource& source, std::vector<GlbPart>& parts) {
  const MeshSource::Facts& facts = source.facts();
  std::vector<size_t> weights;
  for (size_t which = 0; which < facts.attributes.size(); ++which) {
    const MeshSource::AttributeFacts& attribute = facts.attributes[which];
    if (attribute.name.starts_with(weight_prefix) && attribute.unit.empty()) {
      weights.push_back(which);
      continue;
    }
    const auto get = [&source, which](int64_t first, std::span<float> out) { source.attribute(which, first, out); };
    parts.push_back(
        {own_name(attribute.name), attribute.unit, type_float, false, "SCALAR", facts.vertices, 4, 4, {}, {}});
    parts.back().make = maker<float>(get, [](float v) { return v; });
  }
  for (size_t first = 0; first < weights.size(); first += 4) {
    const auto begin = weights.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = weights.begin() + static_cast<std::ptrdiff_t>(std::min(first + 4, weights.size()));
    parts.push_back(weights_part(source, {begin, end}, first / 4));
  }
}

/// All of a part.
std::string bytes_of(const GlbPart& part, const Context& context) {
  std::vector<std::string> pieces(static_cast<size_t>((part.count + grain - 1) / grain));
  parallel_chunks(part.count, grain, context, [&](int64_t begin, int64_t end) {
    part.make(begin, end, pieces[static_cast<size_t>(begin / grain)]);
  });
  std::string bytes;
  bytes.reserve(part.bytes());
  for (const std::string& piece : pieces) bytes += piece;
  return bytes;
}

}  // namespace

double glb_step(const MeshBox& bounds) {
  double size = 0;
  for (size_t k = 0; k < 3; ++k)
    size = std::max(size, static_cast<double>(bounds.high[k]) - static_cast<double>(bounds.low[k]));
  if (!(size > 0)) return 1;
  // Room for the middle, which is rounded to a step.
  int exponent = 0;
  const double mantissa = std::frexp(size / (2 * largest_int16 - 2), &exponent);
  return std::ldexp(1.0, mantissa > 0.5 ? exponent : exponent - 1);
}

GlbLattice glb_lattice(const MeshBox& bounds, double least_step) {
  GlbLattice lattice;
  lattice.step = std::max(least_step, glb_step(bounds));
  const auto middle = [&](double low, double high) {
    return std::rint(0.5 * (low + high) / lattice.step) * lattice.step;
  };
  const auto side = [&](size_t k) {
    return middle(static_cast<double>(bounds.low[k]), static_cast<double>(bounds.high[k]));
  };
  lattice.middle = {side(0), side(2), 0 - side(1)};
  return lattice;
}

Mesh on_lattice(const Mesh& mesh, double least_step) {
  const GlbLattice lattice = glb_lattice(StoredMesh(mesh).facts().bounds, least_step);
  const auto place = [&](uint32_t v) { return in_words(y_up(mesh.positions()[v]), lattice); };
  Sets corners(mesh.positions().size());
  bool joined = false;
  for (const MeshTriangle& t : mesh.triangles())
    for (size_t k = 0; k < 3; ++k)
      if (const uint32_t a = t[k], b = t[(k + 1) % 3]; place(a) == place(b)) corners.join(a, b), joined = true;
  if (!joined) return mesh;
  std::vector<MeshTriangle> left;
  for (const MeshTriangle& t : mesh.triangles()) {
    const MeshTriangle c{corners.find(t[0]), corners.find(t[1]), corners.find(t[2])};
    if (c[0] != c[1] && c[1] != c[2] && c[2] != c[0]) left.push_back(c);
  }
  return subset(mesh, left);
}

std::vector<GlbPart> glb_parts(const MeshSource& source, const GlbLattice& lattice, const GlbTangents* tangents) {
  const MeshSource::Facts& facts = source.facts();
  const bool small = lattice.step > 0;
  std::vector<GlbPart> parts{position_part(source, lattice)};
  if (facts.normals) parts.push_back(normal_part(source, small));
  if (tangents != nullptr) parts.push_back(tangent_part(source, *tangents, small));
  if (facts.coordinates) {
    const auto get = [&source](int64_t first, std::span<MeshCoordinate> out) { source.coordinates(first, out); };
    parts.push_back({"TEXCOORD_0", "", type_float, false, "VEC2", facts.vertices, 8, 8, {}, {}});
    parts.back().make = maker<MeshCoordinate>(get, [](const MeshCoordinate& c) { return c; });
  }
  if (facts.colours) parts.push_back(colour_part(source, small));
  add_attributes(source, parts);
  parts.push_back(index_part(source));
  return parts;
}

std::string compressed(const GlbPart& part, const Context& context) {
  // The versions that the extension tells of; they hold for all of the program.
  static const bool ready = [] {
    meshopt_encodeIndexVersion(1);
    meshopt_encodeVertexVersion(0);
    return true;
  }();
  const std::string bytes = bytes_of(part, context);
  const auto count = static_cast<size_t>(part.count);
  std::string result;
  const auto begin = [&](size_t bound) {
    result.resize(ready ? bound : 0);
    return reinterpret_cast<unsigned char*>(result.data());
  };
  size_t size = 0;
  if (part.is_indices()) {
    std::vector<uint32_t> corners(count);
    for (size_t i = 0; i < count; ++i) std::memcpy(&corners[i], bytes.data() + i * part.stride, part.stride);
    const size_t most = *std::max_element(corners.begin(), corners.end());
    unsigned char* buffer = begin(meshopt_encodeIndexBufferBound(count, most + 1));
    size = meshopt_encodeIndexBuffer(buffer, result.size(), corners.data(), count);
  } else {
    unsigned char* buffer = begin(meshopt_encodeVertexBufferBound(count, part.stride));
    size = meshopt_encodeVertexBuffer(buffer, result.size(), bytes.data(), count, part.stride);
  }
  if (size == 0) fail("a mesh could not be compressed");
  result.resize(size);
  return result;
}

}  // namespace tepui
