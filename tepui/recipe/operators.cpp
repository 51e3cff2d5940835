// The registry: one line an operator.
#include <algorithm>

#include "tepui/recipe/operator.h"

namespace tepui {

const std::vector<Operator>& operators() {
  static const std::vector<Operator> all = [] {
    std::vector<Operator> list{
    };
    std::ranges::sort(list, {}, &Operator::name);
    return list;
  }();
  return all;
}

}  // namespace tepui
