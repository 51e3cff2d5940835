#include "tepui/render/picture/planting.h"

#include <algorithm>
#include <cmath>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

constexpr double lift_off = 1e-6;
/// Pixels that a form is high from which on it is drawn in ever more detail.
constexpr double middle_from = 8, fine_from = 28, close_from = 85;
constexpr int64_t grain = 1 << 12;
constexpr size_t details = 4, most_forms = size_t{1} << 24;

/// A number for each species, form and detail.
size_t key_of(Species species, int form, FormDetail detail) {
  return (static_cast<size_t>(species) * most_forms + static_cast<size_t>(form)) * details +
         static_cast<size_t>(detail);
}

Rgb decoded(const MeshColour& c) {
  return {srgb_decode(static_cast<float>(c[0]) / 255), srgb_decode(static_cast<float>(c[1]) / 255),
          srgb_decode(static_cast<float>(c[2]) / 255)};
}

std::array<float, 3> single(Vec3 v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

FormDetail detail_for(double pixels) {
  if (pixels >= close_from) return FormDetail::close;
  if (pixels >= fine_from) return FormDetail::fine;
  return pixels >= middle_from ? FormDetail::middle : FormDetail::coarse;
}

}  // namespace

/// A form as light meets it.
struct Planting::Form {
  Mesh mesh;
  std::vector<Rgb> bare, snowed;  ///< colours of its vertices
  Rgb mean;
  bool leaves = true;  ///< light comes through
  bool grey = false;   ///< its colour comes of the ground
};

struct Planting::Placed {
  Instance instance;
  Dress dress;
  size_t key = 0;
};

Planting::Planting(std::vector<Standing> standing, const PlantingLook& look, const Terrain* land, FormModels models)
    : standing_(std::move(standing)), look_(look), land_(land), models_(std::move(models)) {}

Planting::~Planting() = default;

int Planting::forms_of(Species species) const {
  const int own = models_.count(species);
  return own > 0 ? own : species_forms;
}

uint32_t Planting::form_of(size_t key) {
  if (const auto known = numbers_.find(key); known != numbers_.end()) return known->second;
  const auto species = static_cast<Species>(key / details / most_forms);
  const auto detail = static_cast<FormDetail>(key % details);
  const int form = static_cast<int>(key / details % most_forms);
  auto made = std::make_unique<Form>();
  const bool own = models_.count(species) > 0;
  made->mesh = own ? models_.form(species, form) : plant_form(species, form, detail, {look_.season, 0});
  const Mesh snowed = own ? made->mesh : plant_form(species, form, detail, {look_.season, 1});
  for (const MeshColour& c : made->mesh.colours()) made->bare.push_back(decoded(c));
  for (const MeshColour& c : snowed.colours()) made->snowed.push_back(decoded(c));
  for (const Rgb& c : made->bare) made->mean = made->mean + c * (1 / static_cast<float>(made->bare.size()));
  made->leaves = species != Species::rock && !own;
  made->grey = species == Species::rock && !own;
  const uint32_t number = scene_->add_form(made->mesh.positions(), made->mesh.triangles());
  forms_.push_back(std::move(made));
  numbers_.emplace(key, number);
  return number;
}

float Planting::snow_at(Vec3 foot) const {
  const Layer* snow = land_ != nullptr ? land_->find("snow") : nullptr;
  if (snow == nullptr) return 0;

  const Frame& frame = land_->frame();
  const auto x = std::clamp<int64_t>(std::lround((foot.x - frame.x(0)) / frame.cell.x), 0, frame.width - 1),
             y = std::clamp<int64_t>(std::lround((foot.y - frame.y(0)) / frame.cell.y), 0, frame.height - 1);
  return snow->grid()(x, y);
}

std::optional<Planting::Placed> Planting::placed(const Standing& standing, const Subject& subject, const Lens& lens,
                                                 int rows) const {
  Vec3 foot = subject.placed(standing.foot);
  if (!(foot.x >= subject.low.x && foot.x <= subject.high.x && foot.y >= subject.low.y && foot.y <= subject.high.y))
    return std::nullopt;
  // On the ground, under the snow.
  const float snow = snow_at(standing.foot);
  if (land_ != nullptr)
    foot.z = subject.ground_at({foot.x, foot.y}).value_or(foot.z) -
             static_cast<double>(snow) * subject.lift / subject.metres;
  const int form = standing.form % forms_of(standing.species);
  const bool own = models_.count(standing.species) > 0;
  const StandingAxes axes = own ? axes_of(standing, models_.radius(standing.species, form)) : axes_of(standing);
  const double unit = 1 / subject.metres, height = length(axes.z) * unit, wide = length(axes.x) * unit;
  const Vec3 middle = foot + axes.z * (0.5 * unit), off = lens.eye - middle;
  const double away = length(off);
  // Nobody stands with the eye in leaves.
  if (!lens.parallel && std::abs(off.z) < 0.6 * height && std::hypot(off.x, off.y) < 0.8 * wide) return std::nullopt;
  const double pixels = std::max(height, wide) / lens.footprint(std::max(away, 1e-12), rows);
  Placed placed;
  placed.key = key_of(standing.species, form, own ? FormDetail::close : detail_for(pixels));
  placed.instance = {single(axes.x * unit), single(axes.y * unit), single(axes.z * unit), single(foot), 0};
  const auto light = static_cast<float>(chance_at(standing.foot, 2)),
             warm = static_cast<float>(chance_at(standing.foot, 3));
  placed.dress.tint = Rgb{0.9f + 0.2f * warm, 1, 1.1f - 0.2f * warm} * (0.78f + 0.44f * light);
  placed.dress.snow = smooth_step(0.02f, 0.5f, snow);
  if (standing.species == Species::rock && !own) placed.dress.tint = subject.stone(foot) * (0.8f + 0.4f * light);

  return placed;
}

void Planting::stand(const Subject& subject, const Lens& lens, int rows, const Context& context) {
  std::vector<std::optional<Placed>> places(standing_.size());
  parallel_chunks(static_cast<int64_t>(places.size()), grain, context, [&](int64_t begin, int64_t end) {
    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
      places[i] = placed(standing_[i], subject, lens, rows);
  });
  scene_ = std::make_unique<InstanceScene>();
  std::vector<Instance> instances;
  dresses_.clear();
  for (std::optional<Placed>& place : places) {
    if (!place) continue;
    place->instance.form = form_of(place->key);
    // A rock's tint is its colour, not a share of it.
    if (const Form& form = *forms_[place->instance.form]; form.grey) {
      const Rgb mean = form.mean;
      place->dress.tint = place->dress.tint * Rgb{1 / mean.r, 1 / mean.g, 1 / mean.b};
    }
    instances.push_back(place->instance);
    dresses_.push_back(place->dress);
  }
  if (instances.empty())
    scene_.reset();
  else
    scene_->commit(std::move(instances), context);
}

SurfacePoint Planting::seen(const InstanceHit& hit, Vec3 direction) const {
  const Instance& instance = scene_->instances()[hit.instance];
  const Form& form = *forms_[instance.form];
  const Dress& dress = dresses_[hit.instance];
  const MeshTriangle& t = form.mesh.triangles()[hit.triangle];
  const double weights[3] = {1 - hit.u - hit.v, hit.u, hit.v};
  Vec3 at, corners[3], normal;
  Rgb bare, snowed;
  for (size_t k = 0; k < 3; ++k) {
    corners[k] = instance.turn(to_vec(form.mesh.positions()[t[k]]));
    at = at + corners[k] * weights[k];
    normal = normal + instance.turn(to_vec(form.mesh.normals()[t[k]])) * weights[k];
    bare = bare + form.bare[t[k]] * static_cast<float>(weights[k]);
    snowed = snowed + form.snowed[t[k]] * static_cast<float>(weights[k]);
  }
  SurfacePoint point;
  point.at = at + to_vec(instance.foot);
  const Vec3 facet = cross(corners[1] - corners[0], corners[2] - corners[0]);
  point.facet = facet * (1 / std::max(length(facet), 1e-300));
  const double size = length(normal);
  point.normal = size > 1e-12 ? normal * (1 / size) : point.facet;
  // Leaves shine through: they are lit on the side that faces away from the crown, whichever is seen.
  const bool turned = form.leaves ? dot(point.facet, point.normal) < 0 : dot(point.facet, direction) > 0;
  if (turned) point.facet = point.facet * -1;
  if (!form.leaves && dot(point.normal, point.facet) < 0) point.normal = point.facet;
  point.start = point.at + point.facet * lift_off;
  if (look_.colour == PictureColour::natural)
    point.albedo = mix(bare * dress.tint, snowed, dress.snow);
  else if (look_.colour == PictureColour::clay)
    point.albedo = from_hex(0xc9c3b9);
  else if (look_.colour == PictureColour::hillshade)
    point.albedo = {0.46f, 0.46f, 0.46f};
  else
    point.albedo = bare;
  return point;
}

}  // namespace tepui
