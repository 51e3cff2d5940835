#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// What the readers are fuzzed with: `make fuzz` mutates the corpora with libFuzzer, `make test` replays them.

namespace tepui::fuzz {

/// One reader. Returns where the bytes were read or refused; anything else that happens is a bug.
struct Target {
  std::string name;  ///< also of its folder in tests/fuzz/corpus
  void (*run)(const uint8_t* data, size_t size);
};

const std::vector<Target>& targets();

}  // namespace tepui::fuzz
