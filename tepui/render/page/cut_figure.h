#pragma once  // internal

#include <functional>
#include <vector>

#include "tepui/render/page/figure_parts.h"
#include "tepui/volume/volume.h"

// Vertical cuts through what fills space: where they lie on the page, and what each of their pixels shows.

namespace tepui {

/// The plot's numbers.
struct CutPlot {
  SectionLine line;
  PlotArea area;  ///< of distances in metres
  double exaggeration = 1;
};

/// As high as the parameters ask for. Where they do not, `usual` tells the exaggeration of a plot that would be so many
/// pixels high without. Refuses what makes no page.
CutPlot cut_plot(const SectionLine& line, Interval heights, const FigureParams& params, double (*usual)(double pixels));

/// What lies at the middle of every pixel, row 0 at the top.
struct CutSamples {
  int width = 0, height = 0;
  std::vector<float> rho;
  std::vector<int32_t> which;  ///< -1 where no rock is named
  std::vector<float> v;        ///< the field of a volume, where there is one

  size_t at(int x, int y) const { return static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x); }
  /// Whether another rock begins here.
  bool borders_rock(int x, int y) const;
  /// A picture of all pixels.
  Image painted(const std::function<uint32_t(int x, int y)>& rgb) const;
};

/// `size` is in pixels of the page, of which the samples are twice as fine.
CutSamples sample_cut(const Geology& rock, const Volume* volume, const SectionLine& line, Interval heights, Vec2 size,
                      const Context& context);

/// With axes and a heading; the face's colours and rocks stand beside it, if `legend`.
Drawing draw_cut_page(const CutPlot& cut, const RockFace& face, bool legend, const FigureParams& params);

}  // namespace tepui
