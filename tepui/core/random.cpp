#include "tepui/core/random.h"

#include "tepui/core/hash.h"

namespace tepui {

Stream Seed::stream(std::string_view operator_name) const {
  return Stream(Hasher().add(recipe).add(operator_name).add(node).finish().low);
}

}  // namespace tepui
