#include "tepui/core/error.h"
#include "tepui/graph/cache_bytes.h"
#include "tepui/graph/columns.h"
#include "tepui/graph/kept_kinds.h"
#include "tepui/terrain/lines.h"

namespace tepui {

namespace {

/// The arrays, in the order in which they are kept.
template <class Columns, class Visit>
void each_column(Columns& columns, const Visit& visit) {
  visit(columns.vertices);
  visit(columns.part_starts);
  visit(columns.part_closed);
  visit(columns.feature_starts);
  visit(columns.shapes);
  visit(columns.names.text);
  visit(columns.names.starts);
  for (auto& column : columns.numbers) visit(column.values);
  for (auto& column : columns.texts) {
    visit(column.values.text);
    visit(column.values.starts);
    visit(column.present);
  }
  for (auto& column : columns.vertex_numbers) visit(column.values);
}

std::vector<PartBytes> parts_of_lines(const Value& value) {
  std::vector<PartBytes> parts;
  each_column(get<Lines>(value).columns(), [&](const auto& array) { parts.push_back(column_bytes(array)); });
  return parts;
}

void put_names(ByteWriter& w, const std::vector<LineAttribute>& columns) {
  w.word(columns.size());
  for (const LineAttribute& column : columns) {
    w.put(column.name);
    w.put(column.unit);
  }
}

std::vector<LineAttribute> read_names(ByteReader& r) {
  std::vector<LineAttribute> columns;
  for (size_t left = r.count(); left > 0 && r.sound(); --left) {
    std::string name = r.text();
    columns.push_back({std::move(name), r.text(), {}});
  }
  return columns;
}

std::string outline_of_lines(const Value& value, const std::vector<Part>&) {
  const LinesColumns& columns = get<Lines>(value).columns();
  ByteWriter w;
  put_names(w, columns.numbers);
  put_names(w, columns.vertex_numbers);
  w.word(columns.texts.size());
  for (const LineTextAttribute& column : columns.texts) w.put(column.name);
  w.word(columns.geo ? 1 : 0);
  if (columns.geo) {
    w.put(columns.geo->crs);
    w.put(columns.geo->origin);
    w.put(columns.geo->step);
  }
  return std::move(w.bytes());
}

std::optional<Value> restore_lines(std::string_view text, const std::vector<Part>& parts, const PartReader& read) {
  ByteReader r(text);
  LinesColumns columns;
  columns.numbers = read_names(r);
  columns.vertex_numbers = read_names(r);
  for (size_t left = r.count(); left > 0 && r.sound(); --left) columns.texts.push_back({r.text(), {}, {}});
  if (r.word() != 0) {
    Georeference geo;
    geo.crs = r.text();
    geo.origin = r.pair();
    geo.step = r.pair();
    columns.geo = std::move(geo);
  }
  return restore_columns<Lines>(r, std::move(columns), parts, read,
                                [](auto& whole, const auto& take) { each_column(whole, take); });
}

}  // namespace

Kind kept_lines(Kind row) {
  row.parts = parts_of_lines;
  row.outline = outline_of_lines;
  row.restore = restore_lines;
  return row;
}

}  // namespace tepui
