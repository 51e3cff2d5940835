#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "tepui/core/random.h"
#include "tepui/volume/solid.h"

// Solids whose surface is known, to be meshed.

namespace tepui::test {

/// A field from a function; its sketch is a box.
class FunctionSolid : public Solid {
 public:
  FunctionSolid(Box3 box, std::function<float(Vec3)> v) : box_(box), v_(std::move(v)) {}

  void values(const FieldPoints& at, float* v) const override {
    for (int64_t i = 0; i < at.count; ++i) v[i] = v_({at.x[i], at.y[i], at.z[i]});
  }
  void gradients(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const override {
    values(at, v);
    const double e = 1e-3;
    for (int64_t i = 0; i < at.count; ++i) {
      const Vec3 p{at.x[i], at.y[i], at.z[i]};
      const auto slope = [&](Vec3 d) { return (v_(p + d * e) - v_(p - d * e)) / static_cast<float>(2 * e); };
      dx[i] = slope({1, 0, 0}), dy[i] = slope({0, 1, 0}), dz[i] = slope({0, 0, 1});
    }
  }
  FieldRange range(const Box3&) const override { return {-1e30f, 1e30f}; }
  Box3 support() const override { return box_; }
  SurfaceSketch sketch() const override {
    SurfaceSketch sketch;
    if (!box_.empty()) sketch.boxes = {box_};
    return sketch;
  }
  /// A function is like no other.
  void hash(Hasher& hasher) const override { hasher.add("test").add(reinterpret_cast<uint64_t>(this)); }
  size_t bytes() const override { return sizeof *this; }

 protected:
  Box3 box_;
  std::function<float(Vec3)> v_;
};

inline SolidPointer sphere(Vec3 centre, double radius) {
  return std::make_shared<FunctionSolid>(Box3{centre, centre}.grown(radius * 1.5),
                                         [=](Vec3 p) { return static_cast<float>(radius - length(p - centre)); });
}

inline SolidPointer torus_solid(Vec3 centre, double radius, double thick) {
  return std::make_shared<FunctionSolid>(Box3{centre, centre}.grown(radius + 2 * thick), [=](Vec3 p) {
    const Vec3 q = p - centre;
    const double r = std::sqrt(q.x * q.x + q.y * q.y) - radius;
    return static_cast<float>(thick - std::sqrt(r * r + q.z * q.z));
  });
}

/// Rock or air by chance at every point of a lattice of whole numbers: the worst that a mesher can meet. Values differ
/// wildly, 0 and the smallest numbers among them.
inline SolidPointer random_signs(uint64_t seed, Box3 box, double share) {
  return std::make_shared<FunctionSolid>(box, [=](Vec3 p) {
    if (!box.holds(p)) return -1.0f;
    const Stream stream(seed);
    const auto at = [](double c) { return static_cast<uint64_t>(static_cast<int64_t>(std::llround(c))); };
    const uint64_t place = at(p.x) * 73856093u + at(p.y) * 19349663u + at(p.z) * 83492791u;
    const float sizes[4] = {1, 1e-30f, 1000, 1e-6f};
    const float size = sizes[stream.bits(place, 1) % 4];
    if (stream.uniform(place, 2) < share) return size;
    return stream.bits(place, 3) % 5 == 0 ? 0.0f : -size;
  });
}

/// Rolling land of the plane.
class TestSheet : public HeightSheet {
 public:
  explicit TestSheet(uint64_t seed, double relief = 3) : relief_(relief) {
    const Stream stream(seed);
    for (size_t n = 0; n < 4; ++n) wave_[n] = stream.uniform(n, 0, 0.05, 0.4);
  }
  double at(double x, double y) const {
    return relief_ * (std::sin(x * wave_[0] + y * wave_[1]) + std::cos(x * wave_[2] - y * wave_[3]));
  }
  void heights(const double* x, const double* y, int64_t count, double* h) const override {
    for (int64_t i = 0; i < count; ++i) h[i] = at(x[i], y[i]);
  }
  Range range(Vec2, Vec2) const override { return {-2 * relief_, 2 * relief_}; }

 private:
  double relief_;
  double wave_[4];
};

struct Blob {
  Vec3 centre;
  double radius = 1, energy = 1;
};

/// Land with blobs added and taken away: v = s(h - z) + sum of energies, in whole multiples of 2^-15.
class BlobLand : public Solid {
 public:
  BlobLand(std::shared_ptr<const TestSheet> sheet, Box3 ground, std::vector<Blob> blobs)
      : sheet_(std::move(sheet)), ground_(ground), blobs_(std::move(blobs)) {}

  void values(const FieldPoints& at, float* v) const override {
    for (int64_t i = 0; i < at.count; ++i) v[i] = value({at.x[i], at.y[i], at.z[i]});
  }
  void gradients(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const override {
    values(at, v);
    for (int64_t i = 0; i < at.count; ++i) {
      const Vec3 p{at.x[i], at.y[i], at.z[i]};
      const auto slope = [&](Vec3 d) { return (value(p + d) - value(p - d)) / 2; };
      dx[i] = slope({1, 0, 0}), dy[i] = slope({0, 1, 0}), dz[i] = slope({0, 0, 1});
    }
  }
  /// Of the land alone where no blob is near.
  FieldRange range(const Box3& box) const override {
    double less = 0, more = 0;
    for (const Blob& blob : blobs_)
      if (box_of(blob).meets(box)) less += std::min(blob.energy, 0.0) - 1e-4, more += std::max(blob.energy, 0.0) + 1e-4;
    const HeightSheet::Range h = sheet_->range({}, {});
    const bool whole = ground_.holds(box.low) && ground_.holds(box.high);
    return {static_cast<float>((whole ? std::clamp(h.low - box.high.z, -5.0, 5.0) : -5.0) - 1e-3 + less),
            static_cast<float>(std::clamp(h.high - box.low.z, -5.0, 5.0) + 1e-3 + more)};
  }
  Box3 support() const override {
    Box3 box = ground_;
    for (const Blob& blob : blobs_) box = box.with(box_of(blob));
    return box;
  }
  const Box3& ground() const { return ground_; }
  SurfaceSketch sketch() const override {
    SurfaceSketch sketch;
    sketch.sheet = sheet_;
    sketch.ground = ground_;
    for (const Blob& blob : blobs_) sketch.boxes.push_back(box_of(blob));
    return sketch;
  }
  Box3 difference_from(const Solid& other) const override {
    const auto* land = dynamic_cast<const BlobLand*>(&other);
    if (land == nullptr || land->sheet_ != sheet_) return Solid::difference_from(other);
    Box3 box;
    const auto same = [](const Blob& a, const Blob& b) {
      return a.centre == b.centre && a.radius == b.radius && a.energy == b.energy;
    };
    const auto [p, q] = std::ranges::mismatch(blobs_, land->blobs_, same);
    std::for_each(p, blobs_.end(), [&](const Blob& blob) { box = box.with(box_of(blob)); });
    std::for_each(q, land->blobs_.end(), [&](const Blob& blob) { box = box.with(box_of(blob)); });
    return box;
  }
  void hash(Hasher& hasher) const override {
    hasher.add("blobs").add(reinterpret_cast<uint64_t>(sheet_.get()));
    for (const Blob& blob : blobs_)
      hasher.add(blob.centre.x).add(blob.centre.y).add(blob.centre.z).add(blob.radius).add(blob.energy);
  }
  size_t bytes() const override { return sizeof *this; }

  const std::vector<Blob>& blobs() const { return blobs_; }
  std::shared_ptr<const BlobLand> with(Blob blob) const {
    std::vector<Blob> more = blobs_;
    more.push_back(blob);
    return std::make_shared<BlobLand>(sheet_, ground_, std::move(more));
  }

 private:
  static Box3 box_of(const Blob& blob) { return Box3{blob.centre, blob.centre}.grown(blob.radius); }
  float value(Vec3 p) const {
    int64_t sum = 0;
    for (const Blob& blob : blobs_) {
      const Vec3 d = p - blob.centre;
      const double u = 1 - dot(d, d) / (blob.radius * blob.radius);
      if (u > 0) sum += std::llround(blob.energy * u * u * u * 32768);
    }
    const bool beyond = p.x < ground_.low.x || p.x > ground_.high.x || p.y < ground_.low.y || p.y > ground_.high.y;
    const auto x = static_cast<float>(beyond || p.z < ground_.low.z ? -10 : sheet_->at(p.x, p.y) - p.z);
    const float land = std::clamp(x - x * std::abs(x) / 20, -5.0f, 5.0f);
    const float held = std::abs(x) > 10 ? (x < 0 ? -5.0f : 5.0f) : land;
    return held + static_cast<float>(static_cast<double>(sum) / 32768);
  }

  std::shared_ptr<const TestSheet> sheet_;
  Box3 ground_;
  std::vector<Blob> blobs_;
};

/// Land of `size` metres a side from -12 m up, with blobs around its surface and below.
inline std::shared_ptr<const BlobLand> blob_land(uint64_t seed, double size, size_t count) {
  const Stream stream(seed);
  std::vector<Blob> blobs;
  for (size_t n = 0; n < count; ++n)
    blobs.push_back({{stream.uniform(n, 1, 0, size), stream.uniform(n, 2, 0, size), stream.uniform(n, 3, -11, 8)},
                     stream.uniform(n, 4, 0.4, 6),
                     stream.uniform(n, 5, -12, 12)});
  return std::make_shared<BlobLand>(std::make_shared<TestSheet>(seed), Box3{{0, 0, -12}, {size, size, 18}},
                                    std::move(blobs));
}

}  // namespace tepui::test
