#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tepui/io/raster/png.h"
#include "tepui/render/picture/picture.h"

namespace tepui {

/// Views from all around a land, one after the other, or along a line through a cave; its sun stands still.
struct TurntableParams {
  int frames = 48;
  int frame_time = 90;  // milliseconds
};
void describe(Fields<TurntableParams>&);

/// Lands shown one after the other.
struct TimelapseParams {
  int frame_time = 400;  // milliseconds
  int hold = 2000;       // milliseconds, of the last one
  bool captions = true;
};
void describe(Fields<TimelapseParams>&);

/// The parameters of an animation's pictures: where no size is given, a small one.
PictureParams animation_picture(PictureParams picture);

/// What an animation became.
struct AnimationRecord {
  int width = 0, height = 0, frames = 0;
};

/// Draws one picture of an animation. All get the same size: that of the first, where the parameters leave it open.
using DrawView = std::function<Image(const PictureParams& params, const Context& context)>;

/// `picture` seen from all around: the camera goes round once, clockwise; the camera inside goes along its line. Writes
/// an animated WebP.
AnimationRecord write_turntable(const FileTarget& to, const DrawView& draw, const PictureParams& picture,
                                const TurntableParams& params, const PngText& text, const Context& context);

/// `count` lands from one camera: draw(i) gives the picture and the caption of the i-th. Writes an animated WebP.
struct CaptionedImage {
  Image image;
  std::string caption;
};
using DrawFrame = std::function<CaptionedImage(size_t index, const PictureParams& params)>;
AnimationRecord write_timelapse(const FileTarget& to, size_t count, const DrawFrame& draw, const PictureParams& picture,
                                const TimelapseParams& params, const PngText& text, const Context& context);

}  // namespace tepui
