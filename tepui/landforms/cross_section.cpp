#include "tepui/landforms/cross_section.h"

#include <array>
#include <cmath>

namespace tepui {

namespace {

/// A chain beside its line, as a share of what it is there: (1 - u^2)^3 of points, integrated along.
double chain_left(double side, double up, double falloff) {
  const double left = 1 - (side * side + up * up) / (falloff * falloff);
  return left > 0 ? left * left * left * std::sqrt(left) : 0;
}

/// The same strands, all of them so much stronger that they reach the threshold there.
template <size_t N>
std::array<SectionStrand, N> reaching(std::array<SectionStrand, N> strands, double side, double up) {
  const double there = section_field(strands, side, up);
  for (SectionStrand& strand : strands) strand.strength /= there;
  return strands;
}

}  // namespace

double section_field(std::span<const SectionStrand> strands, double side, double up) {
  double sum = 0;
  for (const SectionStrand& s : strands) sum += s.strength * chain_left(side - s.side, up - s.up, s.falloff);
  return sum;
}

std::span<const SectionStrand> section_strands(SectionShape shape) {
  static const auto tube = reaching(std::array{SectionStrand{0, 0, 1.7, 1}}, 0, 1);
  static const auto bedding = reaching(
      std::array{SectionStrand{0, 0, 1.25, 1}, SectionStrand{-0.9, 0, 1.2, 0.9}, SectionStrand{0.9, 0, 1.2, 0.9}}, 0,
      0.62);
  static const auto slot = reaching(
      std::array{SectionStrand{0, -0.95, 0.85, 1}, SectionStrand{0, -1.5, 0.85, 1}, SectionStrand{0, -2.05, 0.8, 1}},
      0.42, -1.5);
  switch (shape) {
    case SectionShape::bedding:
      return bedding;
    case SectionShape::slot:
      return slot;
    case SectionShape::tube:
      break;
  }
  return tube;
}

}  // namespace tepui
