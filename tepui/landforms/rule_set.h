#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/core/params.h"

// Rules by which features of rock grow, as a file says them.

namespace tepui {

/// What a rule may go by at one place of a growing feature.
struct RulePlace {
  double resistance = 0;  ///< rho of the rock there
  double height = 0;      ///< share of the feature's height, 0 at its foot and 1 at its top
};

/// A number that follows the rock: base + resistance rho + hardness h + height u, give or take `vary`. h is rho with
/// contrast: it rises smoothly from 0 at rho = 0.25 to 1 at rho = 0.7.
struct RuleNumber {
  double base = 0, resistance = 0, hardness = 0, height = 0, vary = 0;

  /// `draw` in [0, 1) decides on the variation.
  double at(const RulePlace& place, double draw) const;
  /// The highest it can be anywhere.
  double highest() const;
};

/// A terminal: one slice of rock, made of points.
struct RuleShape {
  std::string name;
  double rise = 0;       ///< how much higher the next shape stands, in sizes
  double step = 0;       ///< the same in metres; one of the two is 0
  RuleNumber radius{1};  ///< of the rock, in sizes
  Interval lobes{1, 1};  ///< points around the axis
  double spread = 0.4;   ///< their distance from it, in radii; the rest is their own radius
  double jitter = 0;     ///< by how much each is moved at random, in radii
  double turn = 0;       ///< by how many degrees, at most, the lobes are turned against those below
  double falloff = 1.9;  ///< of the points' fields, in radii
};

/// What an alternative places or grows, one after the other.
struct RuleItem {
  bool is_shape = true;
  int which = 0;      ///< of the shapes or of the symbols
  double size = 1;    ///< factor of the size of what grows
  RuleNumber lean{};  ///< by how many degrees that leans over
  double aside = 0;   ///< how far it is moved to that side, in sizes
};

struct RuleAlternative {
  RuleNumber odds{1};
  Interval between{0, 1};  ///< shares of the height at which it may be chosen
  std::vector<RuleItem> then;
};

/// A non-terminal: one of its alternatives is drawn.
struct RuleSymbol {
  std::string name;
  std::vector<RuleAlternative> alternatives;
};

/// An open grammar (Paris et al. 2019, section 6.3; Mech and Prusinkiewicz 1996), and where its features stand.
struct RuleSet {
  std::string about;
  Interval height{4, 20};      ///< of features, metres
  double spacing = 4;          ///< from one to the next, metres
  Interval slope{25, 60};      ///< of the ground, degrees
  RuleNumber size{1};          ///< of the axiom, metres
  double size_for_height = 0;  ///< and so much more for every metre of height
  int depth = 32;              ///< how deep symbols may be nested
  double tallest = 40;         ///< no rock stands higher above a feature's foot, metres
  int axiom = 0;
  std::vector<RuleSymbol> symbols;
  std::vector<RuleShape> shapes;

  /// No feature has more points than this.
  static constexpr double most_points = 20000;
};

/// A key of a file of rules, for the schema and its documentation.
enum class RuleKeyType { text, number, whole_number, interval, rock_number, limits, items, symbols, shapes };
struct RuleKey {
  std::string_view name;
  RuleKeyType type;
  std::string_view doc;
};
enum class RulePart { set, limits, number, symbol, item, shape };
const std::vector<RuleKey>& rule_keys(RulePart part);

}  // namespace tepui
