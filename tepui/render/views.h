#pragma once

#include "tepui/io/image.h"
#include "tepui/render/scene.h"

namespace tepui {

/// The scene from straight above, fitted into the picture.
Image draw_top(const Scene& scene, int width, int height, const Context& context);

/// The scene as a block on a pale floor.
Image draw_oblique(const Scene& scene, const PictureParams& params, int width, int height, const Context& context);

/// The reflectance alone, slightly darker where the sky is hidden.
Image draw_texture(const Scene& scene, int width, int height, const Context& context);

}  // namespace tepui
