#pragma once

#include <cstdlib>
#include <new>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/image.h"
#include "tepui/core/vec.h"
#include "tepui/render/light/colour.h"

namespace tepui {

/// Memory that is zero, its pages first touched by the threads that fill them: for a large picture that is seconds of
/// work, which a cancel can stop.
template <class T>
struct ZeroPages {
  using value_type = T;
  ZeroPages() = default;
  template <class U>
  explicit ZeroPages(const ZeroPages<U>&) {}

  T* allocate(size_t count) {
    if (void* block = std::calloc(count, sizeof(T))) return static_cast<T*>(block);
    throw std::bad_alloc();
  }
  void deallocate(T* block, size_t) { std::free(block); }
  /// It is there already, all zero.
  void construct(T*) {}
  void construct(T* place, const T& value) { *place = value; }
  bool operator==(const ZeroPages&) const { return true; }
};

/// What one path has seen.
struct FilmSample {
  Rgb direct;    ///< radiance that came straight from the sun, the sky or a mirror, with the air in front
  Rgb bounced;   ///< all other radiance of the point seen: `arriving` times its reflectance, as the air lets it through
  Rgb arriving;  ///< light from sky and land on the point seen, divided by pi
  Rgb reflectance;  ///< the share of it that comes to the eye
  Vec3 normal;      ///< of the point seen
  float depth = 0;  ///< its distance
  float solid = 1;  ///< 0 where the backdrop shows
};

/// The light of a picture, summed up sample by sample; row 0 at the top.
struct Film {
  int width = 0, height = 0;
  int samples = 0;  ///< of each pixel
  struct Pixel {
    Rgb direct, bounced, arriving, reflectance;
    Rgb normal;
    float depth = 0, solid = 0;
    float square = 0;  ///< of the luminance of what arrives
  };
  std::vector<Pixel, ZeroPages<Pixel>> pixels;

  Film() = default;
  Film(int w, int h);
  void add(int x, int y, const FilmSample& sample);
  /// Mean radiance of what is solid, times its share.
  Rgb radiance(int x, int y) const;
  float solid(int x, int y) const;
};

/// Takes the grain out of the light that arrives from sky and land, not out of what it falls on: an edge-avoiding
/// filter by normal and distance (Dammertz et al. 2010), as wide as the noise asks for. In a `dim` place, where light
/// has not found its way to every pixel, it is wider, and those pixels get the light of their neighbours.
enum class FilmLight { open, dim };
Film without_grain(Film film, const Context& context, FilmLight falling = FilmLight::open);

}  // namespace tepui
