#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/core/hash.h"
#include "tepui/core/vec.h"

namespace tepui {

/// A number for each point of a line: a river's flow, a cave's radius.
struct LineAttribute {
  std::string name;
  std::string unit;  ///< "m", "" for none
  std::vector<double> values;
};

/// Points in metres of the world, one after the other.
struct Polyline {
  std::string name;
  std::vector<Vec3> points;
  bool closed = false;  ///< the last point is joined to the first
  std::vector<LineAttribute> attributes;
};

/// Polylines with attributes: skylines, rivers, skeletons of caves, strokes of a brush. A value: immutable, cheap to
/// copy.
class Lines {
 public:
  Lines();
  /// Refuses points and numbers that are not finite, and attributes without a number for every point.
  explicit Lines(std::vector<Polyline> list);

  const std::vector<Polyline>& list() const { return *list_; }

  size_t bytes() const;
  /// Of every point, name and number.
  Hash hash() const;

 private:
  std::shared_ptr<const std::vector<Polyline>> list_;
};

/// How large lines are.
struct LinesExtent {
  size_t points = 0;
  double length = 0;  ///< of all of them together, metres; a closed line's last step counts
  Vec3 low, high;     ///< corners of the box around all points; zeros where there are none
};
LinesExtent extent_of(const Lines& lines);

/// An attribute that some of the lines have, and the lowest and highest of its numbers.
struct AttributeRange {
  std::string name, unit;
  double low = 0, high = 0;
};
/// In the order in which the lines name them; one name in two units counts as two.
std::vector<AttributeRange> attribute_ranges(const Lines& lines);

}  // namespace tepui
