#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "tepui/core/hash.h"
#include "tepui/geology/geology.h"
#include "tepui/terrain/lines.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// What flows between nodes. Every kind of value tells its `bytes()` and its `hash()`.
using Value = std::variant<Terrain, Geology, Lines>;

/// In the order of the variant.
enum class ValueType { terrain, geology, lines };
std::string_view value_type_name(ValueType type);

template <class T>
constexpr ValueType value_type_of() {
  if constexpr (std::is_same_v<T, Terrain>)
    return ValueType::terrain;
  else if constexpr (std::is_same_v<T, Geology>)
    return ValueType::geology;
  else {
    static_assert(std::is_same_v<T, Lines>, "not one of Tepui's values");
    return ValueType::lines;
  }
}

inline ValueType value_type(const Value& value) { return static_cast<ValueType>(value.index()); }
size_t value_bytes(const Value& value);
Hash value_hash(const Value& value);

/// The land that this value is; any other is refused, `what` being the words for it.
const Terrain& require_land(const Value& value, std::string_view what);

}  // namespace tepui
