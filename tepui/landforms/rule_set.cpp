#include "tepui/landforms/rule_set.h"

#include <algorithm>

#include "tepui/core/math.h"

namespace tepui {

namespace {}  // namespace

double RuleNumber::at(const RulePlace& place, double draw) const {
  const double hard = hardness != 0 ? hardness * math::smoothstep(0.25, 0.7, place.resistance) : 0;
  return base + resistance * place.resistance + hard + height * place.height + vary * (2 * draw - 1);
}

double RuleNumber::highest() const {
  // Linear in u, but not in rho, of which h is a smooth step.
  double best = at({0, 0}, 1);
  for (int i = 0; i <= 100; ++i)
    for (const double u : {0.0, 1.0}) best = std::max(best, at({i * 0.01, u}, 1));
  return best;
}

const std::vector<RuleKey>& rule_keys(RulePart part) {
  using enum RuleKeyType;
  static const std::vector<RuleKey> of_set{
      {"$schema", text, "the schema that an editor checks this file by"},
      {"about", text, "what these rules grow"},
      {"height", interval, "heights of features, metres: [low, high]"},
      {"spacing", number, "least distance from one feature to the next, metres"},
      {"slope", interval, "slopes on which features stand, degrees: [low, high]"},
      {"size", rock_number, "size of the axiom, metres; shapes are measured in sizes"},
      {"size_for_height", number, "added to the size for every metre of a feature's height"},
      {"limits", limits, "where growth stops in any case"},
      {"axiom", text, "the symbol that every feature begins with"},
      {"symbols", symbols, "every symbol with its alternatives, one of which is drawn each time"},
      {"shapes", shapes, "slices of rock that symbols place"}};
  static const std::vector<RuleKey> of_limits{
      {"depth", whole_number, "how deep symbols may be nested, at most 1000; 32 unless given"},
      {"height", number, "no rock of a feature is higher above its foot, metres; 40 unless given"}};
  static const std::vector<RuleKey> of_number{
      {"base", number, "the number in rock of no resistance at the foot"},
      {"resistance", number, "added times the resistance of the rock there, 0 to 1"},
      {"hardness", number, "added times the resistance with contrast: 0 below 0.25, 1 above 0.7"},
      {"height", number, "added times the share of the feature's height, 0 at its foot, 1 at its top"},
      {"vary", number, "added or subtracted at random, up to this"}};
  static const std::vector<RuleKey> of_symbol{
      {"odds", rock_number, "how likely this alternative is, compared with the others; 1 unless given, none below 0"},
      {"from", number, "share of the height from which on it may be chosen"},
      {"until", number, "share of the height up to which it may be chosen"},
      {"then", items, "shapes to place and symbols to grow, in order; an empty list ends the growth"}};
  static const std::vector<RuleKey> of_item{
      {"grow", text, "the symbol or shape"},
      {"size", number, "factor of its size, at most 1"},
      {"lean", rock_number, "degrees by which it leans to a side drawn at random"},
      {"aside", number, "how far it is moved to that side, in sizes"}};
  static const std::vector<RuleKey> of_shape{
      {"rise", number, "how much higher the next shape stands, in sizes"},
      {"step", number, "the same in metres; give one of the two"},
      {"radius", rock_number, "radius of the rock, in sizes"},
      {"lobes", interval, "points around the axis, up to 12: [2, 4], the same for all shapes of a feature"},
      {"spread", number, "distance of the lobes from the axis, in radii; each lobe is as thick as the rest"},
      {"jitter", number, "how far each lobe is moved at random, in radii"},
      {"turn", number, "degrees, at most, by which the lobes are turned against those below"},
      {"falloff", number, "reach of a lobe's field, in radii; larger makes it smoother"}};
  switch (part) {
    case RulePart::set:
      return of_set;
    case RulePart::limits:
      return of_limits;
    case RulePart::number:
      return of_number;
    case RulePart::symbol:
      return of_symbol;
    case RulePart::item:
      return of_item;
    case RulePart::shape:
      break;
  }
  return of_shape;
}

}  // namespace tepui
