#include <fmt/format.h>

#include "tepui/io/file_list.h"
#include "tepui/output/info_json.h"
#include "tepui/output/kind_rows.h"

namespace tepui {

namespace {

OrderedJson describe(const Value& value, const Context&) {
  OrderedJson files = OrderedJson::array();
  for (const FileRecord& record : get<FileList>(value).records()) files.push_back(record.name);
  return {{"kind", "files"}, {"files", files}};
}

}  // namespace

/// What was written leaves no second time.
OutputKind files_output() {
  return {.kind = &kind_of<FileList>(), .info = info_text<describe>, .text = [](const Value& value, const Context&) {
            return fmt::format("{} files\n", get<FileList>(value).records().size());
          }};
}

}  // namespace tepui
