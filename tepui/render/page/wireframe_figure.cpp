#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/core/math.h"
#include "tepui/render/page/figure_parts.h"

namespace tepui {

namespace {

constexpr uint32_t line_rgb = 0x33302c, wall_rgb = 0xe7e3dc, paper_rgb = 0xffffff;
constexpr int64_t most_steps = 3;
constexpr Stroke thin{line_rgb, 0.55, false}, edge{line_rgb, 0.9, false};

/// Heights on the lattice of lines, at even distances over the land. Between two lines of one direction those of the
/// other have further points, so that a cliff is drawn where it is.
struct Lattice {
  int64_t width = 0, height = 0;   ///< lines
  int64_t fine_x = 1, fine_y = 1;  ///< steps from one line to the next
  std::vector<Vec3> points;        ///< metres from the middle of the land, row by row from the south

  int64_t row_length() const { return (width - 1) * fine_x + 1; }
  const Vec3& at(int64_t x, int64_t y) const { return points[static_cast<size_t>(y * row_length() + x)]; }
};

Lattice make_lattice(const Terrain& land, int lines, const Context& context) {
  const Frame& frame = land.frame();
  const Terrain heights = land.only("height");
  const Vec2 low{frame.x(0), frame.y(0)}, high{frame.x(frame.width - 1), frame.y(frame.height - 1)};
  const Vec2 span = high - low, middle = (low + high) * 0.5;
  const double longer = std::max(span.x, span.y);
  const auto count = [&](double side, int64_t samples) {
    const int64_t even = static_cast<int64_t>(std::floor(side / longer * (lines - 1) + 0.5)) + 1;
    return std::clamp<int64_t>(even, 2, std::max<int64_t>(samples, 2));
  };
  const auto fine = [](int64_t count_of_lines, int64_t samples) {
    return std::clamp<int64_t>((samples - 1) / (count_of_lines - 1), 1, most_steps);
  };
  Lattice lattice;
  lattice.width = count(span.x, frame.width);
  lattice.height = count(span.y, frame.height);
  lattice.fine_x = fine(lattice.width, frame.width);
  lattice.fine_y = fine(lattice.height, frame.height);
  const int64_t rows = (lattice.height - 1) * lattice.fine_y;
  for (int64_t y = 0; y <= rows; ++y) {
    const double t = static_cast<double>(y) / static_cast<double>(rows), north = low.y * (1 - t) + high.y * t;
    for (const SectionSample& s :
         sample_section(heights, {low.x, north}, {high.x, north}, lattice.row_length(), context))
      lattice.points.push_back({s.at.x - middle.x, s.at.y - middle.y, s.values[0]});
  }
  const double lowest = std::ranges::min_element(lattice.points, {}, &Vec3::z)->z;
  for (Vec3& p : lattice.points) p.z -= lowest;
  return lattice;
}

/// A parallel projection: `right` and `up` on the page, `away` from the eye along the ground.
struct View {
  Vec2 right, away;
  double ground = 0, rise = 1;

  Vec2 page(Vec3 p) const {
    return {p.x * right.x + p.y * right.y, -((p.x * away.x + p.y * away.y) * ground + p.z * rise)};
  }
};

View make_view(const FigureParams& params, double exaggeration) {
  const double azimuth = math::radians(params.view_azimuth.degrees);
  const double elevation = math::radians(params.view_elevation.degrees);
  View view;
  view.away = {-math::sin(azimuth), -math::cos(azimuth)};
  view.right = {view.away.y, -view.away.x};
  view.ground = math::sin(elevation);
  view.rise = math::cos(elevation) * exaggeration;
  return view;
}

/// The lattice on the page, drawn from the farthest square to the nearest: what is in front covers what is behind,
/// which is right for any land seen along parallel lines.
class Wires {
 public:
  Wires(Drawing& drawing, const Lattice& lattice, const View& view, double base, double scale, Vec2 shift)
      : drawing_(drawing), lattice_(lattice), view_(view), base_(base), scale_(scale), shift_(shift) {}

  void draw() const {
    const int64_t w = lattice_.width - 1, h = lattice_.height - 1;
    const bool from_east = view_.away.x > 0, from_north = view_.away.y > 0;
    for (int64_t j = 0; j < h; ++j)
      for (int64_t i = 0; i < w; ++i)
        square(from_east ? w - 1 - i : i, from_north ? h - 1 - j : j, from_east, from_north);
    // The two sides that face the eye.
    wall(from_north ? 0 : h * lattice_.fine_y, true);
    wall(from_east ? 0 : w * lattice_.fine_x, false);
  }

 private:
  Vec2 place(Vec3 p) const { return shift_ + view_.page(p) * scale_; }
  Vec2 place(int64_t x, int64_t y) const { return place(lattice_.at(x, y)); }

  /// The line from one crossing of lines to the next.
  void follow(std::vector<Vec2>& line, int64_t x0, int64_t y0, int64_t x1, int64_t y1) const {
    const int64_t steps = x0 != x1 ? lattice_.fine_x : lattice_.fine_y;
    const int64_t dx = x1 - x0, dy = y1 - y0;
    for (int64_t i = line.empty() ? 0 : 1; i <= steps; ++i)
      line.push_back(place(x0 * lattice_.fine_x + dx * i, y0 * lattice_.fine_y + dy * i));
  }

  /// Its two far sides only: the near ones belong to the squares in front of it, or to the walls.
  void square(int64_t x, int64_t y, bool from_east, bool from_north) const {
    const int64_t far_x = from_east ? x + 1 : x, near_x = from_east ? x : x + 1;
    const int64_t far_y = from_north ? y + 1 : y, near_y = from_north ? y : y + 1;
    std::vector<Vec2> line;
    follow(line, near_x, far_y, far_x, far_y);
    follow(line, far_x, far_y, far_x, near_y);
    std::vector<Vec2> outline = line;
    follow(outline, far_x, near_y, near_x, near_y);
    follow(outline, near_x, near_y, near_x, far_y);
    drawing_.area(std::move(outline), paper_rgb);
    drawing_.line(std::move(line), thin);
  }

  void wall(int64_t at, bool along_x) const {
    std::vector<Vec2> outline, top;
    const int64_t count = along_x ? lattice_.row_length() : (lattice_.height - 1) * lattice_.fine_y + 1;
    for (int64_t i = 0; i < count; ++i) top.push_back(along_x ? place(i, at) : place(at, i));
    outline = top;
    for (const int64_t i : {count - 1, int64_t{0}}) {
      Vec3 foot = along_x ? lattice_.at(i, at) : lattice_.at(at, i);
      foot.z = base_;
      outline.push_back(place(foot));
    }
    outline.push_back(outline.front());
    drawing_.area(outline, wall_rgb);
    drawing_.line(std::move(outline), edge);
  }

  Drawing& drawing_;
  const Lattice& lattice_;
  View view_;
  double base_, scale_;
  Vec2 shift_;
};

const char* compass(double azimuth) {
  static constexpr const char* names[] = {"north", "north-east", "east", "south-east",
                                          "south", "south-west", "west", "north-west"};
  const double turn = azimuth - 360 * std::floor(azimuth / 360);
  return names[static_cast<size_t>(turn / 45 + 0.5) % 8];
}

}  // namespace

Drawing draw_wireframe(const Terrain& land, const FigureParams& params, const Context& context) {
  figure_heights(land, "wireframe");
  const Frame& frame = land.frame();
  if (frame.width < 2 || frame.height < 2)
    refuse(fmt::format("a wireframe needs land of 2 x 2 samples or more, not {} x {}", frame.width, frame.height),
           "kind = profile shows a single row");
  const Lattice lattice = make_lattice(land, params.lines, context);
  const double relief = std::ranges::max_element(lattice.points, {}, &Vec3::z)->z;
  const Vec2 span{frame.x(frame.width - 1) - frame.x(0), frame.y(frame.height - 1) - frame.y(0)};
  const double longer = std::max(span.x, span.y);
  double exaggeration = params.exaggeration.value_or(1);
  if (!params.exaggeration) {
    const double wanted = relief > 0 ? 0.25 * longer / relief : 1;
    exaggeration = wanted < 1 && wanted > 0.2 ? 1 : round_exaggeration(wanted);
  }
  const View view = make_view(params, exaggeration);
  const double base = -std::max(0.12 * relief, 0.02 * longer / exaggeration);

  Vec2 least{1e300, 1e300}, most{-1e300, -1e300};
  const auto include = [&](Vec3 p) {
    const Vec2 q = view.page(p);
    least = {std::min(least.x, q.x), std::min(least.y, q.y)};
    most = {std::max(most.x, q.x), std::max(most.y, q.y)};
  };
  for (const Vec3& p : lattice.points) {
    include(p);
    include({p.x, p.y, base});
  }
  const Vec2 extent = most - least;
  const Vec2 wanted = params.wanted_size();
  double scale = wanted.x > 0 ? wanted.x / extent.x : wanted.y > 0 ? 1e300 : 820 / extent.x;
  if (wanted.y > 0) scale = std::min(scale, wanted.y / extent.y);
  scale = std::min(scale, 4096 / extent.y);

  const std::string note = fmt::format("{} × {}, seen from the {}, {}", length_text(span.x), length_text(span.y),
                                       compass(params.view_azimuth.degrees), exaggeration_text(exaggeration));
  const double top = figure_margin + heading_room(params.title, note);
  const double width = std::max(extent.x * scale + 2 * figure_margin, heading_width(params.title, note));
  Drawing drawing(std::ceil(width), std::ceil(top + extent.y * scale + figure_margin));
  draw_heading(drawing, params.title, note);
  Wires(drawing, lattice, view, base, scale, Vec2{figure_margin, top} - least * scale).draw();
  return drawing;
}

}  // namespace tepui
