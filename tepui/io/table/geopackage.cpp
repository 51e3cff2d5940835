#include "tepui/io/table/geopackage.h"

#include <fmt/format.h>
#include <ogrsf_frmts.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/place/crs.h"
#include "tepui/io/place/gdal_session.h"
#include "tepui/io/table/lines_fields.h"
#include "tepui/io/table/lines_place.h"

namespace tepui {

namespace {

constexpr size_t features_between_checks = 256;
/// Of more, the spatial index takes many times as long as all the rest.
constexpr size_t most_indexed = 100'000;

/// A file beside the temporary one, named so that what a killed program leaves is swept away with it: SQLite wants to
/// make its file itself. Gone with this object.
struct Beside {
  explicit Beside(const std::string& temporary) : name(temporary + ".gpkg") {}
  ~Beside() { unlink(name.c_str()); }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  std::string name;
};

/// What SQLite is told, whatever the user's environment says: no journal, as the file is thrown away if it fails, and
/// no wish of the user's for more.
struct SqliteSettings {
  CPLConfigOptionSetter date{"OGR_CURRENT_DATE", "2000-01-01T00:00:00.000Z", false};
  CPLConfigOptionSetter journal{"OGR_SQLITE_JOURNAL", "OFF", false};
  CPLConfigOptionSetter synchronous{"OGR_SQLITE_SYNCHRONOUS", "OFF", false};
  CPLConfigOptionSetter pragma{"OGR_SQLITE_PRAGMA", "", false};
  CPLConfigOptionSetter extensions{"OGR_SQLITE_LOAD_EXTENSIONS", "", false};
};

OGRwkbGeometryType type_of(const LineFeature& feature) {
  switch (feature.shape) {
    case FeatureShape::point:
      return feature.end_vertex == feature.first_vertex + 1 ? wkbPoint25D : wkbMultiPoint25D;
    case FeatureShape::line:
      return feature.end_part == feature.first_part + 1 ? wkbLineString25D : wkbMultiLineString25D;
    case FeatureShape::polygon:
      break;
  }
  return wkbPolygon25D;
}

/// That of all features, where they have one in common.
OGRwkbGeometryType type_of(const Lines& lines) {
  if (lines.empty()) return wkbUnknown;
  const OGRwkbGeometryType type = type_of(lines.feature(0));
  for (size_t i = 1; i < lines.features(); ++i)
    if (type_of(lines.feature(i)) != type) return wkbSetZ(wkbUnknown);
  return type;
}

class LayerWriter {
 public:
  LayerWriter(const Lines& lines, OGRLayer& layer, const GdalSession& session)
      : lines_(lines), columns_(lines.columns()), layer_(layer), session_(session) {
    const LineFieldNames fields = line_field_names(lines);
    const auto field = [&](const std::string& name, OGRFieldType type) {
      OGRFieldDefn definition(name.c_str(), type);
      if (layer_.CreateField(&definition) != OGRERR_NONE)
        fail(fmt::format("cannot create the field '{}': {}", name, session_.message("no reason given")));
    };
    named_ = fields.name;
    if (named_) field("name", OFTString);
    for (const std::string& name : fields.numbers) field(name, OFTReal);
    for (const std::string& name : fields.texts) field(name, OFTString);
    for (const std::string& name : fields.vertex_numbers) field(name, OFTString);
  }

  void write(size_t number) {
    const LineFeature from = lines_.feature(number);
    OGRFeature feature(layer_.GetLayerDefn());
    int field = 0;
    if (named_) set_text(feature, field++, from.name, !from.name.empty());
    for (const LineAttribute& a : columns_.numbers) {
      const double value = a.values[number];
      if (std::isnan(value))
        feature.SetFieldNull(field++);
      else
        feature.SetField(field++, value);
    }
    for (const LineTextAttribute& a : columns_.texts)
      set_text(feature, field++, a.values[number], a.present[number] != 0);
    for (const LineAttribute& a : columns_.vertex_numbers) set_list(feature, field++, a, from);
    feature.SetGeometryDirectly(geometry(from).release());
    if (layer_.CreateFeature(&feature) != OGRERR_NONE)
      fail(fmt::format("cannot write feature {}: {}", number + 1, session_.message("no reason given")));
  }

 private:
  static void set_text(OGRFeature& feature, int field, std::string_view text, bool present) {
    if (present)
      feature.SetField(field, valid_text(text).c_str());
    else
      feature.SetFieldNull(field);
  }

  void set_list(OGRFeature& feature, int field, const LineAttribute& attribute, const LineFeature& from) {
    const auto own = std::span(attribute.values).subspan(from.first_vertex, from.end_vertex - from.first_vertex);
    if (std::ranges::all_of(own, [](double v) { return std::isnan(v); })) return feature.SetFieldNull(field);
    list_.clear();
    add_json_list(list_, own);
    feature.SetField(field, list_.c_str());
  }

  OGRPoint point(size_t vertex) const {
    const Vec3 p = columns_.vertices[vertex];
    const Vec2 at = map_point(columns_.geo, p);
    return {at.x, at.y, p.z};
  }

  template <class Curve>
  std::unique_ptr<Curve> curve(size_t part) const {
    const size_t first = columns_.part_starts[part], end = columns_.part_starts[part + 1];
    auto result = std::make_unique<Curve>();
    result->set3D(TRUE);
    const bool closes = columns_.part_closed[part] != 0 && first < end;
    result->setNumPoints(static_cast<int>(end - first + (closes ? 1 : 0)), FALSE);
    for (size_t v = first; v < end; ++v) put(*result, v - first, v);
    if (closes) put(*result, end - first, first);
    return result;
  }

  template <class Curve>
  void put(Curve& result, size_t at, size_t vertex) const {
    const OGRPoint p = point(vertex);
    result.setPoint(static_cast<int>(at), p.getX(), p.getY(), p.getZ());
  }

  std::unique_ptr<OGRGeometry> geometry(const LineFeature& feature) const {
    switch (type_of(feature)) {
      case wkbPoint25D:
        return std::make_unique<OGRPoint>(point(feature.first_vertex));
      case wkbMultiPoint25D: {
        auto all = std::make_unique<OGRMultiPoint>();
        for (size_t v = feature.first_vertex; v < feature.end_vertex; ++v)
          all->addGeometryDirectly(std::make_unique<OGRPoint>(point(v)).release());
        return all;
      }
      case wkbLineString25D:
        return curve<OGRLineString>(feature.first_part);
      case wkbMultiLineString25D: {
        auto all = std::make_unique<OGRMultiLineString>();
        for (size_t p = feature.first_part; p < feature.end_part; ++p)
          all->addGeometryDirectly(curve<OGRLineString>(p).release());
        return all;
      }
      default: {
        auto polygon = std::make_unique<OGRPolygon>();
        for (size_t p = feature.first_part; p < feature.end_part; ++p)
          polygon->addRingDirectly(curve<OGRLinearRing>(p).release());
        return polygon;
      }
    }
  }

  const Lines& lines_;
  const LinesColumns& columns_;
  OGRLayer& layer_;
  const GdalSession& session_;
  bool named_ = false;
  std::string list_;
};

void write_package(const std::string& name, const Lines& lines, const Context& context) {
  GdalSession session;
  const SqliteSettings settings;
  GdalDataset dataset(geopackage_driver().Create(name.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
  if (!dataset) fail(session.message_about(name, "GDAL gives no reason"));
  OGRSpatialReference crs;
  if (lines.geo())
    crs = parse_crs(lines.geo()->crs, "the lines' reference system");
  else
    crs.SetFromUserInput(fmt::format(R"(LOCAL_CS["{}",UNIT["metre",1]])", local_metres).c_str());
  const char* const options[] = {lines.features() <= most_indexed ? "SPATIAL_INDEX=YES" : "SPATIAL_INDEX=NO", nullptr};
  OGRLayer* layer = dataset->CreateLayer("lines", &crs, type_of(lines), const_cast<char**>(options));
  if (layer == nullptr) fail(session.message_about(name, "GDAL gives no reason"));
  LayerWriter writer(lines, *layer, session);
  dataset->StartTransaction();
  for (size_t i = 0; i < lines.features(); ++i) {
    if (i % features_between_checks == 0) {
      context.check();
      context.progress(0.9 * static_cast<double>(i) / static_cast<double>(lines.features()));
    }
    writer.write(i);
  }
  if (dataset->CommitTransaction() != OGRERR_NONE) fail(session.message_about(name, "GDAL gives no reason"));
  dataset.reset();  // makes the spatial index
  if (session.failed()) fail(session.message_about(name, ""));
}

/// Byte for byte into the file that is locked as ours.
void copy(const std::string& from, const std::string& to, const std::string& shown, const Context& context) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(from.c_str(), "rbe"), std::fclose);
  if (!in) fail("its bytes have gone");
  OutputFile out(to, shown);
  std::vector<char> bytes(size_t{1} << 20);
  for (size_t got; (got = std::fread(bytes.data(), 1, bytes.size(), in.get())) > 0;) {
    context.check();
    out.write(bytes.data(), got);
  }
  if (std::ferror(in.get()) != 0) fail("its bytes cannot be read back");
  out.close();
}

}  // namespace

void write_lines_gpkg(const FileTarget& to, const Lines& lines, const Context& context) {
  constexpr size_t most = 100'000'000;  // points of a part, so that GDAL's counts in 32 bits hold their bytes
  for (size_t i = 1; i < lines.columns().part_starts.size(); ++i)
    if (const size_t count = lines.columns().part_starts[i] - lines.columns().part_starts[i - 1]; count > most)
      refuse(fmt::format("cannot write '{}': a line has {} points, but GeoPackage allows {}", to.path(), count, most));
  to.write_by_name([&](const std::string& temporary) {
    const Beside beside(temporary);
    try {
      write_package(beside.name, lines, context);
      copy(beside.name, temporary, to.path(), context);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::failure || error.message().starts_with("cannot write '")) throw;
      fail(fmt::format("cannot write '{}': {}", to.path(), error.message()), error.hint());
    }
  });
  context.progress(1);
}

}  // namespace tepui
