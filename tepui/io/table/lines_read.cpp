#include "tepui/io/table/lines_read.h"

#include <fmt/format.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <variant>

#include "tepui/core/error.h"
#include "tepui/core/file.h"
#include "tepui/core/text.h"
#include "tepui/io/file/json_input.h"
#include "tepui/io/place/crs.h"
#include "tepui/io/place/gdal_session.h"
#include "tepui/io/table/lines_fields.h"
#include "tepui/io/table/lines_geometry.h"
#include "tepui/io/table/lines_place.h"
#include "tepui/terrain/lines_builder.h"

namespace tepui {

namespace {

constexpr int most_fields = 2000;
constexpr size_t lines_between_checks = 256;

/// What GDAL is told about reading, whatever the user's environment says.
struct ReadSettings {
  /// The default refuses a line of half a million points; what a file can ask for stays in proportion to its length.
  CPLConfigOptionSetter largest{"OGR_GEOJSON_MAX_OBJ_SIZE", "16384", false};
  CPLConfigOptionSetter extensions{"OGR_SQLITE_LOAD_EXTENSIONS", "", false};
  CPLConfigOptionSetter pragma{"OGR_SQLITE_PRAGMA", "", false};
};

GdalDataset open(const std::string& path, const GdalSession& session) {
  const std::string ending = file_ending(path);
  GdalOpen how;
  how.flags = GDAL_OF_VECTOR | GDAL_OF_READONLY;
  if (ending == ".geojson" || ending == ".json") {
    how.format = "GeoJSON";
    how.drivers = {"GeoJSON"};
    how.options = {"ARRAY_AS_STRING=YES", "DATE_AS_STRING=YES", "FLATTEN_NESTED_ATTRIBUTES=NO",
                   "NATIVE_DATA=NO",      "ATTRIBUTES_SKIP=NO", "GEOMETRY_AS_COLLECTION=NO"};
  } else if (ending == ".gpkg") {
    std::error_code none;
    if (const auto bytes = std::filesystem::file_size(path + "-wal", none); !none && bytes > 0)
      refuse(fmt::format("cannot read '{}': '{}-wal' beside it holds changes that are not in it yet", path,
                         file_name(path)),
             "close the program that has it open");
    how.format = "GeoPackage";
    how.drivers = {"GPKG"};
    how.options = {"IMMUTABLE=YES", "LIST_ALL_TABLES=NO"};
  } else {
    refuse(fmt::format("'{}' is not a known file of lines", path), "the extension must be .geojson, .json or .gpkg");
  }
  return open_gdal_dataset(path, how, session);
}

OGRLayer& choose_layer(const std::string& path, GDALDataset& dataset, const std::string& wanted) {
  const int count = dataset.GetLayerCount();
  if (count == 0) refuse(fmt::format("'{}' has no layer of points, lines or polygons", path));
  std::string names;
  for (int i = 0; i < std::min(count, 20); ++i)
    names += fmt::format("{}'{}'", i > 0 ? ", " : "", dataset.GetLayer(i)->GetName());
  if (count > 20) names += ", ...";
  if (wanted.empty() && count == 1) return *dataset.GetLayer(0);
  if (wanted.empty()) refuse(fmt::format("'{}' has {} layers: {}", path, count, names), "choose one with layer=NAME");
  for (int i = 0; i < count; ++i)
    if (wanted == dataset.GetLayer(i)->GetName()) return *dataset.GetLayer(i);
  refuse(fmt::format("'{}' has no layer '{}'", path, wanted), fmt::format("it has {}", names));
}

/// A view is a query, which may take forever.
void check_table(const std::string& path, GDALDataset& dataset, const std::string& layer) {
  if (dataset.GetDriver() == nullptr || !EQUAL(dataset.GetDriver()->GetDescription(), "GPKG")) return;
  std::string name;
  for (const char c : layer) name += c == '\'' ? "''" : std::string(1, c);
  const std::string query =
      fmt::format("SELECT 1 FROM sqlite_master WHERE type = 'table' AND lower(name) = lower('{}')", name);
  OGRLayer* found = dataset.ExecuteSQL(query.c_str(), nullptr, nullptr);
  const bool is_table = found != nullptr && found->GetFeatureCount() > 0;
  if (found != nullptr) dataset.ReleaseResultSet(found);
  if (!is_table) refuse(fmt::format("layer '{}' of '{}' is not a table", layer, path), "views are not supported");
}

std::string iso_date(const OGRFeature& feature, int field, OGRFieldType type) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, zone = 0;
  float second = 0;
  feature.GetFieldAsDateTime(field, &year, &month, &day, &hour, &minute, &second, &zone);
  const std::string date = fmt::format("{:04}-{:02}-{:02}", year, month, day);
  const std::string time = fmt::format("{:02}:{:02}:{:02}", hour, minute, static_cast<int>(second));
  return type == OFTDate ? date : type == OFTTime ? time : date + "T" + time;
}

/// Reads the features of a layer into a builder, in the coordinates of the file.
class LayerReader {
 public:
  LayerReader(const std::string& path, OGRLayer& layer, const Context& context)
      : path_(path), layer_(layer), context_(context) {
    OGRFeatureDefn& definition = *layer.GetLayerDefn();
    if (definition.GetFieldCount() > most_fields)
      refuse(fmt::format("'{}' has {} fields", path, definition.GetFieldCount()),
             fmt::format("at most {} are read", most_fields));
    for (int i = 0; i < definition.GetFieldCount(); ++i) add_field(i, *definition.GetFieldDefn(i));
  }

  LinesBuilder read(const GdalSession& session) {
    const double total = std::max<double>(1, static_cast<double>(layer_.GetFeatureCount(TRUE)));
    layer_.ResetReading();
    for (size_t count = 0;; ++count) {
      if (count % lines_between_checks == 0) {
        context_.check();
        context_.progress(std::min(1.0, static_cast<double>(count) / total));
      }
      const OGRFeatureUniquePtr feature(layer_.GetNextFeature());
      if (!feature) break;
      add(*feature, count + 1);
    }
    // GDAL ends at what it cannot read as if that were the end.
    if (session.failed()) refuse(fmt::format("cannot read '{}': {}", path_, session.message_about(path_, "")));
    if (without_place_ > 0)
      context_.warn(fmt::format("'{}': features without a geometry are left out: {}", path_, without_place_));
    if (measured_) context_.warn(fmt::format("'{}': measures (M) of points are ignored", path_));
    return std::move(builder_);
  }

 private:
  struct Field {
    int index = 0;
    OGRFieldType type = OFTString;
    std::string text;  ///< its name in the file
    std::variant<NumberColumn, TextColumnId, VertexColumn> column;
  };

  void add_field(int index, const OGRFieldDefn& definition) {
    const std::string text = definition.GetNameRef();
    const OGRFieldType type = definition.GetType();
    const bool number = type == OFTInteger || type == OFTInteger64 || type == OFTReal;
    if (type == OFTBinary) {
      context_.warn(fmt::format("'{}': field '{}' holds bytes and is ignored", path_, text));
      return;
    }
    if (name_field_ < 0 && type == OFTString && lower_case(text) == "name") {
      name_field_ = index;
      return;
    }
    const LineField field = parse_line_field(text);
    if (number)
      fields_.push_back({index, type, text, builder_.number(field.per_vertex ? text : field.name, field.unit)});
    else if (field.per_vertex)
      fields_.push_back({index, type, text, builder_.vertex_number(field.name, field.unit)});
    else
      fields_.push_back({index, type, text, builder_.text(field.unit.empty() ? field.name : text)});
  }

  void add(const OGRFeature& feature, size_t number) {
    const OGRGeometry* geometry = feature.GetGeometryRef();
    const std::string whose = fmt::format("feature {} of '{}'", number, path_);
    if (geometry != nullptr) take_apart(*geometry, whose, geometry_);
    if (geometry == nullptr || geometry_.pieces.empty()) {
      ++without_place_;
      return;
    }
    measured_ = measured_ || geometry->IsMeasured() != 0;
    read_lists(feature, whose);
    const char* name =
        name_field_ >= 0 && feature.IsFieldSetAndNotNull(name_field_) != 0 ? feature.GetFieldAsString(name_field_) : "";
    for (const FileGeometry::Piece& piece : geometry_.pieces) {
      builder_.begin(piece.shape, name);
      for (const FileGeometry::Part& part : piece.parts) add_part(piece.shape, part);
      for (const Field& field : fields_) set(feature, field);
    }
  }

  void add_part(FeatureShape shape, const FileGeometry::Part& part) {
    const bool ring = shape == FeatureShape::polygon, closed = part.returns && (ring || !lists_have_ends_);
    const size_t count = part.end - part.first - (closed ? 1 : 0);
    builder_.part(std::span(geometry_.vertices).subspan(part.first, count), closed);
    for (size_t i = 0; i < lists_.size(); ++i)
      if (!lists_[i].empty()) builder_.set(list_columns_[i], std::span(lists_[i]).subspan(list_at_, count));
    list_at_ += lists_have_ends_ ? part.end - part.first : count;
  }

  void set(const OGRFeature& feature, const Field& field) {
    if (feature.IsFieldSetAndNotNull(field.index) == 0) return;
    if (const auto* number = std::get_if<NumberColumn>(&field.column)) {
      const double value = feature.GetFieldAsDouble(field.index);
      if (std::isinf(value)) refuse(fmt::format("'{}' has a '{}' that is not a number", path_, field.text));
      builder_.set(*number, value);
    } else if (const auto* text = std::get_if<TextColumnId>(&field.column)) {
      const bool date = field.type == OFTDate || field.type == OFTTime || field.type == OFTDateTime;
      builder_.set(*text, date ? iso_date(feature, field.index, field.type) : feature.GetFieldAsString(field.index));
    }
  }

  /// The lists of a feature's vertices, which count the last points of closed parts or do not.
  void read_lists(const OGRFeature& feature, const std::string& whose) {
    lists_.clear();
    list_columns_.clear();
    list_at_ = 0;
    lists_have_ends_ = false;
    const size_t all = geometry_.vertices.size(), distinct = geometry_.distinct_vertices();
    for (const Field& field : fields_) {
      const auto* column = std::get_if<VertexColumn>(&field.column);
      if (column == nullptr || feature.IsFieldSetAndNotNull(field.index) == 0) continue;
      lists_.push_back(read_list(feature.GetFieldAsString(field.index), field, whose));
      list_columns_.push_back(*column);
      const size_t count = lists_.back().size();
      if (count == distinct && !lists_have_ends_) continue;
      if (count != all || (lists_.size() > 1 && !lists_have_ends_))
        refuse(fmt::format("{} has {} points, but {} numbers in '{}'", whose, distinct, count, field.text));
      lists_have_ends_ = true;
    }
  }

  static std::vector<double> read_list(const char* text, const Field& field, const std::string& whose) {
    const auto json = parse_untrusted_json(text);
    if (!json || !json->is_array())
      refuse(fmt::format("{} has a '{}' that is not a list of numbers", whose, field.text));
    std::vector<double> list;
    list.reserve(json->size());
    for (const nlohmann::json& value : *json) {
      if (!value.is_number() && !value.is_null())
        refuse(fmt::format("{} has a '{}' that is not a list of numbers", whose, field.text));
      list.push_back(value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>());
    }
    return list;
  }

  const std::string& path_;
  OGRLayer& layer_;
  const Context& context_;
  LinesBuilder builder_;
  int name_field_ = -1;
  std::vector<Field> fields_;
  FileGeometry geometry_;
  std::vector<std::vector<double>> lists_;  ///< of the feature that is being read
  std::vector<VertexColumn> list_columns_;
  size_t list_at_ = 0;
  bool lists_have_ends_ = false;
  size_t without_place_ = 0;
  bool measured_ = false;
};

/// The reference system of the coordinates as WKT; empty where there is none.
std::string system_of(const std::string& path, const OGRLayer& layer, const std::string& given,
                      const Context& context) {
  if (given == "metres") return {};
  if (!given.empty()) return given;
  const OGRSpatialReference* crs = const_cast<OGRLayer&>(layer).GetSpatialRef();
  const std::string wkt = crs != nullptr ? crs_wkt(*crs) : "";
  if (wkt.empty())
    context.warn(fmt::format("'{}' has no reference system: assuming metres; set crs=... to change that", path));
  return wkt;
}

}  // namespace

Lines lines_from_file(const std::string& path, const LinesFileParams& params, const Context& context,
                      const Frame* land) {
  GdalSession session;
  const ReadSettings settings;
  context.check();
  const GdalDataset dataset = open(path, session);
  OGRLayer& layer = choose_layer(path, *dataset, params.layer);
  check_table(path, *dataset, layer.GetName());
  if (session.failed()) context.warn(fmt::format("'{}': {}", path, session.message_about(path, "")));
  session.forget();
  LinesBuilder builder = LayerReader(path, layer, context.stage("features", 0, 0.9)).read(session);
  const std::string crs = system_of(path, layer, params.crs, context);
  if (const auto geo = place_lines(path, crs, builder.vertices(), land, context)) builder.set_geo(*geo);
  try {
    return std::move(builder).build();
  } catch (const Error& error) {
    refuse(fmt::format("cannot read '{}': {}", path, error.message()), error.hint());
  }
}

}  // namespace tepui
