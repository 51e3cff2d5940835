#include "tepui/mesh/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"

namespace tepui {

namespace {

constexpr int64_t grain = 1 << 16;

void require(bool sound, const char* what) {
  if (!sound) fail(fmt::format("invalid mesh: {}", what));
}

bool is_finite(const MeshPoint& p) { return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]); }

template <class Test>
void require_all(size_t count, const char* what, const Test& test) {
  const int sound = parallel_reduce(
      static_cast<int64_t>(count), grain, Context(), 1,
      [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          if (!test(static_cast<size_t>(i))) return 0;
        return 1;
      },
      [](int a, int b) { return a & b; });
  require(sound == 1, what);
}

MeshBox join(const MeshBox& a, const MeshBox& b) {
  MeshBox box;
  for (size_t k = 0; k < 3; ++k)
    box.low[k] = std::min(a.low[k], b.low[k]), box.high[k] = std::max(a.high[k], b.high[k]);
  return box;
}

MeshBox bounds_of(const std::vector<MeshPoint>& positions) {
  if (positions.empty()) return {};
  return parallel_reduce(
      static_cast<int64_t>(positions.size()), grain, Context(), MeshBox{positions.front(), positions.front()},
      [&](int64_t begin, int64_t end) {
        const MeshPoint& first = positions[static_cast<size_t>(begin)];
        MeshBox box{first, first};
        for (int64_t i = begin + 1; i < end; ++i) {
          const MeshPoint& p = positions[static_cast<size_t>(i)];
          for (size_t k = 0; k < 3; ++k)
            box.low[k] = std::min(box.low[k], p[k]), box.high[k] = std::max(box.high[k], p[k]);
        }
        return box;
      },
      join);
}

MeshPoint unit(const MeshPoint& normal) {
  const Vec3 n = to_vec(normal);
  const double size = length(n);
  if (!std::isfinite(size) || size < 1e-30) return {};
  // What has unit length but for rounding keeps its bits.
  if (std::abs(size - 1) < 1.2e-7) return normal;
  return {static_cast<float>(n.x / size), static_cast<float>(n.y / size), static_cast<float>(n.z / size)};
}

void require_attributes(const std::vector<MeshAttribute>& attributes, size_t count) {
  require(attributes.size() <= most_attributes, "it has more than 16 attributes");
  for (size_t i = 0; i < attributes.size(); ++i) {
    require(is_attribute_name(attributes[i].name), "an attribute has a name that files cannot hold");
    require(is_attribute_unit(attributes[i].unit), "an attribute has a unit that files cannot hold");
    require(attributes[i].values.size() == count, "not every vertex has a value of an attribute");
    for (size_t k = 0; k < i; ++k) require(attributes[k].name != attributes[i].name, "two attributes share a name");
  }
}

template <class T>
Hash hash_of(const std::vector<T>& list) {
  return hash_large(list.data(), list.size() * sizeof(T));
}

}  // namespace

bool is_attribute_name(std::string_view name) {
  // Those of a PLY's vertices, which share their names with attributes.
  static constexpr std::string_view taken[] = {
      "x",           "y",    "z",     "nx", "ny", "nz", "s", "t",         "u",         "v",           "red",
      "green",       "blue", "alpha", "r",  "g",  "b",  "a", "texture_u", "texture_v", "diffuse_red", "diffuse_green",
      "diffuse_blue"};
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  if (name.empty() || name.size() > 32 || !is_letter(name.front())) return false;
  if (!std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; }))
    return false;
  return std::ranges::find(taken, name) == std::end(taken);
}

bool is_attribute_unit(std::string_view unit) {
  const auto is_plain = [](char c) { return c > ' ' && c <= '~'; };
  return unit.size() <= 32 && std::ranges::all_of(unit, is_plain);
}

Mesh::Mesh() : data_(std::make_shared<const MeshData>()) {}

Mesh::Mesh(MeshData data) {
  const size_t count = data.positions.size();
  require(count <= UINT32_MAX, "it has more than 2^32 vertices");
  require(std::isfinite(data.centre.x) && std::isfinite(data.centre.y) && std::isfinite(data.centre.z),
          "its centre is not finite");
  require(data.normals.empty() || data.normals.size() == count, "not every vertex has a normal");
  require(data.coordinates.empty() || data.coordinates.size() == count, "not every vertex has texture coordinates");
  require(data.colours.empty() || data.colours.size() == count, "not every vertex has a colour");
  require_attributes(data.attributes, count);
  require_all(count, "a position is not finite", [&](size_t i) { return is_finite(data.positions[i]); });
  require_all(data.triangles.size(), "a corner names no vertex", [&](size_t i) {
    const MeshTriangle& t = data.triangles[i];
    return t[0] < count && t[1] < count && t[2] < count;
  });
  parallel_chunks(static_cast<int64_t>(count), grain, Context(), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      for (float& v : data.positions[static_cast<size_t>(i)]) v += 0.0f;
      if (!data.normals.empty()) data.normals[static_cast<size_t>(i)] = unit(data.normals[static_cast<size_t>(i)]);
      if (!data.coordinates.empty())
        for (float& v : data.coordinates[static_cast<size_t>(i)]) v = std::isfinite(v) ? v : 0;
      for (MeshAttribute& attribute : data.attributes)
        if (float& v = attribute.values[static_cast<size_t>(i)]; !std::isfinite(v)) v = 0;
    }
  });
  bounds_ = bounds_of(data.positions);
  data_ = std::make_shared<const MeshData>(std::move(data));
}

const MeshAttribute* Mesh::attribute(std::string_view name) const {
  const auto found = std::ranges::find(data_->attributes, name, &MeshAttribute::name);
  return found != data_->attributes.end() ? &*found : nullptr;
}

std::array<Vec3, 2> Mesh::world_bounds() const {
  return {data_->centre + to_vec(bounds_.low), data_->centre + to_vec(bounds_.high)};
}

size_t Mesh::bytes() const {
  size_t bytes = sizeof(MeshData) + data_->positions.size() * sizeof(MeshPoint) +
                 data_->triangles.size() * sizeof(MeshTriangle) + data_->normals.size() * sizeof(MeshPoint) +
                 data_->coordinates.size() * sizeof(MeshCoordinate) + data_->colours.size() * sizeof(MeshColour);
  for (const MeshAttribute& attribute : data_->attributes)
    bytes += sizeof(MeshAttribute) + attribute.values.size() * sizeof(float);
  return bytes;
}

Hash Mesh::hash() const {
  Hasher hasher;
  hasher.add("mesh").add(data_->centre.x).add(data_->centre.y).add(data_->centre.z);
  hasher.add(hash_of(data_->positions)).add(hash_of(data_->triangles)).add(hash_of(data_->normals));
  hasher.add(hash_of(data_->coordinates)).add(hash_of(data_->colours));
  for (const MeshAttribute& attribute : data_->attributes)
    hasher.add(attribute.name).add(attribute.unit).add(hash_of(attribute.values));
  return hasher.finish();
}

}  // namespace tepui
