#include "tepui/landforms/feature.h"

#include <bit>

#include "tepui/core/random.h"
#include "tepui/volume/tree.h"

namespace tepui {

Volume with_feature(const Volume& in, std::span<const FieldPoint> points, Made made, const Context& context) {
  made.numbers.insert(made.numbers.begin(), {"points", static_cast<double>(points.size())});
  return made_by(in.with_root(modest_tree(with_points(in.share(), points, in.threshold()))), std::move(made), context);
}

Volume made_by(const Volume& volume, Made made, const Context& context) {
  for (const Made::Number& number : made.numbers) context.tell(number.name, number.value);
  return volume.with_made(std::move(made));
}

uint64_t key_at(uint64_t key, Vec3 at) {
  for (const double part : {at.x, at.y, at.z}) key = mix_bits(key ^ std::bit_cast<uint64_t>(part + 0.0));
  return key;
}

}  // namespace tepui
