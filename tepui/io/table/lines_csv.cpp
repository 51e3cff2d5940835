#include "tepui/io/table/lines_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tepui/io/file/atomic_file.h"

namespace tepui {

namespace {

constexpr size_t block_bytes = size_t{1} << 20;

std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos && !text.starts_with(' ') && !text.ends_with(' ')) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

struct Column {
  std::string name, unit;
};

/// Those of all lines, in the order in which they come.
std::vector<Column> columns_of(const Lines& lines) {
  std::vector<Column> columns;
  for (const Polyline& line : lines.list())
    for (const LineAttribute& a : line.attributes)
      if (std::ranges::none_of(columns, [&](const Column& c) { return c.name == a.name && c.unit == a.unit; }))
        columns.push_back({a.name, a.unit});
  return columns;
}

/// The line's values for each column; nullptr where it has none.
std::vector<const std::vector<double>*> values_of(const Polyline& line, const std::vector<Column>& columns) {
  std::vector<const std::vector<double>*> list;
  for (const Column& c : columns) {
    const auto found = std::ranges::find_if(
        line.attributes, [&](const LineAttribute& a) { return a.name == c.name && a.unit == c.unit; });
    list.push_back(found != line.attributes.end() ? &found->values : nullptr);
  }
  return list;
}

/// Collects rows and writes them in blocks.
class RowWriter {
 public:
  RowWriter(OutputFile& file, const Context& context, size_t points)
      : file_(file), context_(context), points_(points) {}

  void header(const std::vector<Column>& columns) {
    rows_ = "line,x,y,z";
    for (const Column& c : columns) rows_ += ',' + cell(c.unit.empty() ? c.name : c.name + " (" + c.unit + ")");
    rows_ += '\n';
  }

  void row(const std::string& name, Vec3 p, const std::vector<const std::vector<double>*>& values, size_t i) {
    fmt::format_to(std::back_inserter(rows_), "{},{},{},{}", name, p.x, p.y, p.z);
    for (const std::vector<double>* list : values) {
      rows_ += ',';
      if (list != nullptr) fmt::format_to(std::back_inserter(rows_), "{}", (*list)[i]);
    }
    rows_ += '\n';
    ++done_;
    if (rows_.size() >= block_bytes) flush();
  }

  void flush() {
    context_.check();
    file_.write(rows_.data(), rows_.size());
    rows_.clear();
    context_.progress(points_ > 0 ? std::min(1.0, static_cast<double>(done_) / static_cast<double>(points_)) : 1);
  }

 private:
  OutputFile& file_;
  const Context& context_;
  size_t points_, done_ = 0;
  std::string rows_;
};

}  // namespace

void write_lines_csv(const std::string& path, const Lines& lines, const Context& context) {
  write_atomically(path, [&](const std::string& temporary) {
    OutputFile file(temporary, path);
    const std::vector<Column> columns = columns_of(lines);
    size_t points = 0, number = 0;
    for (const Polyline& line : lines.list()) points += line.points.size();
    RowWriter rows(file, context, points);
    rows.header(columns);
    for (const Polyline& line : lines.list()) {
      const std::string name = cell(line.name.empty() ? std::to_string(number + 1) : line.name);
      const auto values = values_of(line, columns);
      for (size_t i = 0; i < line.points.size(); ++i) rows.row(name, line.points[i], values, i);
      if (line.closed && !line.points.empty()) rows.row(name, line.points.front(), values, 0);
      ++number;
    }
    rows.flush();
    file.close();
  });
}

}  // namespace tepui
