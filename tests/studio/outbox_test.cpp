#include "apps/studio/outbox.h"

#include "tests/support/support.h"

namespace tepui::outbox_test {

using studio::Outbox;
using studio::Parcel;

namespace {

std::shared_ptr<const std::string> bytes(size_t count) { return std::make_shared<const std::string>(count, 'x'); }

}  // namespace

RC_GTEST_PROP(Outbox, NeverSendsMoreThanIsCredited, ()) {
  Outbox box;
  uint64_t sent = 0, credited = 0, generation = 1;
  for (int i = 0; i < 300; ++i) {
    switch (*rc::gen::inRange(0, 5)) {
      case 0:
        box.begin(++generation);
        break;
      case 1: {
        const auto some = *rc::gen::inRange<uint64_t>(0, 4 << 20);
        box.credit(some);
        credited = std::min(sent, credited + some);
        break;
      }
      case 2:
        if (const auto parcel = box.next(); parcel && parcel->binary) sent += parcel->bytes->size();
        break;
      default:
        if (!box.is_full()) box.queue(generation, {bytes(*rc::gen::inRange<size_t>(1, 1 << 20)), true});
    }
    RC_ASSERT(box.uncredited() == sent - credited);
    RC_ASSERT(sent - credited <= Outbox::window);
    // Who makes frames waits once it is full.
    RC_ASSERT(box.waiting() <= Outbox::enough + (1 << 20));
  }
}

RC_GTEST_PROP(Outbox, HoldsNothingOfOlderGenerations, ()) {
  Outbox box;
  std::vector<std::pair<uint64_t, size_t>> frames;
  for (uint64_t generation = 1; generation <= 5; ++generation)
    for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
      frames.emplace_back(generation, *rc::gen::inRange<size_t>(1, 1000));
      box.queue(generation, {bytes(frames.back().second), true});
    }
  const auto newest = *rc::gen::inRange<uint64_t>(1, 7);
  box.begin(newest);
  std::erase_if(frames, [&](const auto& frame) { return frame.first < newest; });
  for (const auto& [generation, size] : frames) {
    const auto parcel = box.next();
    RC_ASSERT(parcel.has_value());
    RC_ASSERT(parcel->bytes->size() == size);
  }
  RC_ASSERT(!box.next());
  RC_ASSERT(box.waiting() == 0u);
}

TEST(Outbox, TextsGoFirstAndReplaceWhatIsStale) {
  Outbox box;
  box.queue(1, {bytes(10), true});
  box.say(std::make_shared<const std::string>("old"), "recipe");
  box.say(std::make_shared<const std::string>("answer"));
  box.say(std::make_shared<const std::string>("new"), "recipe");
  EXPECT_EQ(*box.next()->bytes, "new");
  EXPECT_EQ(*box.next()->bytes, "answer");
  EXPECT_TRUE(box.next()->binary);
  EXPECT_FALSE(box.next());
}

TEST(Outbox, AFrameLargerThanTheWindowStillGoes) {
  Outbox box;
  box.queue(1, {bytes(Outbox::window + 1), true});
  EXPECT_TRUE(box.next());
  box.queue(1, {bytes(1), true});
  EXPECT_FALSE(box.next());
  box.credit(Outbox::window + 1);
  EXPECT_TRUE(box.next());
}

TEST(Outbox, WhoAsksAndNeverListensIsFoundOut) {
  Outbox box;
  for (int i = 0; i < 17; ++i) box.say(bytes(1 << 20));
  EXPECT_TRUE(box.is_overrun());
  for (int i = 0; i < 17; ++i) box.next();
  for (int i = 0; i < 100; ++i) box.say(bytes(1 << 20), "slot");
  EXPECT_FALSE(box.is_overrun());
}

}  // namespace tepui::outbox_test
