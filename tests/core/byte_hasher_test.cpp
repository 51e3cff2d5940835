#include "tepui/core/byte_hasher.h"

#include "tests/support/support.h"

namespace tepui::byte_hasher_test {
namespace {

RC_GTEST_PROP(ByteHasher, PartsGiveTheHashOfTheWhole, (const std::vector<std::string>& parts)) {
  ByteHasher hasher;
  std::string whole;
  for (const std::string& part : parts) {
    hasher.add(part.data(), part.size());
    whole += part;
  }
  RC_ASSERT(hasher.finish() == hash_bytes(whole.data(), whole.size()));
}

}  // namespace
}  // namespace tepui::byte_hasher_test
