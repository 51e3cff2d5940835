#pragma once

#include <optional>
#include <variant>

#include "tepui/render/page/figure.h"
#include "tepui/render/picture/picture.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// How something is shown.
using ViewParams = std::variant<PictureParams, FigureParams>;

/// What pictures that are looked at together have in common: the heights that the camera frames, and the values that
/// the colours span.
class SharedView {
 public:
  /// A land that will be shown, its colours as the parameters say. Gives whether it has heights.
  bool add(const Terrain& land, const ViewParams& params, const Context& context);

  /// Whether all lands are of one size.
  bool is_of_one_size() const { return one_size_; }

  /// Sets what the parameters leave open.
  void apply(PictureParams& params) const;
  void apply(FigureParams& params) const;

 private:
  template <class Params>
  void apply_colours(Params& params, bool coloured) const;
  void colour_by(const Layer* layer, const Context& context);

  std::optional<Interval> heights_, values_;
  std::optional<Layer> coloured_;  ///< the latest layer that the values are of
  std::optional<Vec2> size_;       ///< of the first land
  bool one_size_ = true;
};

/// Makes `interval` reach over `more`, too.
void widen(std::optional<Interval>& interval, Interval more);

}  // namespace tepui
