#pragma once  // internal

#include <optional>
#include <type_traits>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/graph/cache_bytes.h"
#include "tepui/graph/value.h"

// Arrays of plain numbers as parts of a kept value.

namespace tepui {

/// Of a vector of numbers, or of a text.
template <class Column>
PartBytes column_bytes(const Column& column) {
  using T = typename Column::value_type;
  static_assert(std::is_trivially_copyable_v<T>);
  return {reinterpret_cast<const char*>(column.data()), column.size() * sizeof(T)};
}

/// Brings the parts back, one array after the other.
class ColumnReader {
 public:
  ColumnReader(const std::vector<Part>& parts, const PartReader& read) : parts_(parts), read_(read) {}

  template <class Column>
  void take(Column& column) {
    using T = typename Column::value_type;
    static_assert(std::is_trivially_copyable_v<T>);
    sound_ = sound_ && next_ < parts_.size() && parts_[next_].bytes % sizeof(T) == 0;
    if (!sound_) return;
    column.resize(parts_[next_].bytes / sizeof(T));
    sound_ = read_(next_, column.data(), parts_[next_].bytes);
    ++next_;
  }

  /// Whether all were there, and no more of them.
  bool complete() const { return sound_ && next_ == parts_.size(); }

 private:
  const std::vector<Part>& parts_;
  const PartReader& read_;
  size_t next_ = 0;
  bool sound_ = true;
};

/// A T of the data whose outline was read from `outline` and whose arrays, which each_array(data, take) goes through,
/// are the parts; none where they are not sound.
template <class T, class Data, class EachArray>
std::optional<Value> restore_columns(ByteReader& outline, Data data, const std::vector<Part>& parts,
                                     const PartReader& read, const EachArray& each_array) {
  outline.require(outline.at_end());
  ColumnReader columns(parts, read);
  if (outline.sound()) each_array(data, [&](auto& array) { columns.take(array); });
  if (!outline.sound() || !columns.complete()) return std::nullopt;
  try {
    return T(std::move(data));
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace tepui
