#pragma once

#include <string>
#include <vector>

#include "tepui/io/export.h"
#include "tepui/io/raster/png.h"
#include "tepui/render/picture/picture.h"

namespace tepui {

/// The files that a picture of this name becomes: itself and, where asked for, NAME.exr beside it.
std::vector<std::string> picture_files(const std::string& name, const PictureParams& params);

/// The picture with its light where that is asked for, and with what it says of itself.
Image image_of(Picture picture, bool linear, PngText text);

/// The files that an image of this name becomes, with or without its light.
std::vector<std::string> image_files(const std::string& name, bool light);

/// Writes an image with its text as a PNG or a WebP by its ending, and its light, where it has it, as an EXR. Atomic.
/// Returns the records of the files.
std::vector<FileRecord> write_image(const FileTarget& to, const Image& image, const Context& context);

bool is_picture_name(const std::string& name);
/// Refuses any other name, and a size that its format cannot hold.
void check_picture_name(const std::string& name, const PictureParams& params = {});

/// Writes them: a PNG or a WebP by its ending, and the light itself (linear, the primaries of sRGB, before exposure and
/// tone mapping, with opacity) as an EXR. Atomic.
std::vector<FileRecord> write_picture(const FileTarget& to, const Picture& picture, const PictureParams& params,
                                      const PngText& text, const Context& context);

}  // namespace tepui
