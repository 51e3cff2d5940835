#include "tepui/render/picture/picture_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/raster/exr.h"
#include "tepui/io/raster/webp.h"

namespace tepui {

namespace {

/// In small letters; a name that is nothing else has none.
std::string ending_of(const std::string& name) {
  return std::filesystem::path(name).has_extension() ? file_ending(name) : std::string();
}

std::string exr_name(const std::string& name) { return std::filesystem::path(name).replace_extension(".exr").string(); }

void write_light(const FileTarget& to, const Image& image, const Context& context) {
  Frame frame;
  frame.width = image.width;
  frame.height = image.height;
  frame.size = {static_cast<double>(image.width), static_cast<double>(image.height)};
  Terrain light(frame, {});
  for (size_t k = 0; k < 4; ++k) {
    Grid<float> plane(image.width, image.height);
    const float* from = image.light.data() + k;
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x, from += 4) plane(x, image.height - 1 - y) = *from;
    light = light.with(make_layer(std::string(1, "RGBA"[k]), "", LayerKind::continuous, std::move(plane)));
  }
  write_exr(to, light, light.layers(), context);
}

}  // namespace

std::vector<std::string> image_files(const std::string& name, bool light) {
  std::vector<std::string> files{name};
  if (light) files.push_back(exr_name(name));
  return files;
}

std::vector<std::string> picture_files(const std::string& name, const PictureParams& params) {
  return image_files(name, params.linear);
}

Image image_of(Picture picture, bool linear, PngText text) {
  Image image = std::move(picture.image);
  image.text = std::move(text);
  if (!linear) return image;
  const Film& film = picture.film;
  image.light.reserve(4 * static_cast<size_t>(film.width) * static_cast<size_t>(film.height));
  for (int y = 0; y < film.height; ++y)
    for (int x = 0; x < film.width; ++x) {
      const Rgb c = film.radiance(x, y);
      image.light.insert(image.light.end(), {c.r, c.g, c.b, film.solid(x, y)});
    }
  return image;
}

bool is_picture_name(const std::string& name) { return ending_of(name) == ".png" || ending_of(name) == ".webp"; }

void check_picture_name(const std::string& name, const PictureParams& params) {
  if (!is_picture_name(name))
    refuse(fmt::format("cannot write '{}': a picture's name must end in .png or .webp", name));
  if (ending_of(name) == ".webp" && std::max(params.wanted_size().x, params.wanted_size().y) > largest_webp_side)
    refuse(fmt::format("cannot write '{}': a WebP's sides are from 1 to {} pixels", name, largest_webp_side),
           "a smaller size, or .png");
}

std::vector<FileRecord> write_image(const FileTarget& to, const Image& image, const Context& context) {
  check_picture_name(to.path());
  if (ending_of(to.path()) == ".webp")
    write_webp(to, image, 90, image.text, context);
  else
    write_png(to, image, image.text, context);
  std::vector<FileRecord> records{record_of(to, "picture")};
  if (image.light.empty()) return records;
  const FileTarget light = to.beside(exr_name(to.path()));
  write_light(light, image, context);
  records.push_back(record_of(light, "EXR"));
  return records;
}

std::vector<FileRecord> write_picture(const FileTarget& to, const Picture& picture, const PictureParams& params,
                                      const PngText& text, const Context& context) {
  return write_image(to, image_of(picture, params.linear, text), context);
}

}  // namespace tepui
