#include "tepui/core/image.h"

namespace tepui {

Hash Image::hash() const {
  Hasher hasher;
  hasher.add("image").add(width).add(height).add(channels);
  hasher.add(hash_large(pixels.data(), pixels.size()));
  if (!light.empty()) hasher.add(hash_large(light.data(), light.size() * sizeof(float)));
  for (const auto& [name, words] : text) hasher.add(name).add(words);
  return hasher.finish();
}

}  // namespace tepui
