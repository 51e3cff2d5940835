#pragma once

#include <optional>

#include "tepui/recipe/figure_json.h"

namespace tepui {

/// What pictures that are looked at together have in common: the heights that the camera frames, and the values that
/// the colours span.
class SharedView {
 public:
  /// A land that will be shown, its colours as the parameters say. Gives whether it has heights.
  bool add(const Terrain& land, const PictureParams& params, const Context& context);
  bool add(const Terrain& land, const FigureParams& params, const Context& context);

  /// Sets what the parameters leave open.
  void apply(PictureParams& params) const;
  void apply(FigureParams& params) const;

 private:
  template <class Params>
  void apply_colours(Params& params, bool coloured) const;
  void colour_by(const Layer* layer, const Context& context);

  std::optional<Interval> heights_, values_;
  std::optional<Layer> coloured_;  ///< the latest layer that the values are of
};

/// Makes `interval` reach over `more`, too.
void widen(std::optional<Interval>& interval, Interval more);

}  // namespace tepui
