#include "tepui/planet/fine_land.h"

namespace tepui {

namespace {

template <class... Lists>
size_t bytes_of(const Lists&... lists) {
  return ((lists.size() * sizeof(lists[0])) + ...);
}

}  // namespace

void FineVertices::resize(size_t count) {
  const auto all = [count](auto&... lists) { (lists.resize(count), ...); };
  all(direction, height, depth, born_height, id, river, receiver, supply, discharge, ice_flow, floor, trough, traits,
      plate, level);
}

size_t FineVertices::bytes() const {
  return bytes_of(direction, height, depth, born_height, id, river, receiver, supply, discharge, ice_flow, floor,
                  trough, traits, plate, level);
}

size_t FineLand::bytes() const { return vertices.bytes() + bytes_of(triangles, triangle_level); }

}  // namespace tepui
