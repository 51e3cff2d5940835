#include "tepui/graph/cache_bytes.h"
#include "tepui/graph/kept_kinds.h"
#include "tepui/io/file_list.h"

namespace tepui {

namespace {

std::optional<Value> restore(std::string_view text, const std::vector<Part>&, const PartReader&) {
  ByteReader r(text);
  std::vector<FileRecord> records;
  for (size_t left = r.count(); left > 0 && r.sound(); --left) {
    std::optional<FileRecord> record = parse_record(r.text());
    if (!record) return std::nullopt;
    records.push_back(std::move(*record));
  }
  if (!r.sound() || !r.at_end()) return std::nullopt;
  return FileList(std::move(records));
}

}  // namespace

Kind kept_files(Kind row) {
  row.parts = [](const Value&) { return std::vector<PartBytes>(); };
  row.outline = [](const Value& value, const std::vector<Part>&) {
    const std::vector<FileRecord>& records = get<FileList>(value).records();
    ByteWriter w;
    w.word(records.size());
    for (const FileRecord& record : records) w.put(record_text(record));
    return std::move(w.bytes());
  };
  row.restore = restore;
  return row;
}

}  // namespace tepui
