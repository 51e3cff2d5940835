#include "tepui/core/hash.h"

#include <set>

#include "tests/support/support.h"

namespace tepui::hash_test {

TEST(Hash, TextIsThirtyTwoHexadecimalDigits) {
  EXPECT_EQ((Hash{0x0123456789abcdef, 0xfedcba9876543210}).text(), "0123456789abcdeffedcba9876543210");
  EXPECT_EQ(Hash{}.text(), std::string(32, '0'));
}

TEST(Hash, TextsDoNotRunIntoEachOther) {
  EXPECT_NE(Hasher().add("ab").add("c").finish(), Hasher().add("a").add("bc").finish());
  EXPECT_NE(Hasher().add("ab").add("").finish(), Hasher().add("").add("ab").finish());
  EXPECT_NE(Hasher().add("").finish(), Hasher().finish());
}

TEST(Hash, OrderMatters) {
  EXPECT_NE(Hasher().add(1).add(2).finish(), Hasher().add(2).add(1).finish());
  EXPECT_NE(Hasher().add(1.0).add(2.0).finish(), Hasher().add(2.0).add(1.0).finish());
}

TEST(Hash, NegativeZeroIsZero) { EXPECT_EQ(Hasher().add(-0.0).finish(), Hasher().add(0.0).finish()); }

RC_GTEST_PROP(Hash, AnyChangedByteChangesTheHash, ()) {
  auto bytes = *rc::gen::nonEmpty(rc::gen::container<std::vector<uint8_t>>(rc::gen::arbitrary<uint8_t>()));
  const Hash before = hash_bytes(bytes.data(), bytes.size()), before_large = hash_large(bytes.data(), bytes.size());
  const auto at = *rc::gen::inRange<size_t>(0, bytes.size());
  bytes[at] = static_cast<uint8_t>(bytes[at] + *rc::gen::inRange(1, 256));
  RC_ASSERT(hash_bytes(bytes.data(), bytes.size()) != before);
  RC_ASSERT(hash_large(bytes.data(), bytes.size()) != before_large);
}

TEST(Hash, OfLargeArraysIsTheSameForAnyThreads) {
  std::vector<uint32_t> data(1'700'001);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<uint32_t>(i * 2654435761u);
  test::expect_same_bits([&] { return hash_large(data.data(), data.size() * sizeof(uint32_t)); });
  const Hash before = hash_large(data.data(), data.size() * 4);
  data.back() ^= 1;
  EXPECT_NE(hash_large(data.data(), data.size() * 4), before);
  data.back() ^= 1;
  EXPECT_NE(hash_large(data.data(), data.size() * 4 - 1), before);
}

TEST(Hash, OfNothingIsDefined) {
  EXPECT_EQ(hash_large(nullptr, 0), hash_large("", 0));
  EXPECT_NE(hash_large("", 0), hash_large("\0", 1));
}

}  // namespace tepui::hash_test
