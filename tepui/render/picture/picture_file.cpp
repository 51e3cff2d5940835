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

void write_light(const std::string& path, const Film& film, const Context& context) {
  Grid<float> planes[4];
  for (Grid<float>& plane : planes) plane = Grid<float>(film.width, film.height);
  for (int y = 0; y < film.height; ++y)
    for (int x = 0; x < film.width; ++x) {
      const Rgb c = film.radiance(x, y);
      const float values[4] = {c.r, c.g, c.b, film.solid(x, y)};
      for (size_t k = 0; k < 4; ++k) planes[k](x, film.height - 1 - y) = values[k];
    }
  Frame frame;
  frame.width = film.width;
  frame.height = film.height;
  frame.size = {static_cast<double>(film.width), static_cast<double>(film.height)};
  Terrain light(frame, {});
  for (size_t k = 0; k < 4; ++k)
    light = light.with(make_layer(std::string(1, "RGBA"[k]), "", LayerKind::continuous, std::move(planes[k])));
  write_exr(path, light, light.layers(), context);
}

}  // namespace

std::vector<std::string> picture_files(const std::string& name, const PictureParams& params) {
  std::vector<std::string> files{name};
  if (params.linear) files.push_back(exr_name(name));
  return files;
}

bool is_picture_name(const std::string& name) { return ending_of(name) == ".png" || ending_of(name) == ".webp"; }

void check_picture_name(const std::string& name, const PictureParams& params) {
  if (!is_picture_name(name))
    refuse(fmt::format("cannot write '{}': a picture's name must end in .png or .webp", name));
  if (ending_of(name) == ".webp" && std::max(params.wanted_size().x, params.wanted_size().y) > largest_webp_side)
    refuse(fmt::format("cannot write '{}': a WebP's sides are from 1 to {} pixels", name, largest_webp_side),
           "a smaller size, or .png");
}

void write_picture(const std::string& path, const Picture& picture, const PictureParams& params, const PngText& text,
                   const Context& context) {
  check_picture_name(path);
  if (ending_of(path) == ".webp")
    write_webp(path, picture.image, 90, text, context);
  else
    write_png(path, picture.image, text, context);
  if (params.linear) write_light(exr_name(path), picture.film, context);
}

}  // namespace tepui
