#include "tepui/io/table/engine_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/mesh/forms.h"

namespace tepui {

namespace {

constexpr size_t block_bytes = size_t{1} << 20;

struct EnginePoint {
  Vec3 at;  ///< metres, x east, y north, z up
  std::string_view species;
  int form = 0;
  double turn = 0, lean = 0, height = 1, crown = 0;  ///< degrees and metres
  FormScale scale;
};

/// At most so many decimals, none of them a zero at the end.
double rounded(double value, double per_unit) { return std::floor(value * per_unit + 0.5) / per_unit + 0.0; }
double radians(double degrees) { return rounded(math::radians(degrees), 1e5); }
double thousandths(double value) { return rounded(value, 1e3); }
double millimetres(double value) { return rounded(value, 1e3); }
double centimetres(double value) { return rounded(value * 100, 10); }

const char* header_of(Engine engine) {
  switch (engine) {
    case Engine::unreal:
      return "Name,Species,Form,X,Y,Z,Roll,Pitch,Yaw,ScaleXY,ScaleZ,Height,Crown\n";
    case Engine::unity:
      return "species,form,x,y,z,turn,lean,scale_xz,scale_y,height,crown\n";
    case Engine::godot:
      return "species,form,x,y,z,rotation_x,rotation_y,scale_xz,scale_y,height,crown\n";
    default:
      return "species,form,x,y,z,rotation_x,rotation_z,scale_xy,scale_z,height,crown\n";
  }
}

void add_row(std::string& rows, Engine engine, size_t number, const EnginePoint& p) {
  const auto to = std::back_inserter(rows);
  const double across = thousandths(p.scale.across), up = thousandths(p.scale.up);
  const double x = millimetres(p.at.x), y = millimetres(p.at.y), z = millimetres(p.at.z);
  // Angles about an axis: around x to the north, then around the vertical clockwise from above.
  if (engine == Engine::unreal) {
    fmt::format_to(to, "{},{},{},{},{},{},{},0,{},{},{},{},{}\n", number, p.species, p.form, centimetres(p.at.x),
                   centimetres(-p.at.y), centimetres(p.at.z), rounded(-p.lean, 10), rounded(p.turn, 10), across, up,
                   centimetres(p.height), centimetres(p.crown));
    return;
  }
  fmt::format_to(to, "{},{},{},", p.species, p.form, x);
  if (engine == Engine::unity)
    fmt::format_to(to, "{},{},{},{}", z, y, radians(p.turn), radians(p.lean));
  else if (engine == Engine::godot)
    fmt::format_to(to, "{},{},{},{}", z, 0 - y, radians(-p.lean), radians(-p.turn));
  else
    fmt::format_to(to, "{},{},{},{}", y, z, radians(-p.lean), radians(-p.turn));
  fmt::format_to(to, ",{},{},{},{}\n", across, up, millimetres(p.height), millimetres(p.crown));
}

/// Species and names without what would break a row.
void check_species(std::string_view species, size_t number) {
  if (species.empty() || species.find_first_of(",\"\r\n") != std::string_view::npos)
    refuse(fmt::format("point {} has no species that a table for a program could hold", number),
           "'scatter' makes points with a species; a name has no commas or quotes");
}

class PointReader {
 public:
  explicit PointReader(const Lines& points)
      : points_(points),
        height_(points.number("height")),
        crown_(points.number("crown")),
        turn_(points.number("turn")),
        lean_(points.number("lean")),
        form_(points.number("form")),
        species_(points.text("species")) {}

  /// Of all vertices of the feature but for the place.
  EnginePoint point(size_t feature) const {
    if (points_.columns().shapes[feature] != FeatureShape::point)
      refuse(fmt::format("feature {} is no point", feature + 1), "programs place models at points, as 'scatter' makes");
    EnginePoint p;
    if (species_ != nullptr) p.species = species_->values[feature];
    check_species(p.species, feature + 1);
    const std::optional<Species> known = species_of(p.species);
    p.form = static_cast<int>(std::clamp(number(form_, feature, 0), 0.0, 1e9));
    p.turn = number(turn_, feature, 0);
    p.lean = number(lean_, feature, 0);
    p.height = number(height_, feature, known ? usual_height(*known) : 1);
    p.crown = number(crown_, feature, 0);
    p.scale = known ? form_scale(*known, p.form, p.height, p.crown) : FormScale{p.height, p.height};
    return p;
  }

 private:
  static double number(const LineAttribute* column, size_t feature, double missing) {
    return column == nullptr || std::isnan(column->values[feature]) ? missing : column->values[feature];
  }

  const Lines& points_;
  const LineAttribute *height_, *crown_, *turn_, *lean_, *form_;
  const LineTextAttribute* species_;
};

}  // namespace

void write_engine_points(const FileTarget& to, const Lines& points, Engine engine, const Context& context) {
  const PointReader reader(points);
  to.write([&](ByteSink& file) {
    std::string rows = header_of(engine);
    const auto flush = [&](size_t done) {
      context.check();
      file.write(rows.data(), rows.size());
      rows.clear();
      context.progress(static_cast<double>(done) / std::max(1.0, static_cast<double>(points.features())));
    };
    size_t number = 0;
    for (size_t f = 0; f < points.features(); ++f) {
      const LineFeature feature = points.feature(f);
      EnginePoint p = reader.point(f);
      for (size_t v = feature.first_vertex; v < feature.end_vertex; ++v) {
        p.at = points.vertices()[v];
        add_row(rows, engine, ++number, p);
      }
      if (rows.size() >= block_bytes) flush(f);
    }
    flush(points.features());
  });
}

}  // namespace tepui
