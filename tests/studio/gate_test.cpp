#include "apps/studio/gate.h"

#include "apps/studio/frames.h"
#include "apps/studio/request.h"
#include "tepui/core/error.h"
#include "tests/support/support.h"

namespace tepui::gate_test {

using namespace studio;

namespace {

const std::string good =
    "GET /live HTTP/1.1\r\nHost: 127.0.0.1:5000\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
    "Origin: http://127.0.0.1:5000\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
    "Sec-WebSocket-Protocol: tepui-1\r\n\r\n";

}  // namespace

TEST(Gate, LetsThePageIn) {
  const auto head = parse_head(good);
  ASSERT_TRUE(head);
  EXPECT_EQ(judge(*head, 5000), Verdict::live);
  EXPECT_EQ(judge(*head, 5001), Verdict::forbidden);
}

RC_GTEST_PROP(Gate, NoPrefixOfAHeadIsAHead, ()) {
  RC_ASSERT(!parse_head(good.substr(0, *rc::gen::inRange<size_t>(0, good.size()))));
}

RC_GTEST_PROP(Gate, NothingThatIsChangedOrLeftOutOpensTheSocket, ()) {
  std::string bytes = good;
  const auto at = *rc::gen::inRange<size_t>(0, bytes.size());
  if (*rc::gen::arbitrary<bool>())
    bytes.erase(at, *rc::gen::inRange<size_t>(1, 20));
  else
    bytes[at] = *rc::gen::arbitrary<char>();
  const auto head = parse_head(bytes);
  if (!head || judge(*head, 5000) != Verdict::live) return;
  // Names of fields are in any case, blanks do not count, the key is anybody's own.
  RC_ASSERT(head->only("host") == "127.0.0.1:5000");
  RC_ASSERT(head->only("origin") == "http://127.0.0.1:5000");
  RC_ASSERT(head->target == "/live");
  RC_ASSERT(head->method == "GET");
  RC_ASSERT(head->only("sec-websocket-protocol") == "tepui-1");
}

RC_GTEST_PROP(Gate, SecretsAreEqualWhereTheyAre, (const std::string& a, const std::string& b)) {
  RC_ASSERT(same_secret(a, a));
  RC_ASSERT(same_secret(a, b) == (a == b));
}

TEST(Gate, SecretsAreLongAndDiffer) {
  const std::string one = random_secret(), other = random_secret();
  EXPECT_EQ(one.size(), 64u);
  EXPECT_NE(one, other);
}

TEST(Gate, ATokenIsTradedOnce) {
  Keys keys;
  const Greeting first{keys.token(), "", ""};
  const auto key = keys.admit(first);
  ASSERT_TRUE(key);
  EXPECT_FALSE(keys.admit(first));
  EXPECT_EQ(keys.admit({"", *key, ""}), key);
  EXPECT_FALSE(keys.admit({*key, "", ""}));
  EXPECT_FALSE(keys.admit({"", keys.token(), ""}));
  EXPECT_FALSE(keys.admit({"", "", ""}));
}

RC_GTEST_PROP(Gate, AnyBytesAreAGreetingOrNone, (const std::string& text)) {
  if (const auto greeting = parse_greeting(text)) RC_ASSERT(greeting->token.empty() != greeting->key.empty());
}

RC_GTEST_PROP(Frames, WhatIsSentOfAFileIsRead, (const std::string& cells)) {
  const auto offset = *rc::gen::inRange<int64_t>(0, int64_t{1} << 40);
  const std::string frame = frame_bytes(FrameKind::bytes, {{"file", 7}, {"offset", offset}}, cells);
  SentBytes sent;
  RC_ASSERT(parse_sent_bytes(frame, sent));
  RC_ASSERT(sent.file == 7);
  RC_ASSERT(sent.offset == offset);
  RC_ASSERT(sent.bytes == cells);
  SentBytes cut;
  const auto end = *rc::gen::inRange<size_t>(0, frame.size() - cells.size());
  RC_ASSERT(!parse_sent_bytes(std::string_view(frame).substr(0, end), cut));
}

TEST(Requests, NestAsDeepAsTheyMay) {
  const auto nested = [](int depth) {
    return R"({"do": "set", "value": )" + std::string(static_cast<size_t>(depth), '[') +
           std::string(static_cast<size_t>(depth), ']') + "}";
  };
  EXPECT_NO_THROW(parse_request(nested(deepest_request - 1)));
  EXPECT_THROW(parse_request(nested(deepest_request)), Error);
}

}  // namespace tepui::gate_test
