#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tepui/core/context.h"
#include "tepui/core/image.h"
#include "tepui/io/raster/png.h"

namespace tepui {

/// Of a WebP, each way.
inline constexpr int largest_webp_side = 16383;

/// Writes a picture, atomically. `quality` is from 0 (small) to 100 (good); the text becomes the file's XMP. The same
/// picture and text always give the same bytes. Stops soon when cancelled.
void write_webp(const FileTarget& to, const Image& image, double quality = 90, const PngText& text = {},
                const Context& context = {});

/// An animated WebP that plays over and over, fed a frame at a time: only compressed frames are kept. Every frame is
/// stored whole, so that none inherits the errors of those before it. Nothing is on disk before finish().
class AnimationWriter {
 public:
  /// Refuses a place that cannot be written, before there is anything to write.
  AnimationWriter(FileTarget to, int width, int height, double quality = 80);
  ~AnimationWriter();
  AnimationWriter(const AnimationWriter&) = delete;
  AnimationWriter& operator=(const AnimationWriter&) = delete;

  /// The next frame, of the animation's size, shown for this long.
  void add(const Image& frame, int milliseconds, const Context& context = {});
  /// Writes the file.
  void finish(const PngText& text = {}, const Context& context = {});

 private:
  struct Frames;
  std::unique_ptr<Frames> frames_;
  FileTarget to_;
  int width_ = 0, height_ = 0;
  double quality_ = 0;
  int64_t count_ = 0;
};

}  // namespace tepui
