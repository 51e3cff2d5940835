#include "reference/crown_room.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

namespace tepui::reference {

namespace {

enum class Fate { open, kept, out };

struct Room {
  const std::vector<Crown>& all;
  double spacing;
  std::vector<std::vector<size_t>> close;  ///< of each, those too close to it
  std::vector<Fate> fate;

  Room(const std::vector<Crown>& crowns, double s) : all(crowns), spacing(s), close(crowns.size()) {
    fate.assign(all.size(), Fate::open);
    double widest = 1;
    for (const Crown& c : all) widest = std::max(widest, 2 * spacing * c.radius);
    std::map<std::pair<int64_t, int64_t>, std::vector<size_t>> squares;
    const auto square = [&](int64_t v) { return static_cast<int64_t>(std::floor(static_cast<double>(v) / widest)); };
    for (size_t i = 0; i < all.size(); ++i) squares[{square(all[i].x), square(all[i].y)}].push_back(i);
    for (size_t i = 0; i < all.size(); ++i)
      for (int64_t dx = -1; dx <= 1; ++dx)
        for (int64_t dy = -1; dy <= 1; ++dy) {
          const auto found = squares.find({square(all[i].x) + dx, square(all[i].y) + dy});
          if (found == squares.end()) continue;
          for (const size_t other : found->second)
            if (other != i && too_close(all[i], all[other])) close[i].push_back(other);
        }
  }

  bool too_close(const Crown& a, const Crown& b) const {
    const auto dx = static_cast<double>(a.x - b.x), dy = static_cast<double>(a.y - b.y);
    const double apart = spacing * (static_cast<double>(a.radius) + static_cast<double>(b.radius));
    return dx * dx + dy * dy < apart * apart;
  }

  bool before(size_t a, size_t b) const {
    const auto turn = [&](size_t i) {
      return std::tuple(-static_cast<int64_t>(all[i].radius), -static_cast<int64_t>(all[i].chance), all[i].y, all[i].x,
                        i);
    };
    return turn(a) < turn(b);
  }
};

int octave(int32_t radius) {
  int n = 0;
  while (radius >> n != 0) ++n;
  return n;
}

}  // namespace

std::vector<bool> crown_room(const std::vector<Crown>& all, double spacing, int passes) {
  Room room(all, spacing);
  std::map<int, std::vector<size_t>, std::greater<>> octaves;
  for (size_t i = 0; i < all.size(); ++i) octaves[octave(all[i].radius)].push_back(i);
  for (const auto& [number, members] : octaves) {
    const auto drop_neighbours = [&] {
      for (const size_t i : members)
        for (const size_t other : room.close[i])
          if (room.fate[i] == Fate::open && room.fate[other] == Fate::kept) room.fate[i] = Fate::out;
    };
    drop_neighbours();
    for (int pass = 0; pass < passes; ++pass) {
      std::vector<size_t> first;
      for (const size_t i : members) {
        if (room.fate[i] != Fate::open) continue;
        const bool goes_first = std::ranges::all_of(room.close[i], [&](size_t other) {
          return octave(all[other].radius) != number || room.fate[other] != Fate::open || room.before(i, other);
        });
        if (goes_first) first.push_back(i);
      }
      for (const size_t i : first) room.fate[i] = Fate::kept;
      drop_neighbours();
    }
    for (const size_t i : members)
      if (room.fate[i] == Fate::open) room.fate[i] = Fate::out;
  }
  std::vector<bool> kept;
  for (const Fate fate : room.fate) kept.push_back(fate == Fate::kept);
  return kept;
}

}  // namespace tepui::reference
