#include "tepui/io/raster/webp.h"

#include <fmt/format.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <string_view>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"

namespace tepui {

namespace {

constexpr int longest_frame = (1 << 24) - 1;  // milliseconds, of the format

void check_size(const std::string& path, int width, int height) {
  if (width < 1 || height < 1 || width > largest_webp_side || height > largest_webp_side)
    refuse(fmt::format("cannot write '{}': a WebP of {} x {} is not possible", path, width, height),
           fmt::format("its sides are from 1 to {} pixels", largest_webp_side));
}

WebPConfig make_config(double quality) {
  WebPConfig config;
  if (WebPConfigInit(&config) == 0) fail("the WebP library is of another version than its headers");
  if (!(quality >= 0 && quality <= 100)) refuse(fmt::format("a WebP's quality of {} is not from 0 to 100", quality));
  config.quality = static_cast<float>(quality);
  return config;
}

int on_progress(int per_cent, const WebPPicture* picture) {
  const auto* context = static_cast<const Context*>(picture->user_data);
  context->progress(per_cent * 0.01);
  return context->cancelled() ? 0 : 1;
}

/// An image as the library takes it.
class Picture {
 public:
  Picture(const Image& image, const Context& context) {
    const size_t expected =
        static_cast<size_t>(image.width) * static_cast<size_t>(image.height) * static_cast<size_t>(image.channels);
    if ((image.channels != 1 && image.channels != 3 && image.channels != 4) || image.pixels.size() != expected)
      fail(fmt::format("a picture of {} x {} with {} channels cannot have {} bytes", image.width, image.height,
                       image.channels, image.pixels.size()));
    if (WebPPictureInit(&picture_) == 0) fail("the WebP library is of another version than its headers");
    picture_.width = image.width;
    picture_.height = image.height;
    picture_.use_argb = 1;
    picture_.progress_hook = on_progress;
    picture_.user_data = const_cast<Context*>(&context);
    if (!import(image)) fail("out of memory: no WebP picture");
  }
  ~Picture() { WebPPictureFree(&picture_); }
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;

  WebPPicture* get() { return &picture_; }

 private:
  bool import(const Image& image) {
    if (image.channels == 3) return WebPPictureImportRGB(&picture_, image.pixels.data(), 3 * image.width) != 0;
    if (image.channels == 4) return WebPPictureImportRGBA(&picture_, image.pixels.data(), 4 * image.width) != 0;
    Image colour(image.width, image.height, 3);
    for (size_t i = 0; i < image.pixels.size(); ++i)
      for (size_t c = 0; c < 3; ++c) colour.pixels[3 * i + c] = image.pixels[i];
    return import(colour);
  }

  WebPPicture picture_{};
};

/// Bytes that the library allocated.
struct Data {
  WebPData bytes{};
  Data() = default;
  ~Data() { WebPDataClear(&bytes); }
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;
};

struct MuxDelete {
  void operator()(WebPMux* mux) const { WebPMuxDelete(mux); }
};
using Mux = std::unique_ptr<WebPMux, MuxDelete>;

/// A picture compressed in memory.
class Compressed {
 public:
  Compressed(const std::string& path, const Image& image, double quality, const Context& context) {
    const WebPConfig config = make_config(quality);
    Picture picture(image, context);
    WebPMemoryWriterInit(&writer_);
    picture.get()->writer = WebPMemoryWrite;
    picture.get()->custom_ptr = &writer_;
    const bool done = WebPEncode(&config, picture.get()) != 0;
    if (!done) WebPMemoryWriterClear(&writer_);
    context.check();
    if (!done) fail(fmt::format("cannot write '{}': WebP error {}", path, static_cast<int>(picture.get()->error_code)));
  }
  ~Compressed() { WebPMemoryWriterClear(&writer_); }
  Compressed(const Compressed&) = delete;
  Compressed& operator=(const Compressed&) = delete;

  WebPData data() const { return {writer_.mem, writer_.size}; }

 private:
  WebPMemoryWriter writer_{};
};

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (static_cast<unsigned char>(c) >= 32 || c == '\n' || c == '\t')
      out += c;
  }
  return out;
}

/// Letters and digits only: the keys are ours.
std::string xml_name(std::string_view key) {
  std::string name;
  for (const char c : key) name += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  return name;
}

/// The text as XMP, the only kind of text that a WebP carries.
std::string xmp(const PngText& text) {
  std::string packet =
      "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
      "<rdf:Description rdf:about=\"\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" xmlns:tepui=\"urn:tepui\">";
  for (const auto& [key, value] : text) {
    const std::string name = key == "Software" ? "xmp:CreatorTool" : "tepui:" + xml_name(key);
    packet += fmt::format("<{0}>{1}</{0}>", name, xml_text(value));
  }
  return packet + "</rdf:Description></rdf:RDF></x:xmpmeta>";
}

/// Writes all that it holds, with the text.
void write_mux(const FileTarget& to, WebPMux* mux, const PngText& text) {
  const std::string packet = xmp(text);
  const WebPData chunk{reinterpret_cast<const uint8_t*>(packet.data()), packet.size()};
  Data bytes;
  if ((!text.empty() && WebPMuxSetChunk(mux, "XMP ", &chunk, 0) != WEBP_MUX_OK) ||
      WebPMuxAssemble(mux, &bytes.bytes) != WEBP_MUX_OK)
    fail(fmt::format("cannot write '{}': it is too large for a WebP", to.path()));
  to.write({reinterpret_cast<const char*>(bytes.bytes.bytes), bytes.bytes.size});
}

}  // namespace

void write_webp(const FileTarget& to, const Image& image, double quality, const PngText& text, const Context& context) {
  check_size(to.path(), image.width, image.height);
  const Compressed compressed(to.path(), image, quality, context);
  const WebPData data = compressed.data();
  const Mux mux(WebPMuxCreate(&data, 0));
  if (mux == nullptr) fail("out of memory: no WebP writer");
  write_mux(to, mux.get(), text);
  context.progress(1);
}

struct AnimationWriter::Frames {
  Mux mux;
};

AnimationWriter::AnimationWriter(FileTarget to, int width, int height, double quality)
    : frames_(std::make_unique<Frames>()), to_(std::move(to)), width_(width), height_(height), quality_(quality) {
  check_size(to_.path(), width, height);
  make_config(quality);
  to_.check();
  frames_->mux.reset(WebPMuxNew());
  const WebPMuxAnimParams params{0xffffffff, 0};
  if (frames_->mux == nullptr || WebPMuxSetCanvasSize(frames_->mux.get(), width, height) != WEBP_MUX_OK ||
      WebPMuxSetAnimationParams(frames_->mux.get(), &params) != WEBP_MUX_OK)
    fail("out of memory: no WebP animation");
}

AnimationWriter::~AnimationWriter() = default;

void AnimationWriter::add(const Image& frame, int milliseconds, const Context& context) {
  if (frame.width != width_ || frame.height != height_)
    fail(fmt::format("cannot write '{}': a frame of {} x {} in an animation of {} x {}", to_.path(), frame.width,
                     frame.height, width_, height_));
  if (milliseconds < 1 || milliseconds > longest_frame)
    refuse(fmt::format("cannot write '{}': a frame cannot last {} ms", to_.path(), milliseconds),
           fmt::format("1 to {} ms", longest_frame));
  const Compressed compressed(to_.path(), frame, quality_, context);
  WebPMuxFrameInfo info{};
  info.bitstream = compressed.data();
  info.duration = milliseconds;
  info.id = WEBP_CHUNK_ANMF;
  info.dispose_method = WEBP_MUX_DISPOSE_NONE;
  info.blend_method = WEBP_MUX_NO_BLEND;
  if (WebPMuxPushFrame(frames_->mux.get(), &info, 1) != WEBP_MUX_OK)
    fail(fmt::format("cannot write '{}': a frame could not be added", to_.path()));
  ++count_;
  context.progress(1);
}

void AnimationWriter::finish(const PngText& text, const Context& context) {
  if (count_ == 0) refuse(fmt::format("cannot write '{}': an animation without frames", to_.path()));
  context.check();
  write_mux(to_, frames_->mux.get(), text);
  context.progress(1);
}

}  // namespace tepui
