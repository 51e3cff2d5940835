#include "tepui/planet/river_courses.h"

#include <algorithm>
#include <numeric>

namespace tepui {

namespace {

/// Which vertices rivers run through, and how they join.
struct Network {
  std::span<const int32_t> receiver;
  std::vector<uint8_t> wet;
  std::vector<int32_t> donors;      ///< how many rivers come from above
  std::vector<int32_t> main_donor;  ///< the one that brings most; -1 at heads
  std::vector<int32_t> downwards;   ///< the wet vertices, each before its receiver
  std::vector<int> order;           ///< Strahler's

  bool goes_on(int32_t v) const { return wet[static_cast<size_t>(receiver[static_cast<size_t>(v)])] != 0; }
};

Network network_of(std::span<const int32_t> receiver, std::span<const int64_t> discharge, int64_t least) {
  const size_t count = receiver.size();
  Network net{receiver, std::vector<uint8_t>(count, 0), std::vector<int32_t>(count, 0), std::vector<int32_t>(count, -1),
              {},       std::vector<int>(count, 1)};
  for (size_t v = 0; v < count; ++v) net.wet[v] = receiver[v] >= 0 && discharge[v] >= least ? 1 : 0;
  for (size_t v = 0; v < count; ++v) {
    if (net.wet[v] == 0 || !net.goes_on(static_cast<int32_t>(v))) continue;
    const auto down = static_cast<size_t>(receiver[v]);
    ++net.donors[down];
    int32_t& best = net.main_donor[down];
    if (best < 0 || discharge[v] > discharge[static_cast<size_t>(best)]) best = static_cast<int32_t>(v);
  }
  std::vector<int32_t> waiting = net.donors;
  std::vector<int> highest(count, 0), times(count, 0);  // the highest order that arrives, and how often
  for (size_t v = 0; v < count; ++v)
    if (net.wet[v] != 0 && waiting[v] == 0) net.downwards.push_back(static_cast<int32_t>(v));
  for (size_t next = 0; next < net.downwards.size(); ++next) {
    const int32_t v = net.downwards[next];
    const auto at = static_cast<size_t>(v);
    if (net.donors[at] > 0) net.order[at] = highest[at] + (times[at] > 1 ? 1 : 0);
    if (!net.goes_on(v)) continue;
    const auto down = static_cast<size_t>(receiver[at]);
    if (net.order[at] > highest[down]) highest[down] = net.order[at], times[down] = 0;
    if (net.order[at] == highest[down]) ++times[down];
    if (--waiting[down] == 0) net.downwards.push_back(receiver[at]);
  }
  return net;
}

/// The river of every wet vertex and the river it ends in, named by their last vertices.
struct Names {
  std::vector<int32_t> river, basin;
};

Names names_of(const Network& net) {
  Names names{std::vector<int32_t>(net.wet.size(), -1), std::vector<int32_t>(net.wet.size(), -1)};
  for (auto v = net.downwards.rbegin(); v != net.downwards.rend(); ++v) {
    const auto at = static_cast<size_t>(*v), down = static_cast<size_t>(net.receiver[at]);
    const bool on = net.goes_on(*v);
    names.river[at] = on && net.main_donor[down] == *v ? names.river[down] : *v;
    names.basin[at] = on ? names.basin[down] : *v;
  }
  return names;
}

}  // namespace

std::vector<RiverCourse> river_courses(std::span<const int32_t> receiver, std::span<const int64_t> discharge,
                                       int64_t least) {
  const Network net = network_of(receiver, discharge, least);
  const Names names = names_of(net);
  std::vector<int32_t> ends;
  for (const int32_t v : net.downwards)
    if (names.river[static_cast<size_t>(v)] == v) ends.push_back(v);
  std::ranges::sort(ends, [&](int32_t a, int32_t b) {
    const int64_t of_a = discharge[static_cast<size_t>(a)], of_b = discharge[static_cast<size_t>(b)];
    return of_a != of_b ? of_a > of_b : a < b;
  });
  std::vector<int32_t> rank(receiver.size(), -1);
  for (size_t i = 0; i < ends.size(); ++i) rank[static_cast<size_t>(ends[i])] = static_cast<int32_t>(i);

  std::vector<RiverCourse> courses;
  for (const int32_t start : net.downwards) {
    const auto at = static_cast<size_t>(start);
    if (net.donors[at] == 1) continue;
    RiverCourse course;
    course.order = net.order[at];
    course.river = rank[static_cast<size_t>(names.river[at])];
    course.basin = rank[static_cast<size_t>(names.basin[at])];
    int32_t v = start;
    do {
      course.vertices.push_back(v);
      v = receiver[static_cast<size_t>(v)];
    } while (net.wet[static_cast<size_t>(v)] != 0 && net.donors[static_cast<size_t>(v)] == 1);
    course.vertices.push_back(v);
    courses.push_back(std::move(course));
  }
  return courses;
}

}  // namespace tepui
