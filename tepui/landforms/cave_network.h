#pragma once  // internal

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tepui/landforms/percolation.h"

namespace tepui {

/// What is kept of all the ways that water has found.
struct CaveRule {
  bool everything = false;      ///< All of it.
  int outlets = 2;              ///< Springs of a sink, the lowest first.
  double outlet_distance = 60;  ///< Metres between them at least.
  bool joins = true;            ///< Between the waters of two sinks that touch.
  double dead_ends = 0.01;      ///< Share of the kept points at which a blind passage begins.
  double width = 2;             ///< Radius of the smallest passages, metres.
  double variation = 0.55;      ///< Of the radius along a passage.
  double hardest = 0.6;         ///< Smoothing moves no point into rock as hard.
};

struct CavePoint {
  Vec3 at;
  int32_t parent = -1;  ///< Of the network's points; -1 of a start. A parent lies before its children.
  int32_t start = 0;
  int32_t age = 0;  ///< The turn in which water came.
  float resistance = 0;
  bool open = false;   ///< Beyond a mouth, in the air.
  bool blind = false;  ///< Of a passage that leads nowhere.
  int32_t below = 1;   ///< Points that are reached through it, itself among them.
  int32_t order = 1;   ///< Strahler's, from the ends to the start.
  double radius = 0;
};

struct CaveNetwork {
  std::vector<CavePoint> points;
  std::vector<std::pair<int32_t, int32_t>> joins;
  std::vector<int32_t> springs;  ///< Points at which water of sinks leaves the rock.
  std::vector<int32_t> starts;   ///< The point of every start that has some part in it.
};

/// Of each sink the ways to the lowest of the places where its water came to the open air, or, where it never did, the
/// way to the lowest place that it reached; a join for each pair of sinks whose waters touch, and for each spring that
/// was given and a sink; blind passages of 3 to 10 points. Sinks whose water meets a given spring go there alone.
CaveNetwork cave_network(const Percolation& water, std::span<const PercolationStart> starts, const CaveRule& rule,
                         const Stream& stream);

/// Takes the corners off: points move towards the middle of their neighbours, but not out of the rock, into rock as
/// hard as the rule's hardest or out of a weak bed. Starts and mouths stay.
void smooth_caves(CaveNetwork& caves, const CaveRule& rule, const AskRock& ask, int rounds);

/// Radii: width (1 + 0.2 below^0.38), less over the first 15 widths from a start, varied by noise over 5.5 widths and,
/// for halls, over 30, more in weak rock.
void widen_caves(CaveNetwork& caves, const CaveRule& rule, uint64_t noise_key);

/// The points that exist when a share of all of them does, in the order of their ages: 1 for each.
std::vector<uint8_t> grown_caves(const CaveNetwork& caves, double growth);

}  // namespace tepui
