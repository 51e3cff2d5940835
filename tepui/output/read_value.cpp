#include "tepui/output/read_value.h"

#include <fmt/format.h>

#include "tepui/core/error.h"
#include "tepui/io/formats.h"
#include "tepui/io/raster_open.h"
#include "tepui/output/output_kind.h"

namespace tepui {

const Kind& kind_of_file(const std::string& path) {
  std::vector<std::string> known;
  for (const Kind& kind : kinds()) {
    if (reading_format(path, kind.name) != nullptr) return kind;
    const std::vector<std::string> endings = reading_endings(kind.name);
    known.insert(known.end(), endings.begin(), endings.end());
  }
  // It knows what to say of files that stand beside others.
  const std::string ending = file_ending(path);
  if (ending == ".hdr" || ending == ".prj") open_raster(path, {});
  refuse(fmt::format("cannot read '{}': there is no format with the extension '{}'", path, ending),
         fmt::format("known extensions: {}", fmt::join(known, ", ")));
}

Value read_value(const std::string& path, const std::vector<std::string>& how, const Context& context) {
  return output_kind(kind_of_file(path)).read(path, how, context);
}

std::string file_info(const std::string& path, const std::vector<std::string>& how, const Context& context) {
  const OutputKind& row = output_kind(kind_of_file(path));
  if (row.file_info != nullptr && how.empty()) return row.file_info(path, context);
  return row.info(row.read(path, how, context), context);
}

}  // namespace tepui
