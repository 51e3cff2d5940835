#include "tepui/render/picture/inside_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"

namespace tepui {

namespace {

double length_of(std::span<const Vec3> points) {
  double sum = 0;
  for (size_t i = 1; i < points.size(); ++i) sum += length(points[i] - points[i - 1]);
  return sum;
}

/// The point so many metres along a line; beyond its end, straight on.
Vec3 point_at(std::span<const Vec3> points, double distance) {
  for (size_t i = 1; i < points.size(); ++i) {
    const Vec3 step = points[i] - points[i - 1];
    const double size = length(step);
    if (size > 0 && (distance <= size || i + 1 == points.size())) return points[i - 1] + step * (distance / size);
    distance -= size;
  }
  return points.back();
}

/// The part that the parameters name by its feature's name or its number from 1 on, or the longest.
std::vector<Vec3> chosen_line(const Lines& lines, const PictureParams& params) {
  std::span<const Vec3> chosen;
  double longest = 0;
  int64_t number = 0, wanted = 0;
  const std::string name = params.line.value_or("");
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), wanted);
  const bool numbered = error == std::errc() && end == name.data() + name.size();
  for_each_curve(lines, [&](const LinePart& part) {
    if (part.points.size() < 2) return;
    ++number;
    const bool named = numbered ? number == wanted : part.name == name;
    const double size = length_of(part.points);
    if ((params.line && !named) || size <= longest) return;
    longest = size;
    chosen = part.points;
  });
  if (number == 0) refuse("there is no line to walk along", "the lines of \"along\" are empty");
  if (chosen.empty())
    refuse(fmt::format("there is no line '{}' to walk along", name), fmt::format("its name, or 1 to {}", number));
  return {chosen.begin(), chosen.end()};
}

/// Directions all around, evenly.
template <class Act>
void all_around(int count, const Act& act) {
  for (int i = 0; i < count; ++i) {
    const double z = 1 - 2 * (i + 0.5) / count, r = std::sqrt(1 - z * z), turn = 2.399963229728653 * i;
    act(Vec3{r * math::cos(turn), r * math::sin(turn), z});
  }
}

constexpr double farthest_wall = 300, wall_step = 0.5;

double free_way(const Volume& volume, Vec3 from, Vec3 direction) {
  return volume.cast(from, direction, farthest_wall, wall_step).value_or(farthest_wall);
}

/// The middle one of the distances to the walls.
double room_around(const Volume& volume, Vec3 eye) {
  std::vector<double> ways;
  all_around(48, [&](Vec3 d) { ways.push_back(free_way(volume, eye, d)); });
  std::ranges::sort(ways);
  return std::max(ways[ways.size() / 2], 0.2);
}

/// Where one sees farthest on the level, in a sheaf of rays rather than one.
Vec3 longest_way(const Volume& volume, Vec3 eye) {
  constexpr int turns = 36;
  std::array<double, turns> ways{};
  const auto direction = [](int i, double rise) {
    const double a = 2 * math::pi * i / turns;
    return Vec3{math::sin(a), math::cos(a), rise} * (1 / std::sqrt(1 + rise * rise));
  };
  for (int i = 0; i < turns; ++i)
    for (const double rise : {-0.1, 0.0, 0.15})
      ways[static_cast<size_t>(i)] += std::sqrt(free_way(volume, eye, direction(i, rise)));
  int best = 0;
  double most = -1;
  for (int i = 0; i < turns; ++i) {
    double sum = 0;
    for (int k = -2; k <= 2; ++k) sum += ways[static_cast<size_t>((i + k + turns) % turns)];
    if (sum > most) most = sum, best = i;
  }
  return direction(best, 0);
}

Vec3 turned(Vec3 forward, double turn, double tilt) {
  const double flat = std::sqrt(forward.x * forward.x + forward.y * forward.y), size = length(forward);
  const double azimuth = math::atan2(forward.x, forward.y) + math::radians(std::fmod(turn, 360.0));
  const double up =
      std::clamp(math::atan2(forward.z, flat) + math::radians(tilt), math::radians(-89.0), math::radians(89.0));
  return Vec3{math::sin(azimuth) * math::cos(up), math::cos(azimuth) * math::cos(up), math::sin(up)} * size;
}

void refuse_rock(const Volume& volume, Vec3 eye, const PictureParams& params) {
  if (!volume.inside(eye)) return;
  const std::optional<Vec3> open = nearest_open(volume, eye);
  const std::string where = open ? fmt::format("the nearest open place is at {:.1f},{:.1f},{:.1f}, {:.1f} m away",
                                               open->x, open->y, open->z, length(*open - eye))
                                 : "there is no open place within 200 m";
  refuse(fmt::format("the eye at {:.1f},{:.1f},{:.1f} is inside the rock", eye.x, eye.y, eye.z),
         where + (params.eye ? "" : "; or choose another 'at'"));
}

}  // namespace

std::optional<Vec3> nearest_open(const Volume& volume, Vec3 at) {
  for (double radius = 0.5; radius <= 200; radius *= 1.15) {
    std::optional<Vec3> best;
    float least = 0;
    all_around(160, [&](Vec3 d) {
      const Vec3 p = at + d * radius;
      if (const float v = volume.value(p); v < least) least = v, best = p;
    });
    if (best) return best;
  }
  return std::nullopt;
}

InsideView inside_view(const Volume& volume, const PictureParams& params, const Lines* along) {
  if (!params.eye && along == nullptr)
    refuse("the camera inside needs a place",
           "\"along\": a node that gives lines, or eye=X,Y,Z in metres (tepui render: --along LINES)");
  InsideView view;
  if (params.eye) {
    view.eye = *params.eye;
    refuse_rock(volume, view.eye, params);
    view.room = room_around(volume, view.eye);
    view.target = params.target ? *params.target : view.eye + longest_way(volume, view.eye) * view.room;
  } else {
    const std::vector<Vec3> line = chosen_line(*along, params);
    const double whole = length_of(line), at = params.at.percent ? 0.01 * params.at.value * whole : params.at.value;
    if (!(at <= whole)) refuse(fmt::format("'at' is {:.6g} m along a line of {:.6g} m", at, whole), "at most 100%");
    view.eye = point_at(line, at);
    refuse_rock(volume, view.eye, params);
    view.room = room_around(volume, view.eye);
    const Vec3 ahead = point_at(line, at + std::clamp(2.5 * view.room, 2.0, 25.0));
    view.target = params.target ? *params.target : ahead;
  }
  if (!(length(view.target - view.eye) > 0))
    refuse("the eye and the target are the same point", "give another target, or leave it out");
  view.target = view.eye + turned(view.target - view.eye, params.turn.degrees, params.tilt.degrees);
  return view;
}

}  // namespace tepui
