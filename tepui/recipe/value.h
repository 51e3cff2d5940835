#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "tepui/core/hash.h"
#include "tepui/geology/geology.h"
#include "tepui/mesh/mesh.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"
#include "tepui/volume/volume.h"

namespace tepui {

/// What flows between nodes. Every kind of value tells its `bytes()` and its `hash()`.
using Value = std::variant<Terrain, Geology, Lines, Volume, Mesh>;

/// In the order of the variant.
enum class ValueType { terrain, geology, lines, volume, mesh };
std::string_view value_type_name(ValueType type);

template <class T, size_t Index = 0>
constexpr ValueType value_type_of() {
  static_assert(Index < std::variant_size_v<Value>, "not one of Tepui's values");
  if constexpr (std::is_same_v<T, std::variant_alternative_t<Index, Value>>)
    return static_cast<ValueType>(Index);
  else
    return value_type_of<T, Index + 1>();
}

inline ValueType value_type(const Value& value) { return static_cast<ValueType>(value.index()); }
size_t value_bytes(const Value& value);
Hash value_hash(const Value& value);

/// The land that this value is; any other is refused, `what` being the words for it.
const Terrain& require_land(const Value& value, std::string_view what);

}  // namespace tepui
