#include "tepui/io/mesh/glb_standing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "tepui/core/math.h"

namespace tepui {

namespace {

constexpr int type_int16 = 5122, type_float = 5126;
constexpr double largest_int16 = 32767;

/// So that what stands has some tens of millions of triangles at most.
FormDetail detail_for(size_t count, int coarser) {
  constexpr std::array<FormDetail, 3> details{FormDetail::fine, FormDetail::middle, FormDetail::coarse};
  const size_t usual = count <= 10'000 ? 0 : count <= 100'000 ? 1 : 2;
  return details[std::min<size_t>(usual + static_cast<size_t>(coarser), 2)];
}

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// A list of something of every one that stands.
template <class Get>
GlbPart part_of(const char* name, const char* type, size_t count, const Get& get) {
  using T = decltype(get(size_t{}));
  GlbPart part{name, "", type_float, false, type, static_cast<int64_t>(count), sizeof(T), sizeof(T), {}, {}};
  part.make = [get](int64_t begin, int64_t end, std::string& bytes) {
    for (int64_t i = begin; i < end; ++i) append(bytes, get(static_cast<size_t>(i)));
  };
  return part;
}

/// Leans to the north, then turns clockwise: as a quaternion in the file's axes, x, y, z, w.
std::array<int16_t, 4> rotation_of(const Standing& s) {
  const double turn = math::radians(s.turn) / 2, lean = math::radians(s.lean) / 2;
  const double ct = math::cos(turn), st = math::sin(turn), cl = math::cos(lean), sl = math::sin(lean);
  const auto word = [](double v) { return static_cast<int16_t>(std::rint(v * largest_int16)); };
  return {word(-ct * sl), word(-st * cl), word(-st * sl), word(ct * cl)};
}

/// A point on the border of two tiles stands on one of them; none is lost at the world's own border.
bool stands_within(Vec3 at, const Frame& frame) {
  const double east = frame.x(frame.width - 1), north = frame.y(frame.height - 1);
  const auto between = [](double v, double low, double high, double end) {
    return v >= low && (v < high || (v == high && high >= end));
  };
  return between(at.x, frame.x(0), east, frame.origin.x + frame.size.x - frame.cell.x) &&
         between(at.y, frame.y(0), north, frame.origin.y + frame.size.y - frame.cell.y);
}

std::array<float, 3> floats(double x, double y, double z) {
  return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}

}  // namespace

GlbStanding::GlbStanding(std::span<const Lines> points, Vec3 centre, const GlbOptions& options)
    : centre_(centre), placed_(!options.models_alone) {
  for (const Lines& lines : points) {
    const std::vector<Standing> some = standing_at(lines);
    std::ranges::copy_if(some, std::back_inserter(all_), [&](const Standing& one) {
      return !options.within || stands_within(one.foot, *options.within);
    });
  }
  std::vector<std::vector<size_t>> groups(species_names.size() * species_forms);
  for (size_t i = 0; i < all_.size(); ++i)
    groups[static_cast<size_t>(all_[i].species) * species_forms + static_cast<size_t>(all_[i].form)].push_back(i);
  size_t part = 0;
  const FormDetail detail = options.models_alone ? FormDetail::fine : detail_for(all_.size(), options.coarser);
  for (size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].empty()) continue;
    const auto species = static_cast<Species>(g / species_forms);
    const auto form = static_cast<int>(g % species_forms);
    meshes_.push_back(std::make_unique<StoredMesh>(plant_form(species, form, detail)));
    const size_t count = glb_parts(*meshes_.back(), {}, nullptr).size();
    models_.push_back({std::string(species_names[g / species_forms]) + "_" + std::to_string(form), part,
                       part + count - 1, part + count, std::move(groups[g])});
    part += count + (placed_ ? 3 : 0);
  }
}

std::vector<GlbPart> GlbStanding::parts() const {
  std::vector<GlbPart> list;
  for (size_t m = 0; m < models_.size(); ++m) {
    for (GlbPart& part : glb_parts(*meshes_[m], {}, nullptr)) list.push_back(std::move(part));
    if (!placed_) continue;
    const std::vector<size_t>& own = models_[m].own;
    const auto one = [this, &own](size_t i) -> const Standing& { return all_[own[i]]; };
    list.push_back(part_of("TRANSLATION", "VEC3", own.size(), [one, centre = centre_](size_t i) {
      const Vec3 at = one(i).foot - centre;
      return floats(at.x, at.z, -at.y);
    }));
    list.push_back(part_of("ROTATION", "VEC4", own.size(), [one](size_t i) { return rotation_of(one(i)); }));
    list.back().component_type = type_int16;
    list.back().normalised = true;
    list.push_back(part_of("SCALE", "VEC3", own.size(), [one](size_t i) {
      const FormScale scale = form_scale(one(i).species, one(i).form, one(i).height, one(i).crown);
      return floats(scale.across, scale.up, scale.across);
    }));
  }
  return list;
}

}  // namespace tepui
