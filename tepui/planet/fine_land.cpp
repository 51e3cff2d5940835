#include "tepui/planet/fine_land.h"

namespace tepui {

namespace {

template <class Vertices, class Visit>
void each_list(Vertices& v, const Visit& visit) {
  const auto all = [&](auto&... lists) { (visit(lists), ...); };
  all(v.direction, v.height, v.depth, v.born_height, v.id, v.river, v.receiver, v.supply, v.discharge, v.ice_flow,
      v.ice_supply, v.floor, v.trough, v.traits, v.plate, v.level);
}

template <class List>
size_t bytes_of(const List& list) {
  return list.size() * sizeof(list[0]);
}

}  // namespace

void FineVertices::resize(size_t count) {
  each_list(*this, [count](auto& list) { list.resize(count, {}); });
}

void FineVertices::resize_unwritten(size_t count) {
  each_list(*this, [count](auto& list) { list.resize(count); });
}

void FineVertices::reserve(size_t count) {
  each_list(*this, [count](auto& list) { list.reserve(count); });
}

size_t FineVertices::bytes() const {
  size_t sum = 0;
  each_list(*this, [&](const auto& list) { sum += bytes_of(list); });
  return sum;
}

size_t FineLand::bytes() const { return vertices.bytes() + bytes_of(triangles) + bytes_of(triangle_level); }

}  // namespace tepui
