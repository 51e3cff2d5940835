// Reports and forces Highway's run-time dispatch.
#include "tepui/core/simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tepui/core/simd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tepui::HWY_NAMESPACE {

/// The target this very code was compiled for: what dispatch really chose, not what was asked for.
int64_t compiled_target() { return HWY_TARGET; }

}  // namespace tepui::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"

namespace tepui {

HWY_EXPORT(compiled_target);

std::string simd_level() { return hwy::TargetName(HWY_DYNAMIC_DISPATCH(compiled_target)()); }

const std::vector<std::string>& simd_levels() {
  // Asked for once, before any level is forced.
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const int64_t target : hwy::SupportedAndGeneratedTargets()) all.emplace_back(hwy::TargetName(target));
    return all;
  }();
  return names;
}

void force_simd_level(const std::string& level) {
  std::string wanted = level;
  std::ranges::transform(wanted, wanted.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const bool best = wanted == "BEST";
  if (!best && std::ranges::find(simd_levels(), wanted) == simd_levels().end())
    refuse(fmt::format("this machine cannot run SIMD level '{}'", level),
           fmt::format("it has {}", fmt::join(simd_levels(), ", ")));
  hwy::SetSupportedTargetsForTest(0);
  for (const int64_t target : hwy::SupportedAndGeneratedTargets())
    if (wanted == hwy::TargetName(target)) hwy::SetSupportedTargetsForTest(target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace tepui

#endif
