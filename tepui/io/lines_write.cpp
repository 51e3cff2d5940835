#include "tepui/io/lines_write.h"

#include <fmt/format.h>

#include "tepui/core/error.h"
#include "tepui/io/formats.h"

namespace tepui {

std::string write_lines(const FileTarget& to, const Lines& lines, const Context& context, const OutputParams& options) {
  const FileFormat* format = writing_format(to.path(), Lines::kind_name);
  if (format == nullptr)
    refuse(fmt::format("'{}' cannot hold lines", to.path()),
           fmt::format("extensions for lines: {}", fmt::join(writing_endings(Lines::kind_name), ", ")));
  check_options(Lines::kind_name, to.path(), options);
  if (format->place == PlaceInFile::needed && !lines.geo() && !lines.empty())
    context.warn(fmt::format("the lines have no place on Earth: '{}' holds world metres instead of the degrees of {}",
                             to.path(), format->name));
  format->write_lines(to, lines, options, context);
  return format->name;
}

}  // namespace tepui
