#include "tepui/core/context.h"

#include <mutex>

#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/core/position.h"
#include "tepui/core/problems.h"
#include "tests/support/support.h"

namespace tepui::context_test {

namespace {

struct Recorder : ProgressSink {
  struct Call {
    int task;
    std::string stage;
    double fraction;
  };
  void progress(int task, std::string_view stage, double fraction) override {
    const std::lock_guard lock(mutex);
    calls.push_back({task, std::string(stage), fraction});
  }
  void warn(std::string_view message) override { warnings.emplace_back(message); }
  void told(int task, std::string_view name, double value, std::string_view unit) override {
    numbers.push_back(std::to_string(task) + " " + std::string(name) + " " + std::to_string(value) + std::string(unit));
  }

  std::mutex mutex;
  std::vector<Call> calls;
  std::vector<std::string> warnings, numbers;
};

}  // namespace

TEST(Context, StagesNest) {
  Recorder recorder;
  const Context whole(&recorder, nullptr, 4);
  const Context outer = whole.stage("outer", 0.2, 0.6);
  const Context inner = outer.stage("inner", 0.5, 1);
  inner.progress(0);
  inner.progress(0.5);
  inner.progress(1);
  outer.progress(0.25);
  ASSERT_EQ(recorder.calls.size(), 4u);
  const double expected[] = {0.4, 0.5, 0.6, 0.3};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(recorder.calls[i].fraction, expected[i], 1e-12);
    EXPECT_EQ(recorder.calls[i].stage, i < 3 ? "inner" : "outer");
    EXPECT_EQ(recorder.calls[i].task, 4);
  }
}

TEST(Context, NumbersAreToldOfTheirTask) {
  Recorder recorder;
  Context(&recorder, nullptr, 4).stage("inner", 0.2, 0.6).tell("shed", 2.5, "m3");
  Context().tell("nobody", 1);
  EXPECT_EQ(recorder.numbers, std::vector<std::string>{"4 shed 2.500000m3"});
}

RC_GTEST_PROP(Context, NestedStagesStayWithinTheirParents, ()) {
  Recorder recorder;
  Context context(&recorder, nullptr);
  double from = 0, to = 1;
  const auto depth = *rc::gen::inRange(0, 6);
  for (int i = 0; i < depth; ++i) {
    const double a = *rc::gen::inRange(0, 100) * 0.01, b = a + (1 - a) * *rc::gen::inRange(0, 101) * 0.01;
    context = context.stage("s", a, b);
    const double width = to - from;
    to = from + b * width;
    from += a * width;
  }
  const double t = *rc::gen::inRange(0, 101) * 0.01;
  context.progress(t);
  RC_ASSERT(std::abs(recorder.calls.back().fraction - (from + t * (to - from))) < 1e-12);
}

TEST(Context, LoopsReportEveryChunkUpToTheEnd) {
  Recorder recorder;
  with_threads(3, [&] { parallel_chunks(10, 1, Context(&recorder, nullptr), [](int64_t, int64_t) {}); });
  ASSERT_EQ(recorder.calls.size(), 10u);
  double top = 0;
  for (const auto& call : recorder.calls) top = std::max(top, call.fraction);
  EXPECT_EQ(top, 1);
}

TEST(Context, TasksKeepTheSinkAndTheFlag) {
  Recorder recorder;
  CancelFlag cancel = false;
  const Context context(&recorder, &cancel), other = context.task(7);
  other.progress(0.5);
  EXPECT_EQ(recorder.calls.back().task, 7);
  other.check();
  cancel = true;
  EXPECT_TRUE(other.stage("s", 0, 1).cancelled());
  try {
    other.stage("s", 0, 1).check();
    ADD_FAILURE() << "not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

TEST(Context, WithoutASinkIsSilent) {
  const Context silent;
  silent.progress(0.5);
  silent.warn("nothing");
  silent.check();
  EXPECT_FALSE(silent.cancelled());
  Recorder recorder;
  Context(&recorder, nullptr).stage("s", 0, 1).warn("careful");
  EXPECT_EQ(recorder.warnings, std::vector<std::string>{"careful"});
}

TEST(Error, KeepsItsFirstPlace) {
  const Error error(ErrorKind::request, "wrong", "right");
  const Place a{.file = "a", .line = 1, .column = 2}, b{.file = "b"};
  EXPECT_EQ(error.at(a).where(), "a:1:2");
  EXPECT_EQ(error.at(a).at(b).where(), "a:1:2");
  EXPECT_EQ(error.at(b).where(), "b");
  EXPECT_EQ(error.at(b).hint(), "right");
}

TEST(Error, KeepsTheFirstNodeAndFieldAndWhatIsKnownBeforeItsPlace) {
  const Error error(ErrorKind::request, "wrong", "right");
  const Error named = error.concerning("land", "radius").at({.file = "a", .line = 3, .column = 4});
  EXPECT_EQ(named.place().node, "land");
  EXPECT_EQ(named.place().field, "radius");
  EXPECT_EQ(named.where(), "a:3:4");
  EXPECT_EQ(named.concerning("other", "").place(), named.place());
}

TEST(Position, SaysTheEndAsLineAndColumn) {
  const Source source{"a.json", "{\n  \"x\": [1,\n    2]\n}"};
  const Position at{&source, 2, 8, 9, 19};
  const Place place = at.place();
  EXPECT_EQ(place.text(), "a.json:2:8");
  EXPECT_EQ(place.end_line, 3);
  EXPECT_EQ(place.end_column, 7);
  EXPECT_EQ(Position().place(), Place());
  const Source word{"--set age", "age=1"};
  EXPECT_EQ((Position{&word, 1, 5, 4, 5}).text(), "--set age");
}

TEST(Problems, AreThrownOneByOneOrKeptAll) {
  Problems first;
  EXPECT_THROW(first.attempt([] { refuse("one"); }), Error);
  Problems all(Problems::Wanted::all);
  EXPECT_FALSE(all.attempt([] { refuse("one"); }));
  EXPECT_TRUE(all.attempt([] {}));
  EXPECT_FALSE(all.attempt([] { refuse("two"); }));
  ASSERT_EQ(all.list().size(), 2u);
  EXPECT_EQ(all.list()[1].message(), "two");
  EXPECT_THROW(all.attempt([] { fail("the disk is full"); }), Error);
}

}  // namespace tepui::context_test
