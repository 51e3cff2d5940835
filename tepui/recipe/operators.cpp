// The registry: one line an operator.
#include <algorithm>

#include "tepui/erode/gradation.h"
#include "tepui/erode/levelling.h"
#include "tepui/generate/circular_faults.h"
#include "tepui/generate/noise.h"
#include "tepui/geology/hardness.h"
#include "tepui/geology/materials.h"
#include "tepui/io/read.h"
#include "tepui/io/reproject.h"
#include "tepui/recipe/operator.h"
#include "tepui/terrain/adjust.h"
#include "tepui/terrain/combine.h"
#include "tepui/terrain/crop.h"
#include "tepui/terrain/mask.h"
#include "tepui/terrain/resample.h"

namespace tepui {

const std::vector<Operator>& operators() {
  static const std::vector<Operator> all = [] {
    std::vector<Operator> list{
        op<adjust>("adjust", 1, "", {"in", "mask"}),
        op<circular_faults>("circular_faults", 1, "Warszawski2019"),
        op<combine>("combine", 1, "", {"in", "with", "mask"}),
        op<crop>("crop", 1, "", {"in"}),
        op<gradation>("gradation", 1, "Warszawski2019", {"in"}),
        op<hardness>("hardness", 1, "Warszawski2019", {"in"}),
        op<levelling>("levelling", 1, "Warszawski2019", {"in"}),
        op<mask>("mask", 1, "Horn1981 ZevenbergenThorne1987", {"in"}),
        op<materials>("materials", 1, "Warszawski2019", {"in"}),
        op<noise>("noise", 1, "Perlin2001 Gustavson2005 Musgrave1994"),
        op<read>("read", 1, ""),
        op<reproject>("reproject", 1, "Keys1981", {"in"}),
        op<resample>("resample", 1, "Keys1981", {"in", "like"}),
    };
    std::ranges::sort(list, {}, &Operator::name);
    return list;
  }();
  return all;
}

}  // namespace tepui
