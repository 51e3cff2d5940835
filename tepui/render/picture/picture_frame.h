#pragma once  // internal

#include <algorithm>
#include <functional>

#include "tepui/core/context.h"
#include "tepui/core/image.h"
#include "tepui/render/light/film.h"
#include "tepui/render/picture/picture_params.h"

// What pictures of every kind of value have in common: their size, how light is gathered, and how it is shown.

namespace tepui {

struct PixelSize {
  int width, height;
};

/// The size asked for; zeros are filled in so that the picture has the shape width : height. Refuses what is too large.
PixelSize resolve_size(const PictureParams& params, double width, double height);

/// A picture has so many samples of each pixel.
int samples_of(const PictureParams& params);

/// Traces all samples of a film. Every pass covers the whole picture, so that a glance at any time shows all of it.
template <class Tracer>
void trace_in_passes(const Tracer& tracer, Film& film, const PictureParams& params, const Context& context) {
  constexpr int per_pass = 16;
  const int samples = samples_of(params);
  for (int done = 0; done < samples; done += per_pass) {
    const int count = std::min(per_pass, samples - done);
    tracer.trace(
        film, count,
        context.stage("light", static_cast<double>(done) / samples, static_cast<double>(done + count) / samples));
  }
}

/// The light of a film as a picture, `gain` times as bright; `behind` is what shows where nothing solid is, by the
/// height in the picture from 0 to 1.
Image develop(const Film& film, float gain, const std::function<Rgb(float)>& behind, const Context& context);

/// Refuses what only planets have.
void refuse_planet_settings(const PictureParams& params, const char* what);

}  // namespace tepui
