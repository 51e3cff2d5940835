#include "tepui/cover/scatter_candidates.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <span>

#include "tepui/core/error.h"
#include "tepui/core/hash.h"
#include "tepui/core/math.h"
#include "tepui/core/noise.h"
#include "tepui/core/parallel.h"

namespace tepui {

namespace {

constexpr double square_area = static_cast<double>(scatter_square) * scatter_square;
constexpr int64_t centimetres = 100 * scatter_square;
constexpr int64_t most_candidates = 100'000'000, most_in_a_row = 4'000'000;
constexpr double most_squares = 1 << 28;  // a land of 131 km

[[noreturn]] void too_many() {
  refuse("more than 100 million points would be scattered", "lower 'density', or scatter on a crop or a mask");
}

/// A draw holds two numbers of 32 bits, in [0, 1).
double upper(uint64_t bits) { return static_cast<double>(bits >> 32) * 0x1p-32; }
double lower(uint64_t bits) { return static_cast<double>(bits & 0xffffffff) * 0x1p-32; }

/// What a draw of a candidate is for.
enum Draw : uint64_t { place, rank, form };

/// Radii of crowns of the species, as often as each comes, the largest first; in metres, times the spacing.
std::array<double, 96> crown_radii(const SpeciesHabit& species, double spacing) {
  std::array<double, 96> radii;
  for (size_t i = 0; i < radii.size(); ++i) {
    const double share = math::pow((static_cast<double>(i / 3) + 0.5) / 32, species.skew);
    const double height = species.height.low + (species.height.high - species.height.low) * share;
    const double spread = 1 + crown_spread * 2 / 3 * (static_cast<double>(i % 3) - 1);
    radii[i] = spacing * species.crown * height * spread;
  }
  std::ranges::sort(radii, std::greater());
  return radii;
}

/// How many of so many candidates a square metre get their room, when larger crowns take theirs first. The chance that
/// a disc fits among those that stand: scaled particle theory of mixtures (Lebowitz, Helfand, Praestgaard 1965).
double crowns_that_fit(std::span<const double> radii, double candidates) {
  double count = 0, outline = 0, covered = 0;
  for (const double r : radii) {
    if (covered > 0.95) break;
    const double free = 1 - covered, disc = math::pi * r * r, ring = outline / free;
    const double fits = free * math::exp(-(r * ring + disc * (count / free + ring * ring / (4 * math::pi))));
    // While those of one size come, each leaves less room to the next.
    const double come = candidates / static_cast<double>(radii.size()) * fits;
    const double stay = disc > 0 ? (1 - math::exp(-4 * disc * come)) / (4 * disc) : come;
    count += stay;
    outline += 2 * math::pi * r * stay;
    covered += disc * stay;
  }
  return count;
}

/// Candidates a square for a share of the ground from 0 to 2: as many as leave the density asked for, as far as more
/// candidates still help.
class CandidateCount {
 public:
  CandidateCount(const ScatterParams& params, const SpeciesHabit& species) {
    constexpr double least_gain = 0.03;  // points for one more candidate
    const auto radii = crown_radii(species, params.spacing);
    double squares = 0;
    for (const double r : radii) squares += r * r / static_cast<double>(radii.size());
    const double step = params.density * species.density / 1e4 / per_share;
    const double small = squares > 0 ? std::min(step, 0.002 / squares) : step;
    double candidates = 0, stay = 0, gain = 1;
    for (size_t i = 1; i < counts_.size() && step > 0; ++i) {
      const double asked = static_cast<double>(i) * step;
      while (stay < asked && gain > least_gain) {
        const double more = small / gain, then = crowns_that_fit(radii, candidates + more);
        gain = (then - stay) / more;
        candidates += more;
        stay = then;
      }
      counts_[i] = square_area * (candidates - (stay > asked ? (stay - asked) / gain : 0));
    }
  }
  double operator()(double share) const {
    const double at = std::min(share, 2.0) * per_share;
    const size_t i = std::min(static_cast<size_t>(at), counts_.size() - 2);
    return counts_[i] + (counts_[i + 1] - counts_[i]) * (at - static_cast<double>(i));
  }

 private:
  static constexpr double per_share = 128;
  std::array<double, 257> counts_{};
};

Noise noise_of(double scale, uint64_t key) {
  return Noise({.kind = NoiseKind::simplex, .scale = scale, .octaves = 2, .key = key});
}

/// Draws the candidates of one species.
class SpeciesCandidates {
 public:
  SpeciesCandidates(const ScatterGround& ground, const ScatterParams& params, const SpeciesHabit& species,
                    const Stream& stream)
      : ground_(ground),
        params_(params),
        species_(species),
        share_(ground, species.layer),
        stream_(stream),
        count_(params, species),
        clumps_(noise_of(params.clump_size.in(ground.frame()), stream_.bits(0, 100))),
        stands_(noise_of(3 * params.clump_size.in(ground.frame()), stream_.bits(0, 101))) {}

  bool known() const { return share_.known(); }

  struct Found {
    int64_t x, y;
    int32_t height, crown;
    uint32_t chance;
    uint64_t key;
  };

  /// Those in a row of squares.
  void row(int64_t square_y, std::vector<Found>& found) const {
    Forward forward;
    come_forward(square_y, forward);
    std::vector<float> clumps(forward.x.size(), 0), stands(forward.x.size(), 0);
    if (params_.clumps > 0) clumps_.points(forward.x, forward.y, clumps);
    thin(forward, clumps);
    stands.resize(forward.x.size());
    if (params_.clumps > 0) stands_.points(forward.x, forward.y, stands);
    for (size_t i = 0; i < forward.x.size(); ++i) {
      Found one;
      if (stand(forward, i, static_cast<double>(stands[i]), one)) found.push_back(one);
    }
  }

 private:
  /// Candidates that may come forward; `turn`: they do if the count of their square is above it. Turns are a Poisson
  /// process, so that candidates of neighbouring squares are as independent as those of one.
  struct Forward {
    std::vector<double> x, y, share, turn;
    std::vector<uint64_t> key;
  };

  void come_forward(int64_t square_y, Forward& out) const {
    const double south = static_cast<double>(square_y * scatter_square);
    const auto first = static_cast<int64_t>(std::floor(ground_.west() / scatter_square));
    const auto last = static_cast<int64_t>(std::floor(ground_.east() / scatter_square));
    for (int64_t square_x = first; square_x <= last; ++square_x) {
      const double west = static_cast<double>(square_x * scatter_square);
      const double most = share_.most(west, south, west + scatter_square, south + scatter_square);
      if (!(most > 0)) continue;
      const double count = count_(most * (1 + params_.clumps));
      const uint64_t square = mix_bits(mix_bits(static_cast<uint64_t>(square_x)) + static_cast<uint64_t>(square_y));
      double turn = 0;
      for (uint64_t j = 0;; ++j) {
        turn -= math::log(1 - upper(stream_.bits(square + j, rank)));
        if (!(turn < count)) break;
        if (static_cast<int64_t>(out.x.size()) > most_in_a_row) too_many();
        add(square_x, square_y, square + j, turn, out);
      }
    }
  }

  void add(int64_t square_x, int64_t square_y, uint64_t key, double turn, Forward& out) const {
    const uint64_t bits = stream_.bits(key, place);
    const auto within = [](uint64_t word) { return static_cast<int64_t>(word * centimetres >> 32); };
    const double x = static_cast<double>(square_x * centimetres + within(bits >> 32)) / 100;
    const double y = static_cast<double>(square_y * centimetres + within(bits & 0xffffffff)) / 100;
    if (!(x >= ground_.west() && x <= ground_.east() && y >= ground_.south() && y <= ground_.north())) return;
    const double share = share_.at(x, y);
    if (!(share > 0 && turn < count_(share * (1 + params_.clumps)))) return;
    out.x.push_back(x);
    out.y.push_back(y);
    out.share.push_back(share);
    out.turn.push_back(turn);
    out.key.push_back(key);
  }

  /// Leaves those that come forward in the end.
  void thin(Forward& all, std::span<const float> clumps) const {
    size_t kept = 0;
    for (size_t i = 0; i < all.x.size(); ++i) {
      const double groves = math::smoothstep(-clump_contrast, clump_contrast, static_cast<double>(clumps[i]));
      const double share = all.share[i] * (1 - params_.clumps + params_.clumps * 2 * groves);
      if (!(all.turn[i] < count_(share))) continue;
      all.x[kept] = all.x[i];
      all.y[kept] = all.y[i];
      all.key[kept++] = all.key[i];
    }
    all.x.resize(kept);
    all.y.resize(kept);
    all.key.resize(kept);
  }

  /// How tall it would be, or that it cannot stand there.
  bool stand(const Forward& all, size_t i, double stand_noise, Found& out) const {
    const double x = all.x[i], y = all.y[i];
    const ScatterGround::Spot spot = ground_.spot(x, y);
    if (ScatterGround::at(ground_.water, spot) > 0 || ScatterGround::at(ground_.ice, spot) > 0) return false;
    if (params_.sea_level && ScatterGround::at(*ground_.height, spot) <= *params_.sea_level) return false;
    const uint64_t draw = stream_.bits(all.key[i], rank), more = stream_.bits(all.key[i], form);
    if (ground_.slope(x, y).degrees > species_.steepest * (1 - 0.15 * lower(more))) return false;
    const double weight = params_.clumps * stand_weight;
    const double stands = math::smoothstep(-clump_contrast, clump_contrast, stand_noise);
    const double quantile = (1 - weight) * lower(draw) + weight * stands;
    const double share = species_.skew == 1 ? quantile : math::pow(quantile, species_.skew);
    double height = species_.height.low + (species_.height.high - species_.height.low) * share;
    height *= species_.poor + (1 - species_.poor) * ground_quality(spot);
    if (ScatterGround::at(ground_.snow, spot) > params_.snow * height) return false;
    const double crown = height * species_.crown * (1 + crown_spread * (2 * upper(more) - 1));
    out.x = std::lround(x * 100);
    out.y = std::lround(y * 100);
    out.height = std::max<int32_t>(1, static_cast<int32_t>(std::lround(height * 100)));
    out.crown = std::max<int32_t>(1, static_cast<int32_t>(std::lround(crown * 100)));
    out.chance = static_cast<uint32_t>(stream_.bits(all.key[i], chance_draw) >> 32);
    out.key = all.key[i];
    return true;
  }

  /// 0 on bare rock or above the tree line, 1 on deep soil where summers are warm.
  double ground_quality(const ScatterGround::Spot& spot) const {
    double quality = 1;
    if (ground_.soil != nullptr) quality = math::smoothstep(0, deep_soil, ScatterGround::at(*ground_.soil, spot));
    if (ground_.summer != nullptr)
      quality = std::min(quality, math::smoothstep(tree_line, warm, ScatterGround::at(*ground_.summer, spot)));
    return quality;
  }

  static constexpr uint64_t chance_draw = 3;
  static constexpr double clump_contrast = 0.35, stand_weight = 0.5;
  static constexpr double deep_soil = 0.8;               // metres
  static constexpr double tree_line = 6.5, warm = 11.5;  // degrees Celsius of the warmest month

  const ScatterGround& ground_;
  const ScatterParams& params_;
  SpeciesHabit species_;
  ScatterShare share_;
  Stream stream_;
  CandidateCount count_;
  Noise clumps_, stands_;
};

void append(ScatterCandidates& all, const std::vector<SpeciesCandidates::Found>& found) {
  for (const SpeciesCandidates::Found& one : found) {
    all.x.push_back(one.x);
    all.y.push_back(one.y);
    all.height.push_back(one.height);
    all.crown.push_back(one.crown);
    all.chance.push_back(one.chance);
    all.key.push_back(one.key);
  }
}

}  // namespace

std::vector<Stream> scatter_streams(const ScatterParams& params) {
  const Stream all = params.seed.stream("scatter");
  std::vector<Stream> streams;
  for (auto species = params.species.begin(); species != params.species.end(); ++species) {
    const auto before = std::ranges::count(params.species.begin(), species, species->species, &ScatterSpecies::species);
    const uint64_t name = hash_bytes(species->species.data(), species->species.size()).low;
    streams.emplace_back(all.bits(name, static_cast<uint64_t>(before)));
  }
  return streams;
}

ScatterCandidates scatter_candidates(const ScatterGround& ground, const ScatterParams& params, const Context& context) {
  if ((ground.east() - ground.west()) * (ground.north() - ground.south()) / square_area > most_squares)
    refuse("the land is too large to scatter points on", "scatter on a crop of at most 130 km");
  ScatterCandidates all;
  bool known = false;
  std::atomic<int64_t> count = 0;
  const auto first = static_cast<int64_t>(std::floor(ground.south() / scatter_square));
  const auto last = static_cast<int64_t>(std::floor(ground.north() / scatter_square));
  const auto kinds = static_cast<double>(params.species.size());
  const std::vector<Stream> streams = scatter_streams(params);
  constexpr int64_t grain = 4;
  for (size_t s = 0; s < params.species.size(); ++s) {
    const SpeciesCandidates species(ground, params, habit_of(params.species[s]), streams[s]);
    known = known || species.known();
    std::vector<std::vector<SpeciesCandidates::Found>> found(static_cast<size_t>((last - first) / grain + 1));
    const Context stage = context.stage("drawing", static_cast<double>(s) / kinds, static_cast<double>(s + 1) / kinds);
    parallel_chunks(last - first + 1, grain, stage, [&](int64_t begin, int64_t end) {
      std::vector<SpeciesCandidates::Found>& here = found[static_cast<size_t>(begin / grain)];
      for (int64_t y = begin; y < end; ++y) species.row(first + y, here);
      if ((count += static_cast<int64_t>(here.size())) > most_candidates) too_many();
    });
    for (const auto& rows : found) append(all, rows);
    all.species_ends.push_back(all.size());
  }
  if (!known)
    refuse("none of the layers that the species grow by is in the land",
           "put 'plants' before 'scatter', or say where species stand: species=conifer:everywhere");
  return all;
}

}  // namespace tepui
