#include "tepui/core/error.h"
#include "tepui/graph/cache_bytes.h"
#include "tepui/graph/columns.h"
#include "tepui/graph/kept_kinds.h"
#include "tepui/mesh/mesh.h"

namespace tepui {

namespace {

/// The mesh's arrays, in the order in which they are kept.
template <class Data, class Visit>
void each_array(Data& data, const Visit& visit) {
  visit(data.positions);
  visit(data.triangles);
  visit(data.normals);
  visit(data.coordinates);
  visit(data.colours);
  for (auto& attribute : data.attributes) visit(attribute.values);
}

std::vector<PartBytes> parts_of_mesh(const Value& value) {
  std::vector<PartBytes> parts;
  each_array(get<Mesh>(value).data(), [&](const auto& array) { parts.push_back(column_bytes(array)); });
  return parts;
}

std::string outline_of_mesh(const Value& value, const std::vector<Part>&) {
  const MeshData& data = get<Mesh>(value).data();
  ByteWriter w;
  w.put(data.centre);
  w.word(data.attributes.size());
  for (const MeshAttribute& attribute : data.attributes) {
    w.put(attribute.name);
    w.put(attribute.unit);
  }
  return std::move(w.bytes());
}

std::optional<Value> restore_mesh(std::string_view text, const std::vector<Part>& parts, const PartReader& read) {
  ByteReader r(text);
  MeshData data;
  data.centre = r.triple();
  for (size_t left = r.count(); left > 0 && r.sound(); --left) {
    MeshAttribute attribute;
    attribute.name = r.text();
    attribute.unit = r.text();
    data.attributes.push_back(std::move(attribute));
  }
  return restore_columns<Mesh>(r, std::move(data), parts, read,
                               [](auto& whole, const auto& take) { each_array(whole, take); });
}

}  // namespace

Kind kept_mesh(Kind row) {
  row.parts = parts_of_mesh;
  row.outline = outline_of_mesh;
  row.restore = restore_mesh;
  return row;
}

}  // namespace tepui
