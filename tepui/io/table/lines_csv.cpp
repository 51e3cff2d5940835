#include "tepui/io/table/lines_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tepui/io/file/atomic_file.h"
#include "tepui/io/table/lines_fields.h"

namespace tepui {

namespace {

constexpr size_t csv_block_bytes = size_t{1} << 20;

std::string cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos && !text.starts_with(' ') && !text.ends_with(' '))
    return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

/// Collects rows and writes them in blocks.
class RowWriter {
 public:
  RowWriter(ByteSink& file, const Lines& lines, const Context& context)
      : file_(file), lines_(lines), columns_(lines.columns()), context_(context) {
    shaped_ = lines.parts() != lines.features() ||
              std::ranges::any_of(columns_.shapes, [](FeatureShape shape) { return shape != FeatureShape::line; });
  }

  void header() {
    rows_ = shaped_ ? "line,x,y,z,shape,part" : "line,x,y,z";
    for (const auto* list : {&columns_.vertex_numbers, &columns_.numbers})
      for (const LineAttribute& a : *list) rows_ += ',' + cell(a.unit.empty() ? a.name : a.name + " (" + a.unit + ")");
    for (const LineTextAttribute& a : columns_.texts) rows_ += ',' + cell(a.name);
    rows_ += '\n';
  }

  void feature(size_t number) {
    const LineFeature feature = lines_.feature(number);
    name_ = cell(feature.name.empty() ? std::to_string(number + 1) : feature.name);
    own_.clear();
    for (const LineAttribute& a : columns_.numbers) add_number(own_, a.values[number]);
    for (const LineTextAttribute& a : columns_.texts) own_ += ',' + cell(a.values[number]);
    for (size_t p = feature.first_part; p < feature.end_part; ++p) {
      place_ = shaped_ ? fmt::format(",{},{}", feature_shape_name(feature.shape), p - feature.first_part + 1) : "";
      const size_t first = columns_.part_starts[p], end = columns_.part_starts[p + 1];
      for (size_t v = first; v < end; ++v) row(v);
      if (columns_.part_closed[p] != 0 && first < end) row(first);
    }
  }

  void flush() {
    context_.check();
    file_.write(rows_.data(), rows_.size());
    rows_.clear();
    const auto points = static_cast<double>(columns_.vertices.size());
    context_.progress(points > 0 ? std::min(1.0, static_cast<double>(done_) / points) : 1);
  }

 private:
  static void add_number(std::string& row, double value) {
    row += ',';
    if (!std::isnan(value)) fmt::format_to(std::back_inserter(row), "{}", value);
  }

  void row(size_t vertex) {
    const Vec3 p = columns_.vertices[vertex];
    fmt::format_to(std::back_inserter(rows_), "{},{},{},{}", name_, p.x, p.y, p.z);
    rows_ += place_;
    for (const LineAttribute& a : columns_.vertex_numbers) add_number(rows_, a.values[vertex]);
    rows_ += own_;
    rows_ += '\n';
    ++done_;
    if (rows_.size() >= csv_block_bytes) flush();
  }

  ByteSink& file_;
  const Lines& lines_;
  const LinesColumns& columns_;
  const Context& context_;
  bool shaped_ = false;
  size_t done_ = 0;
  std::string rows_, name_, place_, own_;  ///< own_: what is the same in each row of a feature
};

}  // namespace

void write_lines_csv(const FileTarget& to, const Lines& lines, const Context& context) {
  to.write([&](ByteSink& file) {
    RowWriter rows(file, lines, context);
    rows.header();
    for (size_t i = 0; i < lines.features(); ++i) rows.feature(i);
    rows.flush();
  });
}

}  // namespace tepui
