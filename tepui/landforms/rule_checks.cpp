#include "tepui/landforms/rule_checks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "tepui/core/position.h"

namespace tepui {

namespace {

using Marks = std::vector<uint8_t>;

/// Where the name of a symbol or shape stands.
const JsonMember& member_of(const Json& document, std::string_view part, size_t index) {
  return document.find(part)->members[index];
}

bool rises(const RuleShape& shape) { return shape.rise > 0 || shape.step > 0; }

/// Symbols that can come to an end, from the alternatives that do.
Marks ending_symbols(const RuleSet& set) {
  Marks ends(set.symbols.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t s = 0; s < set.symbols.size(); ++s)
      for (const RuleAlternative& alternative : set.symbols[s].alternatives) {
        const bool all = std::ranges::all_of(alternative.then, [&](const RuleItem& item) {
          return item.is_shape || ends[static_cast<size_t>(item.which)] != 0;
        });
        if (!all || ends[s] != 0) continue;
        ends[s] = 1;
        changed = true;
      }
  }
  return ends;
}

void check_ends(const RuleSet& set, const Json& document) {
  const Marks ends = ending_symbols(set);
  for (size_t s = 0; s < ends.size(); ++s)
    if (ends[s] == 0)
      refuse_at(member_of(document, "symbols", s).at,
                fmt::format("the symbol '{}' never ends: each of its alternatives leads on to another symbol that "
                            "does not end either",
                            set.symbols[s].name),
                "give it an alternative that only places shapes, or nothing: { \"then\": [] }");
}

/// Walks the symbols that an alternative grows before anything rises. A ring of those grows on the spot.
void check_rings(const RuleSet& set, const Json& document) {
  std::vector<int> state(set.symbols.size(), 0);  // 1: on the way there, 2: done
  std::vector<size_t> way;
  const std::function<void(size_t)> visit = [&](size_t s) {
    state[s] = 1;
    way.push_back(s);
    for (const RuleAlternative& alternative : set.symbols[s].alternatives)
      for (const RuleItem& item : alternative.then) {
        const auto next = static_cast<size_t>(item.which);
        if (item.is_shape && rises(set.shapes[next])) break;
        if (item.is_shape || state[next] == 2) continue;
        if (state[next] == 0) {
          visit(next);
          continue;
        }
        std::vector<std::string> names;
        for (auto it = std::ranges::find(way, next); it != way.end(); ++it) names.push_back(set.symbols[*it].name);
        names.push_back(set.symbols[next].name);
        refuse_at(member_of(document, "symbols", next).at,
                  fmt::format("the symbol '{}' leads back to itself before anything has risen: {}",
                              set.symbols[next].name, fmt::join(names, ", ")),
                  "place a shape with a \"rise\" or \"step\" on the way");
      }
    state[s] = 2;
    way.pop_back();
  };
  for (size_t s = 0; s < set.symbols.size(); ++s)
    if (state[s] == 0) visit(s);
}

/// Symbols and shapes that a symbol leads to.
void mark_reached(const RuleSet& set, size_t from, Marks& symbols, Marks& shapes) {
  std::vector<size_t> left{from};
  while (!left.empty()) {
    const size_t s = left.back();
    left.pop_back();
    for (const RuleAlternative& alternative : set.symbols[s].alternatives)
      for (const RuleItem& item : alternative.then) {
        const auto next = static_cast<size_t>(item.which);
        uint8_t& mark = item.is_shape ? shapes[next] : symbols[next];
        if (mark != 0) continue;
        mark = 1;
        if (!item.is_shape) left.push_back(next);
      }
  }
}

void check_used(const RuleSet& set, const Json& document) {
  Marks symbols(set.symbols.size(), 0), shapes(set.shapes.size(), 0);
  mark_reached(set, static_cast<size_t>(set.axiom), symbols, shapes);
  symbols[static_cast<size_t>(set.axiom)] = 1;
  const auto check = [&](const Marks& marks, std::string_view part, std::string_view what) {
    for (size_t i = 0; i < marks.size(); ++i) {
      const JsonMember& member = member_of(document, part, i);
      if (marks[i] == 0)
        refuse_at(member.at,
                  fmt::format("the axiom '{}' never leads to the {} '{}'",
                              set.symbols[static_cast<size_t>(set.axiom)].name, what, member.key),
                  "use it or remove it");
    }
  };
  check(symbols, "symbols", "symbol");
  check(shapes, "shapes", "shape");
  if (std::ranges::find(shapes, 1) == shapes.end()) refuse_at(document.at, "the rules place no shapes");
}

/// An alternative that grows two symbols at once which both lead back to its own.
std::pair<size_t, size_t> doubling(const RuleSet& set) {
  for (size_t s = 0; s < set.symbols.size(); ++s)
    for (size_t a = 0; a < set.symbols[s].alternatives.size(); ++a) {
      int back = 0;
      for (const RuleItem& item : set.symbols[s].alternatives[a].then) {
        if (item.is_shape) continue;
        Marks symbols(set.symbols.size(), 0), shapes(set.shapes.size(), 0);
        mark_reached(set, static_cast<size_t>(item.which), symbols, shapes);
        if (static_cast<size_t>(item.which) == s || symbols[s] != 0) ++back;
      }
      if (back > 1) return {s, a};
    }
  return {set.symbols.size(), 0};
}

void check_points(const RuleSet& set, const Json& document) {
  const double most = most_points_of(set);
  if (most <= RuleSet::most_points) return;
  const auto [s, a] = doubling(set);
  if (s < set.symbols.size())
    refuse_at(member_of(document, "symbols", s).value.items[a].at,
              fmt::format("this alternative of '{}' grows several symbols that lead back to it: a feature could have "
                          "{:.2g} points, {} symbols deep",
                          set.symbols[s].name, most, set.depth),
              fmt::format("let all but one of them end, or lower \"depth\"; at most {:g} points are allowed",
                          RuleSet::most_points));
  refuse_at(document.at, fmt::format("a feature could have {:.2g} points, {} symbols deep", most, set.depth),
            fmt::format("lower \"depth\"; at most {:g} points are allowed", RuleSet::most_points));
}

}  // namespace

double most_points_of(const RuleSet& set) {
  std::vector<double> below(set.symbols.size(), 0), now;
  for (int depth = 0; depth < set.depth; ++depth) {
    now.assign(set.symbols.size(), 0);
    for (size_t s = 0; s < set.symbols.size(); ++s)
      for (const RuleAlternative& alternative : set.symbols[s].alternatives) {
        double points = 0;
        for (const RuleItem& item : alternative.then) {
          const auto which = static_cast<size_t>(item.which);
          points += item.is_shape ? set.shapes[which].lobes.high : below[which];
        }
        now[s] = std::max(now[s], std::min(points, 1e12));
      }
    if (now == below) break;
    below.swap(now);
  }
  return below[static_cast<size_t>(set.axiom)];
}

void check_rules(const RuleSet& set, const Json& document) {
  check_used(set, document);
  check_ends(set, document);
  check_rings(set, document);
  check_points(set, document);
}

}  // namespace tepui
