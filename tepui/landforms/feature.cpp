#include "tepui/landforms/feature.h"

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

}  // namespace tepui
