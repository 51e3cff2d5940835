#include "tepui/io/table/geojson.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tepui/io/file/atomic_file.h"
#include "tepui/io/place/gdal_session.h"
#include "tepui/io/table/lines_fields.h"
#include "tepui/io/table/lines_place.h"

namespace tepui {

namespace {

constexpr size_t text_block_bytes = size_t{1} << 20;
constexpr size_t points_between_checks = 4096;

std::string json_text(std::string_view text) { return nlohmann::json(valid_text(text)).dump(); }

std::vector<std::string> keys(const std::vector<std::string>& fields) {
  std::vector<std::string> list;
  for (const std::string& field : fields) list.push_back(json_text(field) + ':');
  return list;
}

/// With nine decimals, less those that are zeros.
void add_degrees(std::string& to, double value) {
  fmt::format_to(std::back_inserter(to), "{:.9f}", value);
  to.resize(to.find_last_not_of('0') + 1);
  if (to.ends_with('.')) to.pop_back();
  if (to.ends_with("-0") && (to.size() == 2 || to[to.size() - 3] == '[' || to[to.size() - 3] == ','))
    to.erase(to.size() - 2, 1);
}

/// Collects features and writes them in blocks.
class FeatureWriter {
 public:
  FeatureWriter(ByteSink& file, const Lines& lines, const Context& context)
      : file_(file), lines_(lines), columns_(lines.columns()), context_(context) {
    if (lines.geo()) degrees_ = degrees_of(lines, context);
    const LineFieldNames fields = line_field_names(lines);
    named_ = fields.name;
    numbers_ = keys(fields.numbers);
    texts_ = keys(fields.texts);
    vertex_numbers_ = keys(fields.vertex_numbers);
  }

  void write() {
    text_ = R"({"type":"FeatureCollection",)";
    if (!lines_.geo())
      text_ += R"("crs":{"type":"name","properties":{"name":)" +
               json_text(fmt::format(R"(LOCAL_CS["{}",UNIT["metre",1]])", local_metres)) + "}},";
    text_ += "\"features\":[";
    for (size_t i = 0; i < lines_.features(); ++i) {
      text_ += i > 0 ? ",\n" : "\n";
      feature(i);
    }
    text_ += "\n]}\n";
    flush();
  }

 private:
  void flush() {
    context_.check();
    file_.write(text_.data(), text_.size());
    text_.clear();
    const auto points = static_cast<double>(columns_.vertices.size());
    context_.progress(points > 0 ? std::min(1.0, static_cast<double>(done_) / points) : 1);
  }

  void feature(size_t number) {
    const LineFeature feature = lines_.feature(number);
    text_ += R"({"type":"Feature","properties":{)";
    properties(number, feature);
    text_ += R"(},"geometry":{"type":")";
    geometry(feature);
    text_ += "}}";
    if (text_.size() >= text_block_bytes) flush();
  }

  void properties(size_t number, const LineFeature& feature) {
    const char* comma = "";
    const auto key = [&](std::string_view text) {
      text_ += std::exchange(comma, ",");
      text_ += text;
    };
    if (named_) {
      key("\"name\":");
      text_ += feature.name.empty() ? "null" : json_text(feature.name);
    }
    for (size_t i = 0; i < numbers_.size(); ++i) {
      key(numbers_[i]);
      const double value = columns_.numbers[i].values[number];
      text_ += std::isnan(value) ? "null" : fmt::format("{}", value);
    }
    for (size_t i = 0; i < texts_.size(); ++i) {
      key(texts_[i]);
      const LineTextAttribute& text = columns_.texts[i];
      text_ += text.present[number] != 0 ? json_text(text.values[number]) : "null";
    }
    for (size_t i = 0; i < vertex_numbers_.size(); ++i) {
      key(vertex_numbers_[i]);
      const std::span<const double> values(columns_.vertex_numbers[i].values);
      const auto own = values.subspan(feature.first_vertex, feature.end_vertex - feature.first_vertex);
      if (std::ranges::all_of(own, [](double v) { return std::isnan(v); }))
        text_ += "null";
      else
        add_json_list(text_, own);
    }
  }

  void geometry(const LineFeature& feature) {
    const size_t parts = feature.end_part - feature.first_part;
    if (feature.shape == FeatureShape::point) {
      const bool one = feature.end_vertex == feature.first_vertex + 1;
      text_ += one ? R"(Point","coordinates":)" : R"(MultiPoint","coordinates":)";
      if (one)
        position(feature.first_vertex);
      else
        part(feature.first_part);
      return;
    }
    const bool nested = feature.shape == FeatureShape::polygon || parts != 1;
    text_ += feature.shape == FeatureShape::polygon ? "Polygon" : nested ? "MultiLineString" : "LineString";
    text_ += nested ? R"(","coordinates":[)" : R"(","coordinates":)";
    for (size_t p = feature.first_part; p < feature.end_part; ++p) {
      if (p > feature.first_part) text_ += ',';
      part(p);
    }
    if (nested) text_ += ']';
  }

  void part(size_t number) {
    const size_t first = columns_.part_starts[number], end = columns_.part_starts[number + 1];
    text_ += '[';
    for (size_t v = first; v < end; ++v) {
      if (v > first) text_ += ',';
      position(v);
    }
    if (columns_.part_closed[number] != 0 && first < end) {
      text_ += ',';
      position(first);
    }
    text_ += ']';
  }

  void position(size_t vertex) {
    const Vec3 p = columns_.vertices[vertex];
    if (degrees_.empty()) {
      fmt::format_to(std::back_inserter(text_), "[{},{},{}]", p.x, p.y, p.z);
    } else {
      text_ += '[';
      add_degrees(text_, degrees_[vertex].x);
      text_ += ',';
      add_degrees(text_, degrees_[vertex].y);
      fmt::format_to(std::back_inserter(text_), ",{}]", p.z);
    }
    if (++done_ % points_between_checks == 0 && text_.size() >= text_block_bytes) flush();
  }

  ByteSink& file_;
  const Lines& lines_;
  const LinesColumns& columns_;
  const Context& context_;
  std::vector<Vec2> degrees_;  ///< of every vertex; empty where there are none
  bool named_ = false;
  std::vector<std::string> numbers_, texts_, vertex_numbers_;  ///< keys as they are written
  size_t done_ = 0;
  std::string text_;
};

}  // namespace

void write_lines_geojson(const FileTarget& to, const Lines& lines, const Context& context) {
  to.write([&](ByteSink& file) { FeatureWriter(file, lines, context).write(); });
}

}  // namespace tepui
