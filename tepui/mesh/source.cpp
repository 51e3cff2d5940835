#include "tepui/mesh/source.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tepui {

namespace {

template <class T>
void copy_part(std::span<const T> list, int64_t first, std::span<T> out) {
  std::ranges::copy(list.subspan(static_cast<size_t>(first), out.size()), out.begin());
}

}  // namespace

void MeshSource::attribute(size_t, int64_t, std::span<float> out) const { std::ranges::fill(out, 0.0f); }

StoredMesh::StoredMesh(Mesh mesh) : mesh_(std::move(mesh)) {
  facts_ = {mesh_.centre(),
            static_cast<int64_t>(mesh_.positions().size()),
            static_cast<int64_t>(mesh_.triangles().size()),
            mesh_.bounds(),
            !mesh_.normals().empty(),
            !mesh_.coordinates().empty(),
            !mesh_.colours().empty()};
  for (const MeshAttribute& attribute : mesh_.attributes())
    facts_.attributes.push_back({attribute.name, attribute.unit});
}

void StoredMesh::positions(int64_t first, std::span<MeshPoint> out) const { copy_part(mesh_.positions(), first, out); }
void StoredMesh::normals(int64_t first, std::span<MeshPoint> out) const { copy_part(mesh_.normals(), first, out); }
void StoredMesh::coordinates(int64_t first, std::span<MeshCoordinate> out) const {
  copy_part(mesh_.coordinates(), first, out);
}
void StoredMesh::colours(int64_t first, std::span<MeshColour> out) const { copy_part(mesh_.colours(), first, out); }
void StoredMesh::triangles(int64_t first, std::span<MeshTriangle> out) const {
  copy_part(mesh_.triangles(), first, out);
}
void StoredMesh::attribute(size_t which, int64_t first, std::span<float> out) const {
  copy_part(std::span<const float>(mesh_.attributes()[which].values), first, out);
}

LandMesh::LandMesh(const Terrain& land) : land_(land), z_(land_.height()), cell_(land_.frame().cell) {
  const Frame& frame = land_.frame();
  assert(frame.width >= 2 && frame.height >= 2);
  facts_.centre = {0.5 * (frame.x(0) + frame.x(frame.width - 1)), 0.5 * (frame.y(0) + frame.y(frame.height - 1)), 0};
  facts_.vertices = z_.size();
  facts_.triangles = 2 * (z_.width() - 1) * (z_.height() - 1);
  facts_.normals = facts_.coordinates = true;
  MeshPoint south_west, north_east;
  positions(0, {&south_west, 1});
  positions(z_.size() - 1, {&north_east, 1});
  const auto [low, high] = std::minmax_element(z_.cells().begin(), z_.cells().end());
  facts_.bounds = {{south_west[0], south_west[1], *low}, {north_east[0], north_east[1], *high}};
}

void LandMesh::positions(int64_t first, std::span<MeshPoint> out) const {
  const double middle_x = 0.5 * static_cast<double>(z_.width() - 1),
               middle_y = 0.5 * static_cast<double>(z_.height() - 1);
  int64_t x = first % z_.width(), y = first / z_.width();
  for (MeshPoint& point : out) {
    point = {static_cast<float>((static_cast<double>(x) - middle_x) * cell_.x),
             static_cast<float>((static_cast<double>(y) - middle_y) * cell_.y), z_(x, y)};
    if (++x == z_.width()) x = 0, ++y;
  }
}

void LandMesh::normals(int64_t first, std::span<MeshPoint> out) const {
  int64_t x = first % z_.width(), y = first / z_.width();
  for (MeshPoint& normal : out) {
    // From central differences; one-sided at the rim.
    const int64_t x0 = std::max<int64_t>(x - 1, 0), x1 = std::min(x + 1, z_.width() - 1);
    const int64_t y0 = std::max<int64_t>(y - 1, 0), y1 = std::min(y + 1, z_.height() - 1);
    const double dx = (at(x1, y) - at(x0, y)) / (static_cast<double>(x1 - x0) * cell_.x);
    const double dy = (at(x, y1) - at(x, y0)) / (static_cast<double>(y1 - y0) * cell_.y);
    const double size = std::sqrt(dx * dx + dy * dy + 1);
    normal = {static_cast<float>(-dx / size), static_cast<float>(-dy / size), static_cast<float>(1 / size)};
    if (++x == z_.width()) x = 0, ++y;
  }
}

void LandMesh::coordinates(int64_t first, std::span<MeshCoordinate> out) const {
  const double width = static_cast<double>(z_.width()), height = static_cast<double>(z_.height());
  int64_t x = first % z_.width(), y = first / z_.width();
  for (MeshCoordinate& place : out) {
    place = {static_cast<float>((static_cast<double>(x) + 0.5) / width),
             static_cast<float>((static_cast<double>(z_.height() - 1 - y) + 0.5) / height)};
    if (++x == z_.width()) x = 0, ++y;
  }
}

void LandMesh::colours(int64_t, std::span<MeshColour> out) const { std::ranges::fill(out, MeshColour{}); }

void LandMesh::triangles(int64_t first, std::span<MeshTriangle> out) const {
  const int64_t cells = z_.width() - 1;
  int64_t x = first / 2 % cells, y = first / 2 / cells;
  bool second = first % 2 == 1;
  for (MeshTriangle& triangle : out) {
    const auto sw = static_cast<uint32_t>(y * z_.width() + x), se = sw + 1;
    const auto nw = static_cast<uint32_t>(sw + z_.width()), ne = nw + 1;
    // Both diagonals are as long in plan.
    if (std::abs(at(x + 1, y + 1) - at(x, y)) <= std::abs(at(x, y + 1) - at(x + 1, y)))
      triangle = second ? MeshTriangle{sw, ne, nw} : MeshTriangle{sw, se, ne};
    else
      triangle = second ? MeshTriangle{se, ne, nw} : MeshTriangle{sw, se, nw};
    if (second && ++x == cells) x = 0, ++y;
    second = !second;
  }
}

Mesh gather(const MeshSource& source) {
  const MeshSource::Facts& facts = source.facts();
  const auto vertices = static_cast<size_t>(facts.vertices);
  MeshData data;
  data.centre = facts.centre;
  data.positions.resize(vertices);
  source.positions(0, data.positions);
  data.triangles.resize(static_cast<size_t>(facts.triangles));
  source.triangles(0, data.triangles);
  if (facts.normals) data.normals.resize(vertices), source.normals(0, data.normals);
  if (facts.coordinates) data.coordinates.resize(vertices), source.coordinates(0, data.coordinates);
  if (facts.colours) data.colours.resize(vertices), source.colours(0, data.colours);
  for (const MeshSource::AttributeFacts& attribute : facts.attributes) {
    data.attributes.push_back({attribute.name, attribute.unit, std::vector<float>(vertices)});
    source.attribute(data.attributes.size() - 1, 0, data.attributes.back().values);
  }
  return Mesh(std::move(data));
}

}  // namespace tepui
