// libFuzzer's entry: `fuzz --target=NAME CORPUS...`. It leaves arguments that begin with two dashes alone.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/fuzz/targets.h"

namespace {

const tepui::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr std::string_view flag = "--target=";
  for (int i = 1; i < *argc; ++i) {
    const std::string_view word = (*argv)[i];
    if (!word.starts_with(flag)) continue;
    const auto& all = tepui::fuzz::targets();
    const auto found = std::ranges::find(all, word.substr(flag.size()), &tepui::fuzz::Target::name);
    if (found != all.end()) chosen = &*found;
  }
  if (chosen != nullptr) return 0;
  std::fprintf(stderr, "give --target=, one of:");
  for (const tepui::fuzz::Target& target : tepui::fuzz::targets()) std::fprintf(stderr, " %s", target.name.c_str());
  std::fprintf(stderr, "\n");
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  chosen->run(data, size);
  return 0;
}
