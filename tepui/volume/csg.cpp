#include "tepui/volume/csg.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tepui/volume/box_tree.h"
#include "tepui/volume/tree.h"

namespace tepui {

namespace {

struct Room {
  float v[FieldPoints::most], dx[FieldPoints::most], dy[FieldPoints::most], dz[FieldPoints::most];
};

/// Boxes that `box` has something of, cut to it.
void add_boxes(std::vector<Box3>& to, const std::vector<Box3>& from, const Box3& within) {
  for (const Box3& box : from)
    if (const Box3 shared = box.within(within); !shared.empty()) to.push_back(shared);
}

class CsgSolid : public Solid {
 public:
  CsgSolid(Csg kind, std::vector<SolidPointer> parts, double smooth, double threshold)
      : kind_(kind),
        parts_(std::move(parts)),
        smooth_(static_cast<float>(smooth)),
        threshold_(static_cast<float>(threshold)) {
    std::vector<Box3> boxes;
    for (const SolidPointer& part : parts_) boxes.push_back(part->support());
    tree_ = BoxTree(boxes);
    support_ = find_support(boxes);
  }

  void values(const FieldPoints& at, float* v) const override {
    std::vector<uint32_t> near;
    tree_.near(at.box, near);
    const bool first = !near.empty() && near.front() == 0;
    if (first)
      parts_[0]->values(at, v);
    else
      std::fill_n(v, at.count, -threshold_);
    const FieldRange limits = limits_of(near);
    for (int64_t p = 0; p < at.count; ++p) v[p] = std::clamp(v[p], limits.low, limits.high);
    float other[FieldPoints::most];
    for (size_t n = first ? 1 : 0; n < near.size(); ++n) {
      parts_[near[n]]->values(at, other);
      for (int64_t p = 0; p < at.count; ++p) v[p] = joined(v[p], other[p]).v;
    }
  }

  void gradients(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const override {
    std::vector<uint32_t> near;
    tree_.near(at.box, near);
    const bool first = !near.empty() && near.front() == 0;
    if (first) {
      parts_[0]->gradients(at, v, dx, dy, dz);
    } else {
      std::fill_n(v, at.count, -threshold_);
      for (float* d : {dx, dy, dz}) std::fill_n(d, at.count, 0.0f);
    }
    const FieldRange limits = limits_of(near);
    for (int64_t p = 0; p < at.count; ++p)
      if (v[p] < limits.low || v[p] > limits.high) {
        v[p] = std::clamp(v[p], limits.low, limits.high);
        dx[p] = dy[p] = dz[p] = 0;
      }
    Room other;
    for (size_t n = first ? 1 : 0; n < near.size(); ++n) {
      parts_[near[n]]->gradients(at, other.v, other.dx, other.dy, other.dz);
      for (int64_t p = 0; p < at.count; ++p) {
        const Joined both = joined(v[p], other.v[p]);
        v[p] = both.v;
        dx[p] = both.of_a * dx[p] + both.of_b * other.dx[p];
        dy[p] = both.of_a * dy[p] + both.of_b * other.dy[p];
        dz[p] = both.of_a * dz[p] + both.of_b * other.dz[p];
      }
    }
    // Several parts may be -T to the last bit, of which not all are asked: none of them tells the slope.
    for (int64_t p = 0; p < at.count; ++p)
      if (v[p] == -threshold_) dx[p] = dy[p] = dz[p] = 0;
  }

  FieldRange range(const Box3& box) const override {
    FieldRange all = parts_[0]->range(box);
    if (kind_ == Csg::subtracted) all = {std::min(all.low, threshold_), std::min(all.high, threshold_)};
    for (size_t i = 1; i < parts_.size(); ++i) {
      FieldRange one = parts_[i]->range(box);
      if (kind_ == Csg::subtracted) one = {-one.high, -one.low};
      all = kind_ == Csg::united ? FieldRange{std::max(all.low, one.low), std::max(all.high, one.high)}
                                 : FieldRange{std::min(all.low, one.low), std::min(all.high, one.high)};
      (kind_ == Csg::united ? all.high : all.low) += (kind_ == Csg::united ? smooth_ : -smooth_) / 4;
    }
    return all;
  }

  Box3 support() const override { return support_; }

  SurfaceSketch sketch() const override {
    if (kind_ == Csg::united) return sketch_of_union();
    if (kind_ == Csg::intersected) return sketch_of_intersection();
    SurfaceSketch sketch = parts_[0]->sketch();
    // All rock is rock of the first. Where it has a sheet, that holds wherever no other has a field.
    if (sketch.sheet != nullptr)
      for (size_t i = 1; i < parts_.size(); ++i) add_boxes(sketch.boxes, {parts_[i]->support()}, support_);
    return sketch;
  }

  Box3 difference_from(const Solid& other) const override {
    const auto* like = dynamic_cast<const CsgSolid*>(&other);
    if (like == nullptr || like->kind_ != kind_ || like->smooth_ != smooth_ || like->parts_.size() != parts_.size())
      return Solid::difference_from(other);
    Box3 box;
    for (size_t i = 0; i < parts_.size(); ++i) box = box.with(parts_[i]->difference_from(*like->parts_[i]));
    return box;
  }

  std::vector<SolidPointer> children() const override { return parts_; }

  void hash(Hasher& hasher) const override {
    hasher.add("csg").add(static_cast<int>(kind_)).add(static_cast<double>(smooth_));
    hasher.add(static_cast<double>(threshold_)).add(static_cast<int64_t>(parts_.size()));
    for (const SolidPointer& part : parts_) part->hash(hasher);
  }
  size_t bytes() const override {
    size_t sum = sizeof *this + tree_.bytes() + parts_.capacity() * sizeof(SolidPointer);
    for (const SolidPointer& part : parts_) sum += part->bytes();
    return sum;
  }

  Csg kind() const { return kind_; }
  bool is_sharp() const { return smooth_ == 0; }
  const std::vector<SolidPointer>& parts() const { return parts_; }

 private:
  /// Of two numbers: what they become, and how much of it moves with each.
  struct Joined {
    float v, of_a, of_b;
  };
  Joined joined(float a, float b) const {
    const float compared = kind_ == Csg::subtracted ? -b : b;
    const bool first = kind_ == Csg::united ? a >= compared : a <= compared;
    const float sign = kind_ == Csg::subtracted ? -1.0f : 1.0f;
    Joined sharp{first ? a : compared, first ? 1.0f : 0.0f, first ? 0.0f : sign};
    const float lesser = std::min(a, b) + threshold_, gap = std::abs(a - compared);
    if (!(smooth_ > 0) || !(lesser > 0) || gap >= smooth_) return sharp;
    const float weight = std::min(1.0f, lesser / threshold_), near = 1 - gap / smooth_;
    const float up = kind_ == Csg::united ? 1.0f : -1.0f;
    sharp.v += up * (smooth_ / 4) * near * near * weight;
    // The gap narrows as the nearer number turns back; the weight follows the lesser field while it is below T.
    const float turn = 0.5f * near * weight;
    const float by_weight = weight < 1 ? up * (smooth_ / 4) * near * near / threshold_ : 0.0f;
    sharp.of_a += (first ? -turn : turn) + (a <= b ? by_weight : 0.0f);
    sharp.of_b += sign * (first ? turn : -turn) + (a <= b ? 0.0f : by_weight);
    return sharp;
  }

  /// What the parts that are not asked make of the first one's numbers: all of them are -T. To compare with those
  /// first or last is the same, since seams are only rounded where both fields are above 0, and by less than they are.
  FieldRange limits_of(const std::vector<uint32_t>& near) const {
    constexpr float far = std::numeric_limits<float>::infinity();
    if (kind_ == Csg::subtracted) return {-far, threshold_};
    if (near.size() == parts_.size()) return {-far, far};
    return kind_ == Csg::united ? FieldRange{-threshold_, far} : FieldRange{-far, -threshold_};
  }

  Box3 find_support(const std::vector<Box3>& boxes) const {
    Box3 all = boxes[0];
    for (size_t i = 1; i < boxes.size(); ++i) {
      if (kind_ == Csg::united) all = all.with(boxes[i]);
      if (kind_ == Csg::intersected) all = all.within(boxes[i]);
    }
    if (kind_ == Csg::united) return all;
    // A field below 0 is the lesser one beside nothing; one above 2T leaves less than nothing.
    const float slack = smooth_ / 4;
    for (size_t i = 0; i < boxes.size(); ++i) {
      if (boxes[i].empty()) continue;
      const FieldRange range = parts_[i]->range(boxes[i]);
      const bool reaches =
          kind_ == Csg::intersected ? range.low < -threshold_ : i > 0 && range.high + slack > threshold_;
      if (reaches) all = all.with(boxes[i]);
    }
    return all;
  }

  SurfaceSketch sketch_of_union() const {
    std::vector<SurfaceSketch> all;
    size_t sheets = 0;
    for (const SolidPointer& part : parts_) {
      all.push_back(part->sketch());
      sheets += all.back().sheet != nullptr ? 1 : 0;
    }
    SurfaceSketch sketch;
    for (size_t i = 0; i < parts_.size(); ++i) {
      if (sheets == 1 && all[i].sheet != nullptr) {
        sketch.sheet = all[i].sheet;
        sketch.ground = all[i].ground;
        sketch.bands = all[i].bands;
        sketch.boxes.insert(sketch.boxes.end(), all[i].boxes.begin(), all[i].boxes.end());
        continue;
      }
      // Beside a sheet, and where seams are round, a field tells where it is felt, rather than its rock.
      if (sheets > 0 || smooth_ > 0) all[i].boxes = {parts_[i]->support()};
      add_boxes(sketch.boxes, all[i].boxes, parts_[i]->support());
    }
    return sketch;
  }

  /// All rock is rock of each: of the one that is known best.
  SurfaceSketch sketch_of_intersection() const {
    SurfaceSketch sketch;
    const SurfaceSketch* best = nullptr;
    std::vector<SurfaceSketch> all;
    for (const SolidPointer& part : parts_) all.push_back(part->sketch());
    for (const SurfaceSketch& one : all)
      if (one.sheet == nullptr && (best == nullptr || one.boxes.size() < best->boxes.size())) best = &one;
    Box3 shared = parts_[0]->support();
    for (const SolidPointer& part : parts_) shared = shared.within(part->support());
    add_boxes(sketch.boxes, best != nullptr ? best->boxes : std::vector<Box3>{shared}, shared);
    return sketch;
  }

  Csg kind_;
  std::vector<SolidPointer> parts_;
  float smooth_, threshold_;
  BoxTree tree_;
  Box3 support_;
};

/// f times a number.
class TimesSolid : public Solid {
 public:
  TimesSolid(SolidPointer part, double factor, double threshold)
      : part_(std::move(part)), factor_(factor), threshold_(threshold) {}

  void values(const FieldPoints& at, float* v) const override {
    part_->values(at, v);
    for (int64_t p = 0; p < at.count; ++p) v[p] = scaled(v[p]);
  }
  void gradients(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const override {
    part_->gradients(at, v, dx, dy, dz);
    for (int64_t p = 0; p < at.count; ++p) {
      v[p] = scaled(v[p]);
      for (float* d : {dx, dy, dz}) d[p] *= static_cast<float>(factor_);
    }
  }
  FieldRange range(const Box3& box) const override {
    const FieldRange range = part_->range(box);
    const float a = scaled(range.low), b = scaled(range.high);
    return {std::min(a, b), std::max(a, b)};
  }
  Box3 support() const override { return part_->support(); }
  SurfaceSketch sketch() const override {
    SurfaceSketch sketch;
    if (!support().empty()) sketch.boxes = {support()};
    return sketch;
  }
  std::vector<SolidPointer> children() const override { return {part_}; }
  void hash(Hasher& hasher) const override {
    hasher.add("times").add(factor_).add(threshold_);
    part_->hash(hasher);
  }
  size_t bytes() const override { return sizeof *this + part_->bytes(); }

 private:
  float scaled(float v) const {
    const auto t = static_cast<double>(static_cast<float>(threshold_));
    return static_cast<float>((static_cast<double>(v) + t) * factor_ - t);
  }

  SolidPointer part_;
  double factor_, threshold_;
};

/// Sharp parts of the same kind are taken apart, and one that is there already adds nothing.
std::vector<SolidPointer> flat(Csg kind, const std::vector<SolidPointer>& parts) {
  if (std::ranges::all_of(parts, [&](const SolidPointer& part) { return part == parts.front(); }))
    return {parts.front()};
  std::vector<SolidPointer> list;
  const auto add = [&](const SolidPointer& part) {
    if (std::ranges::find(list, part) == list.end()) list.push_back(part);
  };
  for (const SolidPointer& part : parts) {
    const auto* inner = dynamic_cast<const CsgSolid*>(part.get());
    if (inner != nullptr && inner->kind() == kind && inner->is_sharp())
      for (const SolidPointer& one : inner->parts()) add(one);
    else
      add(part);
  }
  return list;
}

}  // namespace

SolidPointer csg(Csg kind, std::vector<SolidPointer> parts, double smooth, double threshold) {
  if (parts.empty()) return empty_solid(threshold);
  if (smooth == 0 && kind != Csg::subtracted) parts = flat(kind, parts);
  if (parts.size() == 1) return parts.front();
  return modest_tree(std::make_shared<CsgSolid>(kind, std::move(parts), smooth, threshold));
}

SolidPointer times(SolidPointer part, double factor, double threshold) {
  if (factor == 1) return part;
  return modest_tree(std::make_shared<TimesSolid>(std::move(part), factor, threshold));
}

}  // namespace tepui
