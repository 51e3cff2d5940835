#include "tepui/cover/crown_room.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "tepui/core/parallel.h"

namespace tepui {

namespace {

int octave_of(int32_t crown) { return std::bit_width(static_cast<uint32_t>(crown)); }

/// The candidates of one octave, sorted into squares of the plan so large that whoever is too close lies in the next
/// one at most.
class CrownOctave {
 public:
  struct Crown {
    double x, y, radius;  ///< from the corner of all candidates; hundredths of a metre
    uint64_t rank;        ///< radius, then chance
    uint32_t index;       ///< of all candidates
  };

  CrownOctave(const CrownCandidates& all, const std::vector<uint32_t>& members, int64_t x0, int64_t y0, double width,
              double height, double spacing)
      : spacing_(spacing) {
    double largest = 0;
    for (const uint32_t i : members) largest = std::max(largest, static_cast<double>(all.crown[i]));
    // No more squares than candidates can fill.
    side_ = std::max(
        {1.0, 2 * spacing * largest, std::sqrt(width * height / (2 * static_cast<double>(members.size()) + 16))});
    side_ = std::max({side_, width / 1e6, height / 1e6});
    columns_ = static_cast<int64_t>(width / side_) + 1;
    rows_ = static_cast<int64_t>(height / side_) + 1;
    std::vector<uint32_t> square(members.size());
    starts_.assign(static_cast<size_t>(columns_ * rows_) + 1, 0);
    for (size_t i = 0; i < members.size(); ++i) {
      const auto x = static_cast<double>(all.x[members[i]] - x0), y = static_cast<double>(all.y[members[i]] - y0);
      square[i] = static_cast<uint32_t>(row_of(y) * columns_ + column_of(x));
      ++starts_[square[i] + 1];
    }
    for (size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    std::vector<uint32_t> next(starts_.begin(), starts_.end() - 1);
    crowns_.resize(members.size());
    for (size_t i = 0; i < members.size(); ++i) {
      const uint32_t m = members[i];
      crowns_[next[square[i]]++] = {static_cast<double>(all.x[m] - x0), static_cast<double>(all.y[m] - y0),
                                    static_cast<double>(all.crown[m]),
                                    static_cast<uint64_t>(all.crown[m]) << 32 | all.chance[m], m};
    }
  }

  int64_t rows() const { return rows_; }
  /// The crowns of some rows of squares are [first(row), first(end)).
  uint32_t first(int64_t row) const { return starts_[static_cast<size_t>(row * columns_)]; }
  const std::vector<Crown>& crowns() const { return crowns_; }

  bool is_close(const Crown& a, const Crown& b) const {
    const double dx = a.x - b.x, dy = a.y - b.y, apart = spacing_ * (a.radius + b.radius);
    return dx * dx + dy * dy < apart * apart;
  }

  /// Whether any of the crowns too close to `c`, itself perhaps among them, meets the test.
  template <class Test>
  bool any_close(const Crown& c, const Test& test) const {
    const int64_t column = column_of(c.x), row = row_of(c.y);
    const int64_t west = std::max<int64_t>(column - 1, 0), east = std::min(column + 1, columns_ - 1);
    for (int64_t r = std::max<int64_t>(row - 1, 0); r <= std::min(row + 1, rows_ - 1); ++r) {
      const uint32_t end = starts_[static_cast<size_t>(r * columns_ + east) + 1];
      for (uint32_t i = starts_[static_cast<size_t>(r * columns_ + west)]; i < end; ++i)
        if (is_close(c, crowns_[i]) && test(i)) return true;
    }
    return false;
  }

  /// Drops all but those that are kept.
  void keep(const std::vector<uint8_t>& kept) {
    uint32_t count = 0, from = 0;
    for (size_t s = 0; s + 1 < starts_.size(); ++s) {
      const uint32_t end = starts_[s + 1];
      starts_[s] = count;
      for (uint32_t i = from; i < end; ++i)
        if (kept[i] != 0) crowns_[count++] = crowns_[i];
      from = end;
    }
    starts_.back() = count;
    crowns_.resize(count);
    crowns_.shrink_to_fit();
  }

 private:
  int64_t column_of(double x) const { return std::clamp<int64_t>(static_cast<int64_t>(x / side_), 0, columns_ - 1); }
  int64_t row_of(double y) const { return std::clamp<int64_t>(static_cast<int64_t>(y / side_), 0, rows_ - 1); }

  double spacing_, side_ = 1;
  int64_t columns_ = 1, rows_ = 1;
  std::vector<uint32_t> starts_;  ///< of squares, row by row
  std::vector<Crown> crowns_;
};

bool goes_before(const CrownOctave::Crown& a, const CrownOctave::Crown& b) {
  if (a.rank != b.rank) return a.rank > b.rank;
  if (a.y != b.y) return a.y < b.y;
  return a.x != b.x ? a.x < b.x : a.index < b.index;
}

/// Open crowns of some rows of squares, each with those too close to it that go before it.
struct OpenCrowns {
  struct Crown {
    uint32_t index, first, end;  ///< its rivals are [first, end) of the list
  };
  std::vector<Crown> crowns;
  std::vector<uint32_t> rivals;
};

/// Decides on one octave after the larger ones.
class OctavePasses {
 public:
  OctavePasses(const CrownOctave& octave, const std::vector<std::unique_ptr<CrownOctave>>& larger,
               const Context& context)
      : octave_(octave), context_(context), kept_(octave.crowns().size(), 0), out_(octave.crowns().size(), 0) {
    const int64_t rows = octave.rows();
    grain_ = std::max<int64_t>(1, rows / 256);
    open_.resize(static_cast<size_t>((rows + grain_ - 1) / grain_));
    const auto each = [&](const auto& act) {
      parallel_chunks(rows, grain_, context_, [&](int64_t begin, int64_t end) {
        act(open_[static_cast<size_t>(begin / grain_)], octave_.first(begin), octave_.first(end));
      });
    };
    each([&](OpenCrowns&, uint32_t begin, uint32_t end) {
      for (uint32_t i = begin; i < end; ++i)
        for (const auto& other : larger)
          if (other->any_close(octave_.crowns()[i], [](uint32_t) { return true; })) {
            out_[i] = 1;
            break;
          }
    });
    each([&](OpenCrowns& open, uint32_t begin, uint32_t end) {
      for (uint32_t i = begin; i < end; ++i)
        if (out_[i] == 0) find_rivals(open, i);
    });
  }

  void pass() {
    each_open([&](OpenCrowns& open) {
      for (const OpenCrowns::Crown& c : open.crowns)
        kept_[c.index] = std::all_of(open.rivals.begin() + c.first, open.rivals.begin() + c.end,
                                     [&](uint32_t rival) { return out_[rival] != 0; });
    });
    each_open([&](OpenCrowns& open) {
      std::erase_if(open.crowns, [&](const OpenCrowns::Crown& c) {
        out_[c.index] = std::any_of(open.rivals.begin() + c.first, open.rivals.begin() + c.end,
                                    [&](uint32_t rival) { return kept_[rival] != 0; });
        return kept_[c.index] != 0 || out_[c.index] != 0;
      });
    });
  }

  const std::vector<uint8_t>& kept() const { return kept_; }

 private:
  void find_rivals(OpenCrowns& open, uint32_t i) {
    const auto first = static_cast<uint32_t>(open.rivals.size());
    octave_.any_close(octave_.crowns()[i], [&](uint32_t other) {
      if (other != i && out_[other] == 0 && goes_before(octave_.crowns()[other], octave_.crowns()[i]))
        open.rivals.push_back(other);
      return false;
    });
    open.crowns.push_back({i, first, static_cast<uint32_t>(open.rivals.size())});
  }

  template <class Act>
  void each_open(const Act& act) {
    parallel_chunks(static_cast<int64_t>(open_.size()), 1, context_, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) act(open_[static_cast<size_t>(i)]);
    });
  }

  const CrownOctave& octave_;
  const Context& context_;
  int64_t grain_ = 1;
  // In the order of the octave's squares. A pass reads one and writes the other.
  std::vector<uint8_t> kept_, out_;
  std::vector<OpenCrowns> open_;
};

}  // namespace

std::vector<uint8_t> crown_room(const CrownCandidates& all, double spacing, int passes, const Context& context) {
  const size_t count = all.x.size();
  std::vector<uint8_t> room(count, 0);
  if (count == 0) return room;
  const auto [west, east] = std::ranges::minmax(all.x);
  const auto [south, north] = std::ranges::minmax(all.y);
  constexpr int octaves = 32;
  std::vector<std::vector<uint32_t>> members(octaves);
  for (size_t i = 0; i < count; ++i)
    members[static_cast<size_t>(octave_of(all.crown[i]))].push_back(static_cast<uint32_t>(i));
  std::vector<std::unique_ptr<CrownOctave>> larger;
  size_t done = 0;
  for (size_t o = octaves; o-- > 0;) {
    if (members[o].empty()) continue;
    auto octave = std::make_unique<CrownOctave>(all, members[o], west, south, static_cast<double>(east - west),
                                                static_cast<double>(north - south), spacing);
    const double from = static_cast<double>(done) / static_cast<double>(count);
    done += members[o].size();
    const Context stage = context.stage("making room", from, static_cast<double>(done) / static_cast<double>(count));
    OctavePasses decide(*octave, larger, stage);
    for (int pass = 0; pass < passes; ++pass) decide.pass();
    octave->keep(decide.kept());
    for (const CrownOctave::Crown& crown : octave->crowns()) room[crown.index] = 1;
    larger.push_back(std::move(octave));
  }
  return room;
}

double crown_reach(double largest_crown, double spacing, int passes) {
  // Octaves halve: all of them together reach twice as far as the first.
  return 2 * (2 * passes + 1) * 2 * spacing * largest_crown;
}

}  // namespace tepui
