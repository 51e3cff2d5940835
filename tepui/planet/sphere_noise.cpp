#include "tepui/planet/sphere_noise.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tepui/core/math.h"
#include "tepui/core/parallel.h"
#include "tepui/core/random.h"
#include "tepui/planet/sphere_mesh.h"

namespace tepui {

namespace {
constexpr int64_t place_grain = 4096;
constexpr size_t batch = 256;
}  // namespace

Vec3 drawn_direction(const Stream& stream, uint64_t index, uint64_t channel) {
  const double z = stream.uniform(index, 2 * channel, -1, 1);
  const double angle = stream.uniform(index, 2 * channel + 1, 0, 2 * math::pi), across = std::sqrt(1 - z * z);
  return {across * math::cos(angle), across * math::sin(angle), z};
}

SphereNoise::SphereNoise(const SphereNoiseSpec& spec) : ridged_(spec.ridged) {
  const Stream stream(spec.key);
  double share = 1, sum = 0, scale = spec.scale;
  for (int k = 0; k < spec.octaves; ++k) {
    const auto index = static_cast<uint64_t>(k);
    const Vec3 x = drawn_direction(stream, index, 1);
    const Vec3 y = normalised(cross(drawn_direction(stream, index, 2), x));
    octaves_.push_back({Noise({.scale = scale, .key = stream.bits(index, 9)}), x, y, cross(x, y), share});
    sum += share;
    share *= spec.gain;
    scale *= 0.5;
  }
  for (Octave& octave : octaves_) octave.share /= sum;
}

void SphereNoise::points(std::span<const Vec3> places, std::span<float> out) const {
  std::array<double, batch> x, y, z;
  std::array<float, batch> values;
  for (size_t begin = 0; begin < places.size(); begin += batch) {
    const size_t count = std::min(batch, places.size() - begin);
    const auto sums = out.subspan(begin, count);
    std::fill(sums.begin(), sums.end(), 0.0f);
    for (const Octave& octave : octaves_) {
      for (size_t i = 0; i < count; ++i) {
        const Vec3 place = places[begin + i];
        x[i] = dot(place, octave.x);
        y[i] = dot(place, octave.y);
        z[i] = dot(place, octave.z);
      }
      const auto first = [&](auto& all) { return std::span(all.data(), count); };
      octave.noise.points(first(x), first(y), first(z), first(values));
      const auto share = static_cast<float>(octave.share);
      for (size_t i = 0; i < count; ++i) sums[i] += share * (ridged_ ? 1 - 2 * std::fabs(values[i]) : values[i]);
    }
  }
}

double SphereNoise::at(Vec3 place) const {
  float value = 0;
  points({&place, 1}, {&value, 1});
  return static_cast<double>(value);
}

std::vector<float> noise_at(std::span<const Direction> places, const SphereNoiseSpec& spec, const Context& context) {
  const SphereNoise noise(spec);
  std::vector<float> values(places.size());
  parallel_chunks(static_cast<int64_t>(places.size()), place_grain, context, [&](int64_t begin, int64_t end) {
    const auto from = static_cast<size_t>(begin), count = static_cast<size_t>(end - begin);
    const auto part = places.subspan(from, count);
    noise.points(std::vector<Vec3>(part.begin(), part.end()), std::span(values).subspan(from, count));
  });
  return values;
}

std::vector<Direction> warped(std::span<const Direction> places, double far, const SphereNoiseSpec& spec,
                              const Context& context) {
  std::vector<Vec3> moved(places.begin(), places.end());
  const Stream stream(spec.key);
  for (uint64_t axis = 0; axis < 3; ++axis) {
    SphereNoiseSpec own = spec;
    own.key = stream.bits(axis, 77);
    const std::vector<float> push = noise_at(places, own, context);
    for (size_t i = 0; i < moved.size(); ++i) {
      double& coordinate = axis == 0 ? moved[i].x : axis == 1 ? moved[i].y : moved[i].z;
      coordinate += far * static_cast<double>(push[i]);
    }
  }
  std::vector<Direction> directions;
  directions.reserve(moved.size());
  for (const Vec3 place : moved) directions.push_back(normalised(place));
  return directions;
}

}  // namespace tepui
