#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/frame.h"
#include "tepui/core/hash.h"

namespace tepui {

struct Kind;

/// A class whose objects flow between nodes: it names its kind, and says what its objects hold.
template <class T>
concept ValueClass = requires(const T& value) {
  { T::kind_name } -> std::convertible_to<std::string_view>;
  { value.bytes() } -> std::convertible_to<size_t>;
  { value.hash() } -> std::convertible_to<Hash>;
};

/// The kind of a class of values: its row in kinds.cpp.
const Kind& kind_named(std::string_view name);
template <ValueClass T>
const Kind& kind_of() {
  static const Kind& kind = kind_named(T::kind_name);
  return kind;
}

/// What flows between nodes: an object of one of the kinds. Immutable, cheap to copy.
class Value {
 public:
  /// Nothing.
  Value() = default;
  template <ValueClass T>
  Value(T object) : kind_(&kind_of<T>()), object_(std::make_shared<const T>(std::move(object))) {}

  bool empty() const { return object_ == nullptr; }
  /// Of a value that is not empty.
  const Kind& kind() const { return *kind_; }
  size_t bytes() const;
  Hash hash() const;

  /// The object, if it is of this class; else none.
  template <ValueClass T>
  const T* find() const {
    return kind_ == &kind_of<T>() ? static_cast<const T*>(object_.get()) : nullptr;
  }

 private:
  const Kind* kind_ = nullptr;
  std::shared_ptr<const void> object_;
};

[[noreturn]] void refuse_kind(const Value& value, std::string_view what, const Kind& wanted);

/// The object that the value is; any other kind is refused, `what` being the words for the value.
template <ValueClass T>
const T& get(const Value& value, std::string_view what = "a value") {
  const T* object = value.find<T>();
  if (object == nullptr) refuse_kind(value, what, kind_of<T>());
  return *object;
}

/// One of the long arrays that a value is made of, such as the cells of a layer.
using PartBytes = std::span<const char>;

/// A part as the cache knows it.
struct Part {
  Hash content;
  size_t bytes = 0;
  friend bool operator==(const Part&, const Part&) = default;
};

/// Brings part number `index` into memory that has room for it; false where it is not there, or is not what it was.
using PartReader = std::function<bool(size_t index, void* to, size_t bytes)>;

/// What the engine knows of a kind of value. One row each in kinds.cpp; output/ has another, for what leaves.
struct Kind {
  std::string name;         ///< "terrain", as ports and `ops` call it
  std::string noun, label;  ///< "land", "Land": in messages and in the text of pictures
  size_t (*bytes)(const void* object) = nullptr;
  Hash (*hash)(const void* object) = nullptr;

  // Of a kind that is kept and brought back; one without them is made again.
  std::vector<PartBytes> (*parts)(const Value& value) = nullptr;
  /// All of the value but its parts, which are named by their content.
  std::string (*outline)(const Value& value, const std::vector<Part>& parts) = nullptr;
  /// The value that outline and parts describe; none where they are damaged.
  std::optional<Value> (*restore)(std::string_view outline, const std::vector<Part>& parts,
                                  const PartReader& read) = nullptr;
  /// Of the value, from the hashes of its parts, where that is quicker.
  Hash (*quick_hash)(const Value& value, const std::vector<Part>& parts) = nullptr;

  // Of a kind that has them.
  Value (*layer)(const Value& value, const std::string& name) = nullptr;  ///< one of its layers: "node.layer"
  std::optional<Frame> (*frame)(std::string_view outline) = nullptr;      ///< where it lies: "world": {"from": ...}

  // Of a kind whose values lie on samples.
  const Frame& (*lies)(const Value& value) = nullptr;
  /// The samples of a window.
  Value (*window)(const Value& value, const Frame& window, const Context& context) = nullptr;
  /// The same on other samples.
  Value (*resampled)(const Value& value, const Frame& onto, const Context& context) = nullptr;
  /// The same with at most so many samples on the longer side.
  Value (*coarser)(const Value& value, int64_t samples, const Context& context) = nullptr;

  bool is_kept() const { return restore != nullptr; }
  bool has_layers() const { return layer != nullptr; }
  bool has_samples() const { return window != nullptr; }
};

/// Every kind.
const std::vector<Kind>& kinds();

}  // namespace tepui
