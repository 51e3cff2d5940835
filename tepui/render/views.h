#pragma once

#include "tepui/io/image.h"
#include "tepui/render/scene.h"

namespace tepui {

struct PixelSize {
  int width, height;
};
/// The size asked for; zeros are filled in so that the picture has the shape width : height.
PixelSize resolve_size(Vec2 asked, double width, double height);

/// Throws unless every parameter is within its range.
void check_picture(const PictureParams& params);

/// The scene from straight above, fitted into the picture.
Image draw_top(const Scene& scene, int width, int height, const Context& context);

/// The scene as a block on a pale floor.
Image draw_oblique(const Scene& scene, const PictureParams& params, int width, int height, const Context& context);

/// The reflectance alone, slightly darker where the sky is hidden.
Image draw_texture(const Scene& scene, int width, int height, const Context& context);

}  // namespace tepui
