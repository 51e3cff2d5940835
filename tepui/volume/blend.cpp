#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tepui/core/error.h"
#include "tepui/volume/primitives.h"

namespace tepui {

namespace {

using HeapPointer = std::shared_ptr<const Primitives>;

/// v = sum v_i + (n - 1) T + primitives, in double and in the order of the children.
class Blend : public Solid {
 public:
  Blend(std::vector<SolidPointer> parts, std::vector<HeapPointer> heaps, double threshold)
      : parts_(std::move(parts)),
        heaps_(std::move(heaps)),
        threshold_(threshold),
        // Of the T that the parts' floats have: outside of all supports f is 0 to the bit.
        base_((static_cast<double>(parts_.size()) - 1) * static_cast<double>(static_cast<float>(threshold))) {}

  void values(const FieldPoints& at, float* v) const override {
    double sums[FieldPoints::most];
    std::fill_n(sums, at.count, base_);
    for (const SolidPointer& part : parts_) {
      part->values(at, v);
      for (int64_t i = 0; i < at.count; ++i) sums[i] += static_cast<double>(v[i]);
    }
    double quanta[FieldPoints::most];
    std::fill_n(quanta, at.count, 0.0);
    for (const HeapPointer& heap : heaps_)
      if (at.box.meets(heap->box())) heap->add(at, quanta);
    for (int64_t i = 0; i < at.count; ++i) v[i] = total(sums[i], quanta[i]);
  }

  void gradients(const FieldPoints& at, float* v, float* dx, float* dy, float* dz) const override {
    double sums[FieldPoints::most], gx[FieldPoints::most], gy[FieldPoints::most], gz[FieldPoints::most];
    double quanta[FieldPoints::most];
    std::fill_n(sums, at.count, base_);
    std::fill_n(quanta, at.count, 0.0);
    for (double* g : {gx, gy, gz}) std::fill_n(g, at.count, 0.0);
    for (const HeapPointer& heap : heaps_)
      if (at.box.meets(heap->box())) heap->add_gradients(at, quanta, gx, gy, gz);
    for (const SolidPointer& part : parts_) {
      part->gradients(at, v, dx, dy, dz);
      for (int64_t i = 0; i < at.count; ++i) {
        sums[i] += static_cast<double>(v[i]);
        gx[i] += static_cast<double>(dx[i]);
        gy[i] += static_cast<double>(dy[i]);
        gz[i] += static_cast<double>(dz[i]);
      }
    }
    for (int64_t i = 0; i < at.count; ++i) {
      v[i] = total(sums[i], quanta[i]);
      dx[i] = static_cast<float>(gx[i]);
      dy[i] = static_cast<float>(gy[i]);
      dz[i] = static_cast<float>(gz[i]);
    }
  }

  FieldRange range(const Box3& box) const override {
    double low = base_, high = base_;
    for (const SolidPointer& part : parts_) {
      const FieldRange of = part->range(box);
      low += static_cast<double>(of.low);
      high += static_cast<double>(of.high);
    }
    const double own_low = low, own_high = high;
    for (const HeapPointer& heap : heaps_) heap->widen(box, low, high);
    // Rounding to float and sums of bounds in another order.
    const auto slack = [](double sum, double own) { return sum == own ? 0.0 : 1e-6 * (1 + std::abs(sum - own)); };
    return {static_cast<float>(low - slack(low, own_low)), static_cast<float>(high + slack(high, own_high))};
  }

  Box3 support() const override {
    Box3 box;
    for (const SolidPointer& part : parts_) box = box.with(part->support());
    for (const HeapPointer& heap : heaps_) box = box.with(heap->box());
    return box;
  }

  SurfaceSketch sketch() const override {
    SurfaceSketch sketch = parts_.size() == 1 ? parts_.front()->sketch() : sketch_of_sum();
    for (const HeapPointer& heap : heaps_) heap->list_boxes(sketch.boxes);
    return sketch;
  }

  Box3 difference_from(const Solid& other) const override {
    const auto* blend = dynamic_cast<const Blend*>(&other);
    if (parts_.size() == 1 && parts_.front().get() == &other) return heap_difference(heaps_, {});
    if (blend == nullptr || blend->threshold_ != threshold_ || blend->parts_.size() != parts_.size())
      return Solid::difference_from(other);
    Box3 box = heap_difference(heaps_, blend->heaps_);
    for (size_t i = 0; i < parts_.size(); ++i) box = box.with(parts_[i]->difference_from(*blend->parts_[i]));
    return box;
  }

  std::vector<SolidPointer> children() const override { return parts_; }

  void hash(Hasher& hasher) const override {
    hasher.add("blend").add(threshold_).add(static_cast<int64_t>(parts_.size()));
    for (const SolidPointer& part : parts_) part->hash(hasher);
    std::array<uint64_t, 2> all{};
    for (const HeapPointer& heap : heaps_)
      for (size_t k = 0; k < 2; ++k) all[k] += heap->sum_of_hashes()[k];
    hasher.add(all[0]).add(all[1]);
  }
  size_t bytes() const override {
    size_t bytes = sizeof *this;
    for (const SolidPointer& part : parts_) bytes += part->bytes();
    for (const HeapPointer& heap : heaps_) bytes += heap->bytes();
    return bytes;
  }

  const std::vector<SolidPointer>& parts() const { return parts_; }
  const std::vector<HeapPointer>& heaps() const { return heaps_; }
  double threshold() const { return threshold_; }

 private:
  static float total(double sum, double quanta) { return static_cast<float>(sum + quanta * primitive_quantum); }

  /// Where the fields of two overlap, their sum may be rock though neither is: only outside of all others' supports
  /// does one field tell the sign.
  SurfaceSketch sketch_of_sum() const {
    SurfaceSketch sketch;
    std::vector<SurfaceSketch> all;
    for (const SolidPointer& part : parts_) all.push_back(part->sketch());
    const auto has_sheet = [](const SurfaceSketch& s) { return s.sheet != nullptr; };
    const bool keeps = std::ranges::count_if(all, has_sheet) == 1;
    for (size_t i = 0; i < all.size(); ++i) {
      if (keeps && has_sheet(all[i])) {
        const std::vector<Box3> boxes = std::move(sketch.boxes);
        sketch = std::move(all[i]);
        sketch.boxes.insert(sketch.boxes.end(), boxes.begin(), boxes.end());
      } else if (const Box3 support = parts_[i]->support(); !support.empty()) {
        sketch.boxes.push_back(support);
      }
    }
    return sketch;
  }

  std::vector<SolidPointer> parts_;
  std::vector<HeapPointer> heaps_;
  double threshold_, base_;
};

size_t count_of(const std::vector<HeapPointer>& heaps) {
  size_t count = 0;
  for (const HeapPointer& heap : heaps) count += heap->count();
  return count;
}

/// A volume blended with itself again and again doubles its primitives every time: told before they are copied.
void require_modest(const std::vector<HeapPointer>& heaps) {
  constexpr size_t most = 50'000'000;
  const size_t count = count_of(heaps);
  if (count > most)
    refuse(fmt::format("the volume would have {} primitives; at most {} are allowed", count, most),
           "blend fewer volumes, or use 'instances' for many copies of a part");
}

/// Small heaps at the end are taken together, so that n single strokes make about log n heaps.
void push_heap(std::vector<HeapPointer>& heaps, HeapPointer heap) {
  while (!heaps.empty() && heaps.back()->count() <= 2 * heap->count()) {
    heap = std::make_shared<const Primitives>(*heaps.back(), *heap);
    heaps.pop_back();
  }
  heaps.push_back(std::move(heap));
}

}  // namespace

namespace {

SolidPointer blended_with(std::vector<SolidPointer> children, HeapPointer last, double threshold) {
  std::vector<SolidPointer> parts;
  std::vector<HeapPointer> all, heaps;
  for (const SolidPointer& child : children) {
    const auto* blend = dynamic_cast<const Blend*>(child.get());
    if (blend == nullptr || blend->threshold() != threshold) {
      parts.push_back(child);
      continue;
    }
    parts.insert(parts.end(), blend->parts().begin(), blend->parts().end());
    all.insert(all.end(), blend->heaps().begin(), blend->heaps().end());
  }
  if (last != nullptr) all.push_back(std::move(last));
  require_modest(all);
  for (HeapPointer& heap : all) push_heap(heaps, std::move(heap));
  if (parts.size() == 1 && heaps.empty()) return parts.front();
  if (parts.empty() && heaps.empty()) return empty_solid(threshold);
  return std::make_shared<Blend>(std::move(parts), std::move(heaps), threshold);
}

}  // namespace

SolidPointer blended(std::vector<SolidPointer> children, const std::vector<Primitive>& primitives, double threshold) {
  for (size_t i = 0; i < primitives.size(); ++i) check_primitive(primitives[i], i);
  return blended_with(std::move(children),
                      primitives.empty() ? nullptr : std::make_shared<const Primitives>(primitives), threshold);
}

SolidPointer with_points(SolidPointer field, std::span<const FieldPoint> points, double threshold) {
  check_points(points);
  return blended_with({std::move(field)}, points.empty() ? nullptr : std::make_shared<const Primitives>(points),
                      threshold);
}

int64_t primitives_in(const Solid& node) {
  const auto* blend = dynamic_cast<const Blend*>(&node);
  return blend != nullptr ? static_cast<int64_t>(count_of(blend->heaps())) : 0;
}

}  // namespace tepui
