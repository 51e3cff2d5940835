#pragma once  // internal

#include <optional>
#include <string>
#include <string_view>

namespace tepui {

inline constexpr const char* meshopt_extension = "EXT_meshopt_compression";

/// A compressed buffer view of a GLB, as the file tells of it.
struct PackedView {
  std::string_view bytes;
  std::string mode, filter;
  size_t count = 0, stride = 0;
};

/// What cannot be about it, in words; empty where it may be sound. Among that: more elements than so many bytes could
/// hold, so that a claim never takes memory that the file does not back.
std::string_view fault_of(const PackedView& view);

/// The elements of a view without fault; none where its bytes are damaged.
std::optional<std::string> unpack(const PackedView& view);

}  // namespace tepui
