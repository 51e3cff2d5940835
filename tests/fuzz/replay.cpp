// replay CORPUS: every file of every target's corpus, whole, cut short at each length (some, of long ones) and with
// bytes changed. Ends in a crash, or is well.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tepui/core/random.h"
#include "tests/fuzz/targets.h"

namespace tepui::fuzz {
namespace {

constexpr size_t most_prefixes = 400;
constexpr uint64_t mutations = 60;
/// No single input may take this long, on the slowest machine.
constexpr unsigned longest_seconds = 60;
constexpr long largest_kib = 1 << 20;

void run(const Target& target, const std::string& bytes) {
  alarm(longest_seconds);
  target.run(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

void replay(const Target& target, const std::string& bytes) {
  run(target, bytes);
  const size_t stride = 1 + bytes.size() / most_prefixes;
  for (size_t length = 0; length < bytes.size(); length += stride) run(target, bytes.substr(0, length));
  for (uint64_t i = 0; i < mutations && !bytes.empty(); ++i) {
    std::string changed = bytes;
    for (uint64_t k = 0; k <= i % 4; ++k)
      changed[Stream(i).bits(2 * k) % changed.size()] = static_cast<char>(Stream(i).bits(2 * k + 1));
    run(target, changed);
  }
}

bool within_memory() {
#ifdef __SANITIZE_ADDRESS__
  return true;  // the sanitizer's own
#else
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  if (usage.ru_maxrss <= largest_kib) return true;
  std::printf("used %ld MiB of memory\n", usage.ru_maxrss / 1024);
  return false;
#endif
}

int replay_all(const std::filesystem::path& corpus) {
  for (const Target& target : targets()) {
    std::vector<std::filesystem::path> files;
    if (std::filesystem::is_directory(corpus / target.name))
      for (const auto& entry : std::filesystem::directory_iterator(corpus / target.name)) files.push_back(entry.path());
    if (files.empty()) {
      std::printf("target '%s' has no corpus\n", target.name.c_str());
      return 1;
    }
    std::sort(files.begin(), files.end());
    for (const auto& path : files) {
      std::printf("%s: %s\n", target.name.c_str(), path.filename().c_str());
      std::fflush(stdout);
      std::ifstream in(path, std::ios::binary);
      replay(target, std::string(std::istreambuf_iterator<char>(in), {}));
    }
    if (!within_memory()) return 1;
  }
  return 0;
}

}  // namespace
}  // namespace tepui::fuzz

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  return tepui::fuzz::replay_all(argv[1]);
}
