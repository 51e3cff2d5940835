#include "tepui/render/picture/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/core/number.h"
#include "tepui/core/parallel.h"
#include "tepui/core/pool.h"
#include "tepui/core/random.h"
#include "tepui/render/ground/planet_skin.h"
#include "tepui/render/picture/cave_light.h"
#include "tepui/render/picture/forest_floor.h"
#include "tepui/render/picture/inside_view.h"
#include "tepui/render/picture/land_subject.h"
#include "tepui/render/picture/mesh_subject.h"
#include "tepui/render/picture/path_trace.h"
#include "tepui/render/picture/picture_frame.h"
#include "tepui/render/picture/volume_model.h"

namespace tepui {

namespace {

const Rgb paper = from_hex(0xf2eee6);

/// The map's own size: one pixel per sample of the closer-spaced axis, at most 2048.
Vec2 map_size(const Frame& frame) {
  const double finest = std::min(frame.cell.x, frame.cell.y);
  const Vec2 size{static_cast<double>(frame.width) * frame.cell.x / finest,
                  static_cast<double>(frame.height) * frame.cell.y / finest};
  return size * std::min(1.0, 2048 / std::max(size.x, size.y));
}

/// What only a volume has.
void refuse_volume_settings(const PictureParams& params, const char* what) {
  if (params.cut != PictureCut::none)
    refuse(fmt::format("'cut' only applies to a volume, and this is {}", what),
           "turn it into a volume with 'implicitize', or remove 'cut'");
  if (params.camera == Camera::inside)
    refuse(fmt::format("the camera inside is for the caves of a volume, and this is {}", what),
           "turn it into a volume with 'implicitize', or choose another camera");
  const auto refuse_given = [&](bool given, const char* name) {
    if (given) refuse(fmt::format("'{}' only applies to a volume, and this is {}", name, what), "leave it out");
  };
  refuse_given(params.cell.has_value(), "cell");
  refuse_given(params.crumbs.has_value(), "crumbs");
  refuse_given(params.water_level.has_value(), "water_level");
}

void refuse_settings_of_others(const PictureParams& params, const char* what) {
  refuse_volume_settings(params, what);
  refuse_planet_settings(params, what);
}

/// What the parameters say of the sea, or else the world.
std::optional<double> sea_of(const PictureParams& params, std::optional<double> world) {
  if (params.sea_level == "none") return std::nullopt;
  std::optional<double> sea = world;
  if (params.sea_level) {
    const Length level = parse_length(*params.sea_level);
    if (level.percent) refuse(fmt::format("the sea level cannot be '{}'", *params.sea_level), "metres, or \"none\"");
    sea = level.value;
  }
  if (sea && !(std::abs(*sea) <= farthest_in_picture))
    refuse(fmt::format("the sea level cannot be {} m", *sea),
           fmt::format("at most {:g} m, or \"none\"", farthest_in_picture));
  return sea;
}

Base base_of(const PictureParams& params) {
  if (params.base != Base::by_camera) return params.base;
  const bool stands_in =
      params.camera == Camera::ground || params.camera == Camera::free || params.camera == Camera::inside;
  return stands_in ? Base::horizon : Base::block;
}

TraceSettings settings_of(const PictureParams& params, Base base) {
  TraceSettings settings;
  settings.surroundings = params.camera == Camera::top ? Surroundings::none
                          : base == Base::horizon      ? Surroundings::country
                                                       : Surroundings::floor;
  settings.plain = params.colour == PictureColour::hillshade;
  // What air there is in a cave does not see the sky.
  settings.haze = settings.plain || params.camera == Camera::inside ? 0 : params.haze;
  // Nearly white, so that colours that mean something stay what they are.
  settings.saturation = params.colour == PictureColour::natural ? 1 : 0.35;
  return settings;
}

/// A pale sky for what stands on a floor, at the height y of the picture from 0 to 1.
Rgb backdrop(float y) {
  static const Rgb pale = from_hex(0xf3e6d6), middle = from_hex(0xb9d0e0), zenith = from_hex(0x5d8fbe);
  return mix(mix(pale, middle, smooth_step(0.42f, 0.88f, y)), zenith, 0.9f * smooth_step(0.68f, 1.12f, y));
}

/// How bright the light of a film is shown.
float gain_of(const Film& film, const PictureParams& params) {
  if (params.camera == Camera::inside) return own_exposure(film) * static_cast<float>(math::pow(2, params.exposure));
  // Rock is dark beside clay, and is exposed for.
  const double stops = params.exposure + (params.colour == PictureColour::natural ? 0.4 : 0.15);
  // Level ground is exposed for, and slopes that face a low sun get several times its light.
  const float low_sun = 0.55f + 0.45f * smooth_step(4, 32, static_cast<float>(params.sun_elevation.degrees));
  return low_sun * static_cast<float>(math::pow(2, stops));
}

Image developed(const Film& film, const PictureParams& params, const Context& context) {
  const bool map = params.camera == Camera::top;
  return develop(
      film, gain_of(film, params), [&](float y) { return map ? paper : backdrop(y); }, context);
}

/// Points that lie around the subject however it is turned.
std::vector<Vec3> round_outline(const Subject& subject) {
  double radius = 0, low = 1e30, high = -1e30;
  for (const Vec3& p : subject.outline) {
    radius = std::max(radius, std::sqrt(p.x * p.x + p.y * p.y));
    low = std::min(low, p.z);
    high = std::max(high, p.z);
  }
  std::vector<Vec3> points;
  constexpr int corners = 64;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * math::pi * i / corners;
    for (const double z : {low, high}) points.push_back({radius * math::cos(angle), radius * math::sin(angle), z});
  }
  return points;
}

/// With the lamp of a visitor for whom walls are usually `room` away.
TraceSettings with_lamp(TraceSettings settings, const PathTracer& unlit, const Lens& lens, const RayScene& rays,
                        double room, double brightness, const Context& context) {
  if (!(brightness > 0)) return settings;
  Film glance(32, 18);
  unlit.trace(glance, 16, context);
  settings.lamp = lamp_beside(lens, rays, room, usual_light(glance), brightness);
  return settings;
}

std::vector<Standing> all_standing(std::span<const Lines> scatter) {
  std::vector<Standing> all;
  for (const Lines& points : scatter) {
    const std::vector<Standing> some = standing_at(points);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

/// What stands at points; nothing where there is none.
std::optional<Planting> planting_of(std::vector<Standing> all, const PictureParams& params, const Terrain* land,
                                    const Context& context) {
  if (all.empty()) return std::nullopt;
  FormModels models;
  if (!params.models.path.empty()) models = FormModels(params.models.path, all, context);
  return std::optional<Planting>(std::in_place, std::move(all), PlantingLook{params.season, params.colour}, land,
                                 std::move(models));
}

Planting* address(std::optional<Planting>& planting) { return planting ? &*planting : nullptr; }

/// Draws a subject that is ready.
Picture draw(Subject& subject, const PictureParams& params, Base base, PixelSize size, Vec2 margin,
             PictureLegend legend, const Context& context, Planting* planting = nullptr) {
  RayScene rays;
  subject.add_to(rays);
  rays.commit(context);
  if (params.steady) subject.outline = round_outline(subject);
  const Lens lens = make_lens(subject, params, static_cast<double>(size.width) / size.height, margin);
  if (planting != nullptr) planting->stand(subject, lens, size.height, context.told_to(nullptr));
  const Sky sky(math::radians(std::fmod(params.sun_azimuth.degrees, 360.0)),
                math::radians(params.sun_elevation.degrees), 0.5 * params.haze);
  TraceSettings settings = settings_of(params, base);
  const bool inside = params.camera == Camera::inside;
  if (inside)
    settings = with_lamp(settings, PathTracer(subject, rays, lens, sky, settings, planting), lens, rays, subject.room,
                         params.lamp, context.told_to(nullptr));
  const PathTracer tracer(subject, rays, lens, sky, settings, planting);
  Picture picture{{}, Film(size.width, size.height)};
  trace_in_passes(tracer, picture.film, params, context.stage("light", 0, 0.95));
  const Context finish = context.stage("film", 0.95, 1);
  if (!settings.plain)
    picture.film = without_grain(std::move(picture.film), finish, inside ? FilmLight::dim : FilmLight::open);
  picture.image = developed(picture.film, params, finish);
  if (params.exaggeration != 1) legend.note = fmt::format("heights × {}", params.exaggeration);
  if (params.legend) picture.image = with_legend(picture.image, legend);
  return picture;
}

}  // namespace

Picture draw_picture(const Terrain& land, const PictureParams& asked, std::optional<double> world_sea,
                     const Context& context, const Geology* rock, std::span<const Lines> scatter) {
  check_params(asked, "size");
  refuse_settings_of_others(asked, "land");
  if (land.frame().width < 1 || land.frame().height < 1) refuse("this land has no samples");
  PictureParams params = asked;
  if (land.find("height") == nullptr) params.colour = PictureColour::layer;
  const std::optional<double> sea = sea_of(params, world_sea);
  const Context prepare = context.stage("land", 0, 0.05), trace = context.stage("light", 0.05, 1);
  std::vector<Standing> standing = all_standing(scatter);
  const bool grows = params.colour == PictureColour::natural && !standing.empty();
  const LandPaint paint(grows ? forest_floor(land, standing, prepare) : land, params, sea, prepare, rock);
  Base base = base_of(params);
  // Country around a strip would be all corners.
  const Frame& frame = land.frame();
  const auto [shorter, longer] =
      std::minmax({static_cast<double>(frame.width) * frame.cell.x, static_cast<double>(frame.height) * frame.cell.y});
  if (base == Base::horizon && longer > 64 * shorter) base = Base::block;
  LandSubject subject(land, paint, base, params, sea, prepare);
  std::optional<Planting> planting = planting_of(std::move(standing), params, &land, context);
  if (params.camera == Camera::top) {
    const Vec2 own = map_size(frame);
    const Vec2 margin{frame.width > 1 ? 0.5 * frame.cell.x / subject.metres : 0,
                      frame.height > 1 ? 0.5 * frame.cell.y / subject.metres : 0};
    return draw(subject, params, base, resolve_size(params, own.x, own.y), margin, paint.legend(), trace,
                address(planting));
  }
  // A coarse preview gets a small picture: more pixels would show nothing more and take four times as long.
  const double width = std::clamp(1.25 * static_cast<double>(std::max(frame.width, frame.height)), 400.0, 1280.0);
  return draw(subject, params, base, resolve_size(params, width, width * 9 / 16), {}, paint.legend(), trace,
              address(planting));
}

namespace {

Picture draw_mesh(const Mesh& mesh, const PictureParams& params, std::optional<double> world_sea, MeshRock rock,
                  std::span<const Lines> scatter, const Context& context) {
  if (params.colour == PictureColour::rock && !rock.geology)
    refuse("colour = rock needs a rock, and there is none", "give 'implicitize' a rock");
  if (params.colour == PictureColour::layer || params.colour == PictureColour::cover)
    refuse("a mesh has no layers to colour by", "colour = natural, height, hillshade or clay");
  const Base base = base_of(params);
  MeshSubject subject(mesh, params, base, sea_of(params, world_sea), context.stage("mesh", 0, 0.1), std::move(rock));
  std::optional<Planting> planting = planting_of(all_standing(scatter), params, nullptr, context);
  const Context trace = context.stage("light", 0.1, 1);
  if (params.camera == Camera::top) {
    const double wide = std::max(subject.high.x - subject.low.x, 0.05),
                 tall = std::max(subject.high.y - subject.low.y, 0.05);
    const double scale = 1024 / std::max(wide, tall), margin = subject.sheet() ? 0 : 0.03;
    return draw(subject, params, base, resolve_size(params, wide * scale, tall * scale), {margin * wide, margin * tall},
                subject.legend(), trace, address(planting));
  }
  return draw(subject, params, base, resolve_size(params, 1280, 720), {}, subject.legend(), trace, address(planting));
}

}  // namespace

namespace {

/// From the camera for which the view of a planet was made, which is its centre, towards the horizon in the north or
/// wherever it is to look.
PictureParams from_own_camera(PictureParams params, const Mesh& view) {
  const double heading = math::radians(params.heading ? params.heading->degrees : 0);
  const double pitch = math::radians(params.pitch ? std::clamp(params.pitch->degrees, -90.0, 90.0) : -5);
  const Vec3 ahead{math::sin(heading) * math::cos(pitch), math::cos(heading) * math::cos(pitch), math::sin(pitch)};
  params.eye = view.centre();
  params.target = view.centre() + ahead * 1000;
  params.heading = params.pitch = std::nullopt;
  return params;
}

}  // namespace

Picture draw_picture(const Mesh& mesh, const PictureParams& asked, std::optional<double> world_sea,
                     const Context& context, std::span<const Lines> scatter, const Terrain* land) {
  check_params(asked, "size");
  PictureParams params = asked;
  if (asked.camera == Camera::free && !asked.eye && !asked.target && PlanetSkin(mesh).known())
    params = from_own_camera(asked, mesh);
  refuse_settings_of_others(params, "a mesh");
  MeshRock rock;
  if (land != nullptr) rock.land = *land;
  return draw_mesh(mesh, params, world_sea, std::move(rock), scatter, context);
}

Picture draw_picture(const Volume& volume, const PictureParams& asked, std::optional<double> world_sea,
                     const Context& context, const Lines* along, std::span<const Lines> scatter) {
  check_params(asked, "size");
  refuse_planet_settings(asked, "a volume");
  PictureParams params = asked;
  ModelRequest request;
  request.width = resolve_size(params, 1280, 720).width;
  request.sea = sea_of(params, world_sea);
  if (params.camera == Camera::inside) {
    request.view = inside_view(volume, params, along);
    params.eye = request.view->eye;
    params.target = request.view->target;
    // Around a cave there is rock.
    params.cut = PictureCut::none;
  } else if (along != nullptr) {
    refuse("a line to walk along is for the camera inside", "camera = inside");
  }
  VolumeModel model = model_of(volume, params, request, context.stage("mesh", 0, 0.2));
  if (request.view) model.rock.room = request.view->room;
  return draw_mesh(model.mesh, params, world_sea, std::move(model.rock), scatter, context.stage("light", 0.2, 1));
}

}  // namespace tepui
