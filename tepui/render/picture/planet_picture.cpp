#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/render/light/sky.h"
#include "tepui/render/picture/picture.h"
#include "tepui/render/picture/picture_frame.h"
#include "tepui/render/picture/planet_lens.h"
#include "tepui/render/picture/planet_trace.h"

namespace tepui {

namespace {

/// The share of light that a planet's seas and lands send back, on average.
constexpr float mean_albedo = 0.12f;

void refuse_what_planets_have_not(const PictureParams& params) {
  const auto refuse_given = [](bool given, const char* name, const char* hint) {
    if (given) refuse(fmt::format("'{}' does not apply to a planet", name), hint);
  };
  const char* eye = "give latitude, longitude and altitude, and heading and pitch";
  refuse_given(params.camera != Camera::three_quarter, "camera", eye);
  refuse_given(params.eye.has_value(), "eye", eye);
  refuse_given(params.target.has_value(), "target", eye);
  refuse_given(params.colour != PictureColour::natural, "colour",
               "leave it out, or draw a layer of a map: node 'planet_map'");
  refuse_given(params.cut != PictureCut::none, "cut", "leave it out");
  refuse_given(params.exaggeration != 1, "exaggeration", "give it to the node 'planet'");
  refuse_given(params.sea_level.has_value(), "sea_level", "give the node 'planet' another share of 'sea'");
}

/// What the camera makes of the light: level ground under the sun of the place looked at is as bright as in pictures of
/// land; from farther off, ground under the highest sun in sight.
Rgb gains_of(const Air& air, const PlanetView& view, const PictureParams& params) {
  const double radius = air.spec().radius, away = length(view.lens.eye);
  const double in_sight = math::degrees(math::acos(std::min(radius / away, 1.0)));
  const double elevation = std::min(params.sun_elevation.degrees + 0.75 * in_sight, 90.0);
  const double sine = math::sin(math::radians(elevation)), level = math::cos(math::radians(elevation));
  const Vec3 at{0, 0, radius}, to_sun{level, 0, sine};
  atmosphere::Spectrum falling = air.sunlight(at, to_sun);
  const atmosphere::Spectrum sky = air.skylight(at, to_sun);
  for (size_t i = 0; i < falling.size(); ++i) falling[i] = falling[i] * static_cast<float>(sine / math::pi) + sky[i];
  const Rgb light = atmosphere::to_rgb(falling);
  const float exposure = 0.25f + 0.75f * smooth_step(0, 7, static_cast<float>(elevation));
  const double stops = params.exposure + 0.4 + 0.4 * math::smoothstep(10, 40, in_sight);
  return white_balance(light, elevation) * (exposure / luminance(light) * static_cast<float>(math::pow(2, stops)));
}

Vec3 sun_over(Vec3 place, const PictureParams& params) {
  const double azimuth = math::radians(std::fmod(params.sun_azimuth.degrees, 360.0));
  const double elevation = math::radians(params.sun_elevation.degrees);
  const auto [east, north] = local_axes(place);
  const Vec3 level = north * math::cos(azimuth) + east * math::sin(azimuth);
  return normalised(level * math::cos(elevation) + place * math::sin(elevation));
}

}  // namespace

Picture draw_picture(const Planet& planet, const PictureParams& params, const Context& context) {
  check_params(params, "size");
  refuse_what_planets_have_not(params);
  const PixelSize size = resolve_size(params, 1280, 720);
  PlanetView view = planet_view_of(planet.radius(), params, static_cast<double>(size.width) / size.height, size.height);
  const PlanetScene scene(planet, view.sight, context.stage("planet", 0, 0.1));
  view.stand(scene);
  const Air air({.radius = planet.radius(),
                 .height_scale = 8000 * planet.length_scale(),
                 .haze = 0.5 * params.haze,
                 .ground = mean_albedo});
  const PlanetTracer tracer(scene, view.lens, air, sun_over(view.looked_at(), params), params.season,
                            gains_of(air, view, params));
  Picture picture{{}, Film(size.width, size.height)};
  trace_in_passes(tracer, picture.film, params, context.stage("light", 0.1, 0.97));
  picture.image = develop(
      picture.film, 1, [](float) { return Rgb{}; }, context.stage("film", 0.97, 1));
  return picture;
}

}  // namespace tepui
