#include "tepui/landforms/gallery_mouths.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

/// Cells along a block, and corners.
constexpr int64_t side = 8, corners = side + 1;
/// Around a place in the open air, in radii: as far as its passage may take rock away.
constexpr double reach = 2.8;
constexpr double cells_a_radius = 3.3;
/// Mouths may grow into one if they are nearer than this, in the sum of their radii.
constexpr double near = 3.2;
/// A passage that stays in the open air for longer, in radii, may have several.
constexpr double longest = 5;
/// Fewer places than these are a crack. Rock is gone where v is less, and was more by as much: edges of the lattice
/// meet the surface only about where they are thought to.
constexpr int64_t least_places = 6;
constexpr float gone = -0.3f;

/// Coordinates of blocks or corners, 21 bits each; the lattice is as wide as that.
using Key = uint64_t;
constexpr int64_t half_span = int64_t{1} << 20;
Key key_of(int64_t x, int64_t y, int64_t z) {
  return static_cast<Key>(z + half_span) << 42 | static_cast<Key>(y + half_span) << 21 |
         static_cast<Key>(x + half_span);
}
std::array<int64_t, 3> from_key(Key key) {
  constexpr Key bits = 2 * half_span - 1;
  return {static_cast<int64_t>(key & bits) - half_span, static_cast<int64_t>(key >> 21 & bits) - half_span,
          static_cast<int64_t>(key >> 42 & bits) - half_span};
}

struct Place {
  Vec3 at;
  double radius = 0;
};
/// Places that follow each other along a passage, and one next to them below the surface.
struct Run {
  std::vector<Place> places;
  std::optional<Vec3> below{};
};

std::vector<Run> open_runs(const std::vector<GalleryCourse>& courses) {
  std::vector<Run> runs;
  for (const GalleryCourse& course : courses)
    for (size_t v = 0; v < course.at.size(); ++v) {
      if (course.open[v] == 0) {
        if (v > 0 && course.open[v - 1] != 0) runs.back().below = course.at[v];
        continue;
      }
      if (v == 0 || course.open[v - 1] == 0) runs.emplace_back();
      if (v > 0 && course.open[v - 1] == 0) runs.back().below = course.at[v - 1];
      runs.back().places.push_back({course.at[v], course.radius[v]});
    }
  return runs;
}

size_t root_of(std::vector<size_t>& parent, size_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

double length_of(const Run& run) {
  double sum = 0;
  for (size_t i = 1; i < run.places.size(); ++i) sum += length(run.places[i].at - run.places[i - 1].at);
  return sum;
}

/// Whether one is short and leads to a passage, which may be missing in hard rock.
bool is_plain(const Run& run, const Volume& after) {
  return run.below && length_of(run) < longest * run.places.front().radius && !after.inside(*run.below);
}

/// A plain run that has no other near it is one mouth. The places of all others are left.
int64_t count_alone(const std::vector<Run>& runs, const Volume& after, std::vector<Place>& left) {
  struct Owned {
    Place place;
    size_t run = 0;
  };
  std::vector<Owned> places;
  double widest = 0;
  for (size_t r = 0; r < runs.size(); ++r)
    for (const Place& place : runs[r].places) {
      places.push_back({place, r});
      widest = std::max(widest, place.radius);
    }
  // Along x, so that each is compared only with those that may be near it.
  std::ranges::stable_sort(places, {}, [](const Owned& p) { return p.place.at.x; });
  std::vector<uint8_t> crowded(runs.size());
  for (size_t a = 0; a < places.size(); ++a)
    for (size_t b = a + 1; b < places.size() && places[b].place.at.x - places[a].place.at.x < 2 * near * widest; ++b) {
      const Place &p = places[a].place, &q = places[b].place;
      if (places[a].run != places[b].run && length(p.at - q.at) < near * (p.radius + q.radius))
        crowded[places[a].run] = crowded[places[b].run] = 1;
    }
  int64_t alone = 0;
  for (size_t r = 0; r < runs.size(); ++r) {
    if (crowded[r] == 0 && is_plain(runs[r], after))
      ++alone;
    else
      left.insert(left.end(), runs[r].places.begin(), runs[r].places.end());
  }
  return alone;
}

double usual_radius(const std::vector<Place>& places) {
  std::vector<double> radii;
  for (const Place& place : places) radii.push_back(place.radius);
  const auto middle = radii.begin() + static_cast<ptrdiff_t>(radii.size() / 2);
  std::nth_element(radii.begin(), middle, radii.end());
  return *middle;
}

/// The blocks around all places, each once.
std::vector<Key> blocks_around(const std::vector<Place>& places, double cell) {
  std::vector<Key> blocks;
  const double width = cell * static_cast<double>(side);
  for (const Place& place : places) {
    std::array<int64_t, 3> low, high;
    const double at[] = {place.at.x, place.at.y, place.at.z};
    for (size_t k = 0; k < 3; ++k) {
      low[k] = static_cast<int64_t>(std::floor((at[k] - reach * place.radius) / width));
      high[k] = static_cast<int64_t>(std::floor((at[k] + reach * place.radius) / width));
    }
    for (int64_t z = low[2]; z <= high[2]; ++z)
      for (int64_t y = low[1]; y <= high[1]; ++y)
        for (int64_t x = low[0]; x <= high[0]; ++x) blocks.push_back(key_of(x, y, z));
  }
  std::ranges::sort(blocks);
  blocks.erase(std::ranges::unique(blocks).begin(), blocks.end());
  return blocks;
}

/// Two places of one opening, each an edge of the lattice: three times the key of its lower corner, plus its axis.
using Link = std::pair<Key, Key>;

/// Finds the places without rock in one block.
class OpenBlock {
 public:
  OpenBlock(const Volume& before, const Volume& after, double cell) : before_(before), after_(after), cell_(cell) {}

  void add_links(Key block, std::vector<Link>& links) {
    const std::array<int64_t, 3> at = from_key(block);
    for (size_t k = 0; k < 3; ++k) {
      first_[k] = at[k] * side;
      for (int64_t i = 0; i < corners; ++i)
        along_[k][static_cast<size_t>(i)] = static_cast<double>(first_[k] + i) * cell_;
    }
    box_ = {{along_[0][0], along_[1][0], along_[2][0]}, {along_[0][side], along_[1][side], along_[2][side]}};
    const FieldRange range = before_.root().range(box_);
    if (!(range.low <= 0 && range.high > 0)) return;
    ask_corners();
    list_crossings();
    if (crossings_.empty()) return;
    ask_crossings();
    link_cells(links);
  }

 private:
  struct Crossing {
    int32_t corner = 0;
    int32_t axis = 0;
  };
  static constexpr std::array<int32_t, 3> stride{1, corners, corners* corners};

  void ask_corners() {
    constexpr int64_t slab = FieldPoints::most / (corners * corners);
    std::array<double, FieldPoints::most> x, y, z;
    for (int64_t first = 0; first < corners; first += slab) {
      const int64_t layers = std::min(slab, corners - first);
      int64_t n = 0;
      for (int64_t k = first; k < first + layers; ++k)
        for (size_t j = 0; j < corners; ++j)
          for (size_t i = 0; i < corners; ++i, ++n) {
            x[static_cast<size_t>(n)] = along_[0][i];
            y[static_cast<size_t>(n)] = along_[1][j];
            z[static_cast<size_t>(n)] = along_[2][static_cast<size_t>(k)];
          }
      const FieldLattice lattice{along_[0].data(), along_[1].data(), along_[2].data() + first,
                                 corners,          corners,          layers};
      before_.root().values({x.data(), y.data(), z.data(), n, box_, &lattice},
                            value_.data() + first * corners * corners);
    }
  }

  void list_crossings() {
    crossings_.clear();
    std::ranges::fill(is_gone_, std::array<uint8_t, 3>{});
    for (int32_t k = 0; k < corners; ++k)
      for (int32_t j = 0; j < corners; ++j)
        for (int32_t i = 0; i < corners; ++i) {
          const int32_t c = (k * static_cast<int32_t>(corners) + j) * static_cast<int32_t>(corners) + i;
          const std::array<int32_t, 3> at{i, j, k};
          for (int32_t axis = 0; axis < 3; ++axis)
            if (at[static_cast<size_t>(axis)] < side &&
                (value(c) > 0) != (value(c + stride[static_cast<size_t>(axis)]) > 0))
              crossings_.push_back({c, axis});
        }
  }
  float value(int32_t corner) const { return value_[static_cast<size_t>(corner)]; }

  void ask_crossings() {
    std::array<double, FieldPoints::most> x, y, z;
    std::array<float, FieldPoints::most> was, v;
    for (size_t first = 0; first < crossings_.size(); first += FieldPoints::most) {
      const size_t count = std::min<size_t>(FieldPoints::most, crossings_.size() - first);
      for (size_t n = 0; n < count; ++n) {
        const Crossing& crossing = crossings_[first + n];
        const auto c = static_cast<size_t>(crossing.corner);
        std::array<double, 3> at{along_[0][c % corners], along_[1][c / corners % corners],
                                 along_[2][c / (corners * corners)]};
        const double here = value(crossing.corner),
                     there = value(crossing.corner + stride[static_cast<size_t>(crossing.axis)]);
        at[static_cast<size_t>(crossing.axis)] += cell_ * here / (here - there);
        x[n] = at[0], y[n] = at[1], z[n] = at[2];
      }
      const FieldPoints at{x.data(), y.data(), z.data(), static_cast<int64_t>(count), box_};
      before_.root().values(at, was.data());
      after_.root().values(at, v.data());
      for (size_t n = 0; n < count; ++n) {
        const Crossing& crossing = crossings_[first + n];
        is_gone_[static_cast<size_t>(crossing.corner)][static_cast<size_t>(crossing.axis)] =
            v[n] < std::min(gone, was[n] + gone) ? 1 : 0;
      }
    }
  }

  /// The edges of a cell whose rock is gone belong together.
  void link_cells(std::vector<Link>& links) const {
    for (int32_t k = 0; k < side; ++k)
      for (int32_t j = 0; j < side; ++j)
        for (int32_t i = 0; i < side; ++i) {
          bool any = false;
          Key one = 0;
          for (int32_t e = 0; e < 12; ++e) {
            const int32_t axis = e / 4, a = e & 1, b = e >> 1 & 1;
            const int32_t x = i + (axis == 0 ? 0 : a),
                          y = j + (axis == 0   ? a
                                   : axis == 1 ? 0
                                               : b),
                          z = k + (axis == 2 ? 0 : b);
            const auto c = static_cast<size_t>((z * corners + y) * corners + x);
            if (is_gone_[c][static_cast<size_t>(axis)] == 0) continue;
            const Key edge = 3 * key_of(first_[0] + x, first_[1] + y, first_[2] + z) + static_cast<Key>(axis);
            if (!any) one = edge;
            any = true;
            links.emplace_back(one, edge);
          }
        }
  }

  const Volume &before_, &after_;
  double cell_;
  std::array<int64_t, 3> first_{};
  std::array<std::array<double, corners>, 3> along_{};
  Box3 box_;
  std::array<float, corners * corners * corners> value_{};
  std::array<std::array<uint8_t, 3>, corners * corners * corners> is_gone_{};
  std::vector<Crossing> crossings_;
};

int64_t count_pieces(const std::vector<Link>& links) {
  std::vector<Key> keys;
  for (const Link& link : links) keys.push_back(link.second);
  std::ranges::sort(keys);
  keys.erase(std::ranges::unique(keys).begin(), keys.end());
  std::vector<size_t> parent(keys.size());
  std::iota(parent.begin(), parent.end(), size_t{0});
  const auto index = [&](Key key) { return static_cast<size_t>(std::ranges::lower_bound(keys, key) - keys.begin()); };
  for (const Link& link : links) parent[root_of(parent, index(link.first))] = root_of(parent, index(link.second));
  std::vector<int64_t> sizes(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) ++sizes[root_of(parent, i)];
  return std::ranges::count_if(sizes, [](int64_t size) { return size >= least_places; });
}

}  // namespace

int64_t count_mouths(const std::vector<GalleryCourse>& courses, const Volume& before, const Volume& after,
                     const Context& context) {
  std::vector<Place> places;
  const int64_t alone = count_alone(open_runs(courses), after, places);
  if (places.empty()) return alone;
  const double cell = usual_radius(places) / cells_a_radius;
  const std::vector<Key> blocks = blocks_around(places, cell);
  constexpr int64_t grain = 16;
  const auto count = static_cast<int64_t>(blocks.size());
  std::vector<std::vector<Link>> chunks(static_cast<size_t>((count + grain - 1) / grain));
  parallel_chunks(count, grain, context, [&](int64_t begin, int64_t end) {
    OpenBlock block(before, after, cell);
    for (int64_t i = begin; i < end; ++i)
      block.add_links(blocks[static_cast<size_t>(i)], chunks[static_cast<size_t>(begin / grain)]);
  });
  std::vector<Link> links;
  for (const auto& chunk : chunks) links.insert(links.end(), chunk.begin(), chunk.end());
  return alone + count_pieces(links);
}

}  // namespace tepui
