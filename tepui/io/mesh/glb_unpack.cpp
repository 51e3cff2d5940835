#include "tepui/io/mesh/glb_unpack.h"

#include <meshoptimizer.h>

namespace tepui {

namespace {

constexpr size_t most_elements = size_t{1} << 32;

bool is_corners(const PackedView& view) { return view.mode == "TRIANGLES" || view.mode == "INDICES"; }

/// The bytes that so many elements take at least: two bits for every 16 of an attribute's bytes, one byte for a
/// triangle or an index.
size_t least_bytes(const PackedView& view) {
  if (view.mode == "TRIANGLES") return view.count / 3;
  return view.mode == "INDICES" ? view.count : view.count * view.stride / 64;
}

}  // namespace

std::string_view fault_of(const PackedView& view) {
  if (view.mode != "ATTRIBUTES" && !is_corners(view)) return "a view is compressed in an unknown way";
  if (view.filter != "NONE" && view.filter != "OCTAHEDRAL" && view.filter != "EXPONENTIAL")
    return "a compressed view has an unsupported filter";
  const bool fits = is_corners(view) ? (view.stride == 2 || view.stride == 4) && view.filter == "NONE"
                                     : view.stride >= 4 && view.stride <= 256 && view.stride % 4 == 0;
  if (!fits || (view.filter == "OCTAHEDRAL" && view.stride != 4 && view.stride != 8))
    return "a compressed view has elements of an impossible size";
  if (view.mode == "TRIANGLES" && view.count % 3 != 0) return "the corners of a compressed view do not make triangles";
  if (view.count == 0 || view.count > most_elements || least_bytes(view) > view.bytes.size())
    return "a compressed view claims to hold more than its bytes can";
  return {};
}

std::optional<std::string> unpack(const PackedView& view) {
  std::string result(view.count * view.stride, '\0');
  const auto* bytes = reinterpret_cast<const unsigned char*>(view.bytes.data());
  int code = 0;
  if (view.mode == "TRIANGLES")
    code = meshopt_decodeIndexBuffer(result.data(), view.count, view.stride, bytes, view.bytes.size());
  else if (view.mode == "INDICES")
    code = meshopt_decodeIndexSequence(result.data(), view.count, view.stride, bytes, view.bytes.size());
  else
    code = meshopt_decodeVertexBuffer(result.data(), view.count, view.stride, bytes, view.bytes.size());
  if (code != 0) return std::nullopt;
  if (view.filter == "OCTAHEDRAL") meshopt_decodeFilterOct(result.data(), view.count, view.stride);
  if (view.filter == "EXPONENTIAL") meshopt_decodeFilterExp(result.data(), view.count, view.stride);
  return result;
}

}  // namespace tepui
