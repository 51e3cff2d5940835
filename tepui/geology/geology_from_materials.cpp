#include "tepui/geology/geology_from_materials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/geology/hardness.h"
#include "tepui/geology/materials.h"
#include "tepui/terrain/cells.h"

namespace tepui {

namespace {

std::vector<NamedRock> material_names(const std::vector<float>& rho) {
  std::vector<NamedRock> names;
  for (const float resistance : rho) names.push_back({fmt::format("material {}", names.size()), resistance});
  return names;
}

/// Level bands over a relief.
class BandedRock : public Rock {
 public:
  BandedRock(const MaterialBands& bands, std::vector<float> rho) : bands_(bands), rho_(std::move(rho)) {}

  void resistance(const RockPoints& at, float* rho) const override {
    bands_.sort(at.z, at.count, rho);
    for (int64_t i = 0; i < at.count; ++i) rho[i] = rho_[static_cast<size_t>(static_cast<int>(rho[i]))];
  }
  void rocks(const RockPoints& at, int32_t* which) const override {
    std::vector<float> index(static_cast<size_t>(at.count));
    bands_.sort(at.z, at.count, index.data());
    std::ranges::transform(index, which, [](float i) { return static_cast<int32_t>(i); });
  }
  std::vector<NamedRock> names() const override { return material_names(rho_); }
  Interval levels() const override { return {bands_.base, bands_.base + bands_.span}; }
  void hash(Hasher& hasher) const override {
    hasher.add("bands").add(bands_.base).add(bands_.span).add(static_cast<int64_t>(rho_.size()));
    for (const float rho : rho_) hasher.add(static_cast<double>(rho));
  }
  size_t bytes() const override { return sizeof *this + rho_.size() * sizeof(float); }

 private:
  MaterialBands bands_;
  std::vector<float> rho_;
};

/// The rock of the nearest sample, at any height.
class ColumnRock : public Rock {
 public:
  ColumnRock(Frame frame, Relief relief, Layer rho) : frame_(std::move(frame)), relief_(relief), rho_(std::move(rho)) {
    cells_ = cells_hash(rho_.grid());
  }

  void resistance(const RockPoints& at, float* rho) const override {
    const Grid<float>& grid = rho_.grid();
    for (int64_t i = 0; i < at.count; ++i)
      rho[i] = grid(nearest(at.x[i] - frame_.origin.x, frame_.cell.x, frame_.first_x, grid.width()),
                    nearest(at.y[i] - frame_.origin.y, frame_.cell.y, frame_.first_y, grid.height()));
  }
  Interval levels() const override { return {relief_.base, relief_.top}; }
  void hash(Hasher& hasher) const override {
    hasher.add("columns").add(frame_.hash()).add(relief_.base).add(relief_.top).add(cells_);
  }
  size_t bytes() const override { return sizeof *this + rho_.grid().bytes(); }

 private:
  static int64_t nearest(double distance, double cell, int64_t first, int64_t count) {
    const double index = std::floor(distance / cell + 0.5) - static_cast<double>(first);
    return static_cast<int64_t>(std::clamp(index, 0.0, static_cast<double>(count - 1)));
  }

  Frame frame_;
  Relief relief_;
  Layer rho_;
  Hash cells_;
};

/// The hardness of each material on the land, where it is there and the land tells it.
struct Seen {
  std::vector<std::optional<float>> hardness;
  bool follows_height = true;
  bool one_each = true;

  void meet(size_t material, float value) {
    std::optional<float>& known = hardness[material];
    one_each = one_each && (!known || *known == value);
    if (!known) known = value;
  }
};

Seen look(const Terrain& land, const MaterialBands& bands, size_t count, const Context& context) {
  constexpr int64_t cells_per_chunk = 1 << 16;
  const Layer* hardness = land.find("hardness");
  const float *z = land.height().data(), *m = material_layer(land).grid().data();
  const float* h = hardness != nullptr ? hardness->grid().data() : nullptr;
  Seen none;
  none.hardness.resize(count);
  const auto map = [&](int64_t begin, int64_t end) {
    Seen seen = none;
    std::vector<float> expected(static_cast<size_t>(end - begin));
    bands.sort(z + begin, end - begin, expected.data());
    seen.follows_height = std::equal(expected.begin(), expected.end(), m + begin);
    for (int64_t i = begin; i < end && h != nullptr && seen.follows_height && seen.one_each; ++i)
      seen.meet(static_cast<size_t>(static_cast<int>(m[i])), std::clamp(h[i], 0.0f, 1.0f));
    return seen;
  };
  return parallel_reduce(land.height().size(), cells_per_chunk, context, none, map, [](Seen a, const Seen& b) {
    for (size_t i = 0; i < b.hardness.size(); ++i)
      if (b.hardness[i]) a.meet(i, *b.hardness[i]);
    a.follows_height = a.follows_height && b.follows_height;
    a.one_each = a.one_each && b.one_each;
    return a;
  });
}

float onto(const Interval& resistance, float hardness) {
  return static_cast<float>(blend(resistance.low, resistance.high, hardness));
}

Geology bands_of(const Terrain& in, const Interval& resistance, const Context& context) {
  const int count = material_layer(in).classes;
  const MaterialBands bands(in.relief(), count);
  const std::vector<float> even = normalised_hardness(count);
  const Seen seen = look(in, bands, even.size(), context);
  const char* hint = "use shape \"columns\"";
  if (!seen.follows_height) refuse("the land's materials do not follow its height, so they are not level bands", hint);
  if (!seen.one_each) refuse("one material has several hardnesses on this land, so it is not a level band", hint);
  // Unseen materials are like the nearest seen one below, those under all of them like the lowest.
  const auto lowest = std::ranges::find_if(seen.hardness, [](const auto& hardness) { return hardness.has_value(); });
  float last = lowest != seen.hardness.end() ? **lowest : 0.0f;
  std::vector<float> rho;
  for (size_t m = 0; m < even.size(); ++m) {
    last = in.find("hardness") == nullptr ? even[m] : seen.hardness[m].value_or(last);
    rho.push_back(onto(resistance, last));
  }
  return banded_rock(in.relief(), std::move(rho));
}

Geology columns_of(const Terrain& in, const Interval& resistance, const Context& context) {
  constexpr int64_t cells_per_chunk = 1 << 16;
  const Layer* hardness = in.find("hardness");
  const Layer& rock = hardness != nullptr ? *hardness : material_layer(in);
  const std::vector<float> even = hardness != nullptr ? std::vector<float>() : normalised_hardness(rock.classes);
  const float top = static_cast<float>(std::max(rock.classes, 1) - 1);
  Grid<float> rho(rock.grid().width(), rock.grid().height());
  parallel_chunks(rho.size(), cells_per_chunk, context, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const float value = rock.grid().data()[i];
      const float h = even.empty() ? std::clamp(value, 0.0f, 1.0f)
                                   : even[static_cast<size_t>(static_cast<int>(std::clamp(value, 0.0f, top)))];
      rho.data()[i] = onto(resistance, h);
    }
  });
  return Geology(std::make_shared<const ColumnRock>(
      in.frame(), in.relief(), make_layer("resistance", "", LayerKind::continuous, std::move(rho))));
}

}  // namespace

Geology banded_rock(const Relief& relief, std::vector<float> resistance) {
  const MaterialBands bands(relief, static_cast<int64_t>(resistance.size()));
  return Geology(std::make_shared<const BandedRock>(bands, std::move(resistance)));
}

void describe(Fields<GeologyFromMaterialsParams>& f) {
  f.about("Make rock from a land's materials and hardness");
  f.reach(Reach::whole);
  f.example("circular_faults | materials | {}");
  f("shape", &GeologyFromMaterialsParams::shape, {"bands", "columns"},
    "level bands by height, or columns: the same rock at every height of a place");
  f("resistance", &GeologyFromMaterialsParams::resistance, Range{0, 1}, "resistance of hardness 0 and of hardness 1")
      .sweep("0..1", "0.4..1", "0..0.8");
}

Geology geology_from_materials(const Terrain& in, const GeologyFromMaterialsParams& params, const Context& context) {
  if (in.find("material") == nullptr && (params.shape == RockShape::bands || in.find("hardness") == nullptr))
    material_layer(in);
  return params.shape == RockShape::bands ? bands_of(in, params.resistance, context)
                                          : columns_of(in, params.resistance, context);
}

}  // namespace tepui
