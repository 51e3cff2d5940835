#include "tepui/landforms/karst_params.h"

#include "tepui/hydrology/sea_level.h"

namespace tepui {

void describe(Fields<KarstParams>& f) {
  using P = KarstParams;
  f.about("Find the caves that water dissolves on its way from sinks to springs, as lines with a radius");
  f.example("strata | circular_faults | implicitize | {} step=20m width=8m");
  f("form", &P::form, {"natural", "paper"},
    "natural: along beds and down joints, ways to springs only; paper: the rule of Paris et al. 2019, downwards "
    "everywhere, all of it kept");
  f("pits", &P::pits, "let the hollows of the land swallow water, beside the sinks that are given");
  f("pit_depth", &P::pit_depth, Range{0, 1e6}, "hollows shallower than this are puddles").slider(0, 20);
  f("most_sinks", &P::most_sinks, Range{0, 10'000}, "number of hollows that are used at most, the deepest first")
      .slider(1, 100);
  f("ends", &P::ends, {"ground", "points"},
    "where given sinks and springs lie: on the ground below or above the point, or at its own height, as in a cliff");
  f("step", &P::step, open_range(0, 1e6), "length of a step of the water; auto: 6 m, of the paper's rule 8 m")
      .slider(2, 30);
  f("spacing", &P::spacing, open_range(0, 1e6),
    "distance that ways of the water keep, less than a step; auto: 5/6 of a step, of the paper's rule a step / 1.013")
      .slider(1, 30);
  f("hardest", &P::hardest, Range{0, 1},
    "resistance at and above which rock is never dissolved; auto: 0.6, of the paper's rule 0.7")
      .sweep("0.2", "0.4", "0.7");
  f("wander", &P::wander, Range{0, 2}, "how far chance overrules the rock: 0 strictly the weakest rock first")
      .slider(0, 0.5);
  f("clogging", &P::clogging, Range{0, 1},
    "share of the points at which water gets no further; auto: 0.03, of the paper's rule 0.15")
      .slider(0, 0.3);
  f("outlets", &P::outlets, Range{0, 100}, "number of springs that the water of a sink finds, the lowest first")
      .slider(1, 6);
  f("outlet_distance", &P::outlet_distance, Range{0, 1e6}, "least distance between the springs of a sink")
      .slider(0, 300);
  f("joins", &P::joins, "join the caves of two sinks where they touch");
  f("dead_ends", &P::dead_ends, Range{0, 1}, "share of the points at which a blind passage begins").slider(0, 0.1);
  f("width", &P::width, open_range(0, 1e6), "radius of the smallest passages; those that more water uses are wider")
      .slider(0.5, 10)
      .sweep("1", "2", "4");
  f("variation", &P::variation, Range{0, 0.95}, "how much the radius varies along a passage, as a share of it");
  f("floor", &P::floor, Range{0, 1e6}, "rock that is left above the floor of the volume and before its sides")
      .slider(0, 50);
  f("limit", &P::limit, Range{1, 10'000'000}, "number of points that water reaches at most").slider(1000, 500'000);
  f("growth", &P::growth, Range{0, 1}, "share of the caves that exist already, in the order in which water found them")
      .age();
  describe_where(f);
  describe_sea_level(f);
  f.seed(&P::seed);
}

}  // namespace tepui
