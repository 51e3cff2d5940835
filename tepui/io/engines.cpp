#include "tepui/io/engines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>

namespace tepui {

namespace {

constexpr double largest_word = 65535;

bool holds_heights(const FileRecord& file) {
  return file.place && file.place->width > 0 && file.layers == std::vector<std::string>{"height"};
}

/// Heights as 16-bit numbers.
bool is_words(const FileRecord& file) { return holds_heights(file) && file.bits == 16 && file.offset && file.scale; }

double north_of(const SamplePlace& place) {
  return place.origin.y + static_cast<double>(place.height - 1) * place.cell.y;
}

Vec2 extent_of(const SamplePlace& place) {
  return {static_cast<double>(place.width - 1) * place.cell.x, static_cast<double>(place.height - 1) * place.cell.y};
}

/// The sizes that Unreal's dialog offers: quads on a section's side, sections on a component's side.
constexpr std::array<int64_t, 6> section_sizes = {255, 127, 63, 31, 15, 7};
constexpr int64_t most_components = 32;
constexpr std::array<int64_t, 7> recommended_sizes = {127, 253, 505, 1009, 2017, 4033, 8129};

constexpr std::array<int64_t, 8> unity_sizes = {33, 65, 129, 257, 513, 1025, 2049, 4097};

/// The nearest count of samples made of whole components of this many quads.
int64_t nearest_side(int64_t samples, int64_t quads) {
  return std::clamp<int64_t>((samples - 1 + quads / 2) / quads, 1, most_components) * quads + 1;
}

/// Calls use(section quads, sections) for every kind of component, from the largest: fewer draw faster.
template <class Use>
void for_each_component(const Use& use) {
  for (const int64_t quads : section_sizes)
    for (const int64_t sections : {2, 1}) use(quads, sections);
}

void find_components(UnrealImport& import, int64_t width, int64_t height) {
  int64_t best = std::numeric_limits<int64_t>::max(), best_component = 0;
  for_each_component([&](int64_t quads, int64_t sections) {
    const int64_t component = quads * sections;
    const int64_t w = nearest_side(width, component), h = nearest_side(height, component);
    const int64_t distance = std::abs(w - width) + std::abs(h - height);
    if (distance > best || (distance == best && component <= best_component)) return;
    best = distance;
    best_component = component;
    import.legal = distance == 0;
    import.section_quads = quads;
    import.sections = sections;
    import.components_x = (w - 1) / component;
    import.components_y = (h - 1) / component;
    import.nearest_width = w;
    import.nearest_height = h;
  });
}

int64_t nearest_of(int64_t samples, std::span<const int64_t> sizes) {
  return *std::ranges::min_element(sizes, {}, [&](int64_t size) { return std::abs(size - samples); });
}

/// Terrain3D takes whole metres and rounds down to a vertex: upwards, so that it is the right one.
int64_t whole_metres(double metres) { return static_cast<int64_t>(std::ceil(metres - 1e-6)); }

}  // namespace

std::optional<UnrealImport> unreal_import(const FileRecord& file) {
  if (!is_words(file) || (file.format != "PNG" && file.format != "R16")) return std::nullopt;
  const SamplePlace& place = *file.place;
  UnrealImport import;
  find_components(import, place.width, place.height);
  import.recommended = nearest_of(std::max(place.width, place.height), recommended_sizes);
  // A stored step is 1/128 of the Z scale, and 32768 is the actor's own height.
  const double step = *file.scale * 100;
  import.scale = {place.cell.x * 100, place.cell.y * 100, step * 128};
  import.location = {place.origin.x * 100, -north_of(place) * 100, *file.offset * 100 + step * 32768};
  return import;
}

std::optional<UnityImport> unity_import(const FileRecord& file) {
  if (!is_words(file) || file.format != "R16") return std::nullopt;
  const SamplePlace& place = *file.place;
  UnityImport import;
  const int64_t side = std::max(place.width, place.height);
  import.nearest = nearest_of(side, unity_sizes);
  import.resolution = side;
  import.legal = place.width == place.height && import.nearest == side;
  const Vec2 extent = extent_of(place);
  // Its importer divides what is stored by 65536.
  import.size = {extent.x, *file.scale * (largest_word + 1), extent.y};
  import.position = {place.origin.x, *file.offset, place.origin.y};
  return import;
}

std::optional<GodotImport> godot_import(const FileRecord& file) {
  const bool words = is_words(file) && file.format == "R16", floats = holds_heights(file) && file.format == "EXR";
  if (!words && !floats) return std::nullopt;
  const SamplePlace& place = *file.place;
  constexpr int64_t largest_world = 32 * 2048;
  GodotImport import;
  if (words) import.r16_range = Vec2{*file.offset, *file.offset + *file.scale * largest_word};
  import.width = place.width;
  import.height = place.height;
  import.vertex_spacing = place.cell.x;
  import.square_cells = std::abs(place.cell.x - place.cell.y) <= 1e-6 * place.cell.x;
  import.fits = std::max(place.width, place.height) <= largest_world;
  if (file.tile) {
    const Vec2 extent = extent_of(place);
    import.position_x = whole_metres(static_cast<double>(file.tile->x) * extent.x);
    import.position_z = whole_metres(static_cast<double>(file.tile->y) * extent.y);
  }
  return import;
}

std::optional<BlenderImport> blender_import(const FileRecord& file) {
  BlenderImport import;
  if (file.centre) {
    import.is_mesh = true;
    import.location = {(*file.centre)[0], (*file.centre)[1], (*file.centre)[2]};
    return import;
  }
  const bool words = is_words(file) && file.format == "PNG", floats = holds_heights(file) && file.format == "EXR";
  if (!words && !floats) return std::nullopt;
  const SamplePlace& place = *file.place;
  const Vec2 extent = extent_of(place);
  import.plane_size = {extent.x + place.cell.x, extent.y + place.cell.y};
  import.strength = words ? *file.scale * largest_word : 1;
  import.location = {place.origin.x + extent.x / 2, place.origin.y + extent.y / 2, words ? *file.offset : 0};
  return import;
}

}  // namespace tepui
