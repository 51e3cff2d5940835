#include "tepui/render/picture/animation.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "tepui/core/error.h"
#include "tepui/io/raster/webp.h"
#include "tepui/render/page/drawing.h"
#include "tepui/render/page/font.h"
#include "tepui/render/page/sheet.h"

namespace tepui {

namespace {

constexpr double default_width = 640;
constexpr Range frame_times{10, 60000};
/// Per cent of the line that a walk goes over: its very ends may be in a wall.
constexpr double walk_from = 2, walk_to = 98;

void check_place(const FileTarget& to) {
  if (file_ending(to.path()) != ".webp")
    refuse(fmt::format("cannot write '{}': an animation's name must end in .webp", to.path()));
  to.check();
}

/// Writes frames of one size, the first one's.
class Frames {
 public:
  Frames(FileTarget to, PictureParams picture) : to_(std::move(to)), picture_(animation_picture(std::move(picture))) {
    check_place(to_);
  }

  /// For the next frame.
  const PictureParams& picture() const { return picture_; }

  void add(const Image& image, int milliseconds, const Context& context) {
    if (!writer_) {
      writer_ = std::make_unique<AnimationWriter>(to_, image.width, image.height);
      picture_.size = Vec2{static_cast<double>(image.width), static_cast<double>(image.height)};
      record_ = {image.width, image.height, 0};
    }
    writer_->add(image, milliseconds, context);
    ++record_.frames;
  }

  AnimationRecord finish(const PngText& text, const Context& context) {
    writer_->finish(text, context);
    return record_;
  }

 private:
  FileTarget to_;
  PictureParams picture_;
  std::unique_ptr<AnimationWriter> writer_;
  AnimationRecord record_;
};

/// The picture with its caption on a dark band in the lower left corner.
Image captioned(const CaptionedImage& frame) {
  constexpr double size = 14, pad = 8, height = 26;
  const Image& image = frame.image;
  const std::string text = fitted_text(frame.caption, size, image.width - 2 * pad);
  if (text.empty() || image.height < 2 * height) return image;
  Drawing drawing(image.width, image.height);
  drawing.picture({}, {static_cast<double>(image.width), static_cast<double>(image.height)}, image);
  drawing.rectangle({0, image.height - height}, {std::ceil(text_width(text, size)) + 2 * pad, height}, 0x000000, 0.45);
  drawing.text({pad, image.height - 8.0}, text, {.size = size, .rgb = 0xffffff});
  return drawing.raster();
}

}  // namespace

void describe(Fields<TurntableParams>& f) {
  using P = TurntableParams;
  f.about("Views from all around a land");
  f("frames", &P::frames, Range{2, 720}, "number of views in one turn, or in one walk of the camera inside")
      .slider(12, 120);
  f("frame_time", &P::frame_time, frame_times, "how long each frame is shown").slider(30, 1000).unit("ms");
}

void describe(Fields<TimelapseParams>& f) {
  using P = TimelapseParams;
  f.about("Lands shown one after the other");
  f("frame_time", &P::frame_time, frame_times, "how long each frame is shown").slider(30, 2000).unit("ms");
  f("hold", &P::hold, frame_times, "how long the last frame is shown").slider(30, 5000).unit("ms");
  f("captions", &P::captions, "write what is shown into a corner");
}

PictureParams animation_picture(PictureParams picture) {
  if (picture.wanted_size() == Vec2{}) picture.size = Vec2{default_width, 0};
  return picture;
}

AnimationRecord write_turntable(const FileTarget& to, const DrawView& draw, const PictureParams& picture,
                                const TurntableParams& params, const PngText& text, const Context& context) {
  if (picture.camera == Camera::top || picture.camera == Camera::free)
    refuse("a turntable needs a camera beside the land", "for example camera = three_quarter");
  PictureParams steady = picture;
  steady.steady = true;
  Frames frames(to, steady);
  for (int i = 0; i < params.frames; ++i) {
    const Context step = context.stage(fmt::format("view {} of {}", i + 1, params.frames),
                                       static_cast<double>(i) / params.frames, (i + 1.0) / params.frames);
    step.check();
    PictureParams view = frames.picture();
    // Inside a cave it is a walk, from the first place of the line to its end.
    if (picture.camera == Camera::inside)
      view.at = percent(walk_from + (walk_to - walk_from) * i / (params.frames - 1));
    else
      view.turn.degrees = std::fmod(view.turn.degrees + 360.0 * i / params.frames, 360.0);
    frames.add(draw(view, step), params.frame_time, context.told_to(nullptr));
  }
  return frames.finish(text, context.told_to(nullptr));
}

AnimationRecord write_timelapse(const FileTarget& to, size_t count, const DrawFrame& draw, const PictureParams& picture,
                                const TimelapseParams& params, const PngText& text, const Context& context) {
  if (count < 2) refuse("a time-lapse needs at least two lands", "for example --sweep age=0..1:12");
  Frames frames(to, picture);
  for (size_t i = 0; i < count; ++i) {
    context.check();
    const CaptionedImage frame = draw(i, frames.picture());
    frames.add(params.captions ? captioned(frame) : frame.image, i + 1 == count ? params.hold : params.frame_time,
               context.told_to(nullptr));
  }
  return frames.finish(text, context.told_to(nullptr));
}

}  // namespace tepui
