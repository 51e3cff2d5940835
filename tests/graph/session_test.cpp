// A graph that lives: what an edit keeps, cancels and brings.
#include "tepui/graph/session.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <set>

#include "tepui/core/parallel.h"
#include "tepui/core/pool.h"
#include "tepui/core/random.h"
#include "tepui/output/plan.h"
#include "tepui/recipe/operators.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::session_test {

namespace {

constexpr const char* recipe_text = R"({ "tepui": 1, "seed": 3, "world": { "size": 640, "resolution": 33 },
  "nodes": {
    "hills":  { "op": "noise", "height": 50 },
    "faults": { "op": "circular_faults", "faults": 20, "height": 100 },
    "rock":   { "op": "materials", "in": "faults", "count": 4 },
    "mesa":   { "op": "gradation", "in": "rock", "erosion": 0.5 },
    "smooth": { "op": "levelling", "in": "mesa", "radius": 30 },
    "land":   { "op": "combine", "in": "smooth", "with": "hills", "mode": "add" },
    "solid":  { "op": "implicitize", "in": "land" } } })";

std::shared_ptr<const Plan> parse(const std::string& text, const Overrides& overrides = {}) {
  return std::make_shared<const Plan>(plan(parse_recipe({"test.json", text}, overrides)));
}

Hash fresh_hash(const Graph& graph, int node) {
  ValueCache cache(0);
  return evaluate(graph, {node}, cache, {}).facts[0].hash;
}

/// Remembers what it is told.
class Heard : public SessionEvents {
 public:
  struct Arrival {
    size_t look;
    SessionNode node;
    Value value;
  };
  void known(const SessionNode& node, const NodeFacts&, bool cached) override {
    const std::lock_guard lock(mutex);
    (cached ? found : computed).push_back(node.name + (node.preview ? "?" : ""));
  }
  void progress(const SessionNode& node, const std::string&, double fraction) override {
    const std::lock_guard lock(mutex);
    EXPECT_GE(fraction, 0);
    EXPECT_LE(fraction, 1);
    progressed.insert(node.name);
  }
  void arrived(size_t look, const SessionNode& node, const NodeFacts& facts, const Value& value) override {
    const std::lock_guard lock(mutex);
    EXPECT_TRUE(value.empty() || facts.hash == value.hash());
    arrivals.push_back({look, node, value});
  }
  void failed(const SessionNode& node, const Error& error) override {
    const std::lock_guard lock(mutex);
    failures.push_back(fmt::format("{}: {} at {}", node.name, error.message(), error.where()));
  }
  void settled() override { ++times_settled; }

  void forget() {
    const std::lock_guard lock(mutex);
    found.clear(), computed.clear(), arrivals.clear(), failures.clear();
  }

  std::mutex mutex;
  std::vector<std::string> found, computed, failures;
  std::set<std::string> progressed;
  std::vector<Arrival> arrivals;
  std::atomic<int> times_settled = 0;
};

/// A door that operators wait at until a test opens it; nobody waits for time to pass.
class Door {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return open_; });
  }
  /// Whether it is opened before it is plain that nobody will.
  bool opens_soon() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [this] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
};

struct StepParams {
  double value = 0;
};
void describe(Fields<StepParams>& f) {
  f.about("Land at a height");
  f("value", &StepParams::value, "the height");
}
Terrain flat(const Frame& world, double value) {
  return {world, {}, Grid<float>(world.width, world.height, static_cast<float>(value))};
}
Terrain step(const Frame& world, const StepParams& params, const Context&) { return flat(world, params.value); }

/// A graph of one node that runs `run`, for its value.
SharedGraph graph_of(const Operator& op, double value, int64_t resolution = 9) {
  auto graph = std::make_shared<Graph>();
  graph->world.resolution = resolution;
  graph->nodes.push_back({"step", &op, {}, {ParamValue(value)}, {}});
  return graph;
}

Operator step_operator(std::function<Value(const OperatorCall&, const Context&)> run) {
  Operator made = op<step>("test/step", 1, "");
  made.run = std::move(run);
  return made;
}

double value_of(const OperatorCall& call) { return std::get<double>(call.params.front()); }

}  // namespace

TEST(Session, BringsWhatIsLookedAtAndTellsOfIt) {
  ValueCache cache(size_t{1} << 28);
  Heard heard;
  Session session(cache, heard);
  const auto plan = parse(recipe_text);
  session.show(plan, {{plan->find_node("land")}, {plan->find_node("rock")}});
  session.wait();
  ASSERT_EQ(heard.arrivals.size(), 2u);
  for (const Heard::Arrival& arrival : heard.arrivals) {
    EXPECT_EQ(arrival.value.hash(), fresh_hash(*plan, plan->find_node(arrival.node.name)));
    EXPECT_FALSE(arrival.node.preview);  // it is small as it is
  }
  EXPECT_EQ(heard.computed.size(), 6u);  // not the solid, which nobody looks at
  EXPECT_TRUE(heard.progressed.contains("faults"));
  EXPECT_EQ(heard.times_settled, 1);
  const Evaluation evaluation = session.evaluation();
  EXPECT_EQ(evaluation.values[0].hash(),
            heard.arrivals[0].node.name == "land" ? heard.arrivals[0].value.hash() : heard.arrivals[1].value.hash());
  EXPECT_EQ(evaluation.nodes.size(), 6u);
}

TEST(Session, AnEditComputesOnlyWhatDependsOnIt) {
  ValueCache cache(size_t{1} << 28);
  Heard heard;
  Session session(cache, heard);
  const auto before = parse(recipe_text);
  session.show(before, {{before->find_node("land")}});
  session.wait();
  heard.forget();
  const auto after = parse(recipe_text, {.set = {"smooth.radius=60"}});
  session.show(after, {{after->find_node("land")}});
  session.wait();
  EXPECT_EQ(heard.computed, (std::vector<std::string>{"smooth", "land"}));
  ASSERT_EQ(heard.arrivals.size(), 1u);
  EXPECT_EQ(heard.arrivals[0].value.hash(), fresh_hash(*after, after->find_node("land")));
  EXPECT_EQ(heard.arrivals[0].node.show, 2u);
  // Another name changes nothing.
  heard.forget();
  std::string renamed = recipe_text;
  for (size_t at; (at = renamed.find("smooth")) != std::string::npos;) renamed.replace(at, 6, "even");
  const auto other = parse(renamed, {.set = {"even.radius=60"}});
  session.show(other, {{other->find_node("land")}});
  session.wait();
  EXPECT_TRUE(heard.computed.empty());
  EXPECT_EQ(heard.arrivals.size(), 1u);
}

TEST(Session, AThousandEditsEndInTheHashesOfAFreshRun) {
  ValueCache cache(size_t{1} << 20);  // so that values are given up, too
  Heard heard;
  const Stream stream(11);
  const std::vector<std::string> looks = {"land", "mesa", "hills", "smooth", "solid"};
  std::shared_ptr<const Plan> last;
  std::vector<Look> looked;
  Session session(cache, heard, {.preview = 17});
  for (uint64_t edit = 0; edit < 1000; ++edit) {
    const auto draw = [&](uint64_t channel, int count) {
      return static_cast<int>(stream.uniform(edit, channel, 0, count));
    };
    Overrides overrides;
    overrides.set = {fmt::format("smooth.radius={}", 20 + 20 * draw(0, 5)),
                     fmt::format("mesa.erosion=0.{}", draw(1, 5)), fmt::format("hills.height={}", 10 + draw(2, 4))};
    if (draw(3, 4) == 0) overrides.seed = static_cast<uint64_t>(draw(4, 3));
    if (draw(5, 4) == 0) overrides.resolution = 25 + draw(6, 3);
    last = parse(recipe_text, overrides);
    looked = {{last->find_node(looks[static_cast<size_t>(draw(7, 5))])}};
    if (draw(8, 3) == 0) looked.push_back({last->find_node(looks[static_cast<size_t>(draw(9, 5))])});
    session.show(last, looked);
    if (draw(10, 50) == 0) session.wait();
  }
  session.wait();
  const Evaluation evaluation = session.evaluation();
  for (size_t i = 0; i < looked.size(); ++i) EXPECT_EQ(evaluation.facts[i].hash, fresh_hash(*last, looked[i].node));
  EXPECT_TRUE(heard.failures.empty());
}

TEST(Session, AfterACancelNoChunkOfTheStaleRunBegins) {
  Door begun, shown;
  std::atomic<int> chunks = 0;
  const Operator op = step_operator([&](const OperatorCall& call, const Context& context) -> Value {
    const double value = value_of(call);
    if (value == 1)
      parallel_chunks(1000, 1, context, [&](int64_t, int64_t) {
        ++chunks;
        begun.open();
        shown.wait();
      });
    return flat(*call.world, value);
  });
  ValueCache cache(size_t{1} << 20);
  Heard heard;
  with_threads(2, [&] {
    Session session(cache, heard);
    session.show(graph_of(op, 1), {{0}});
    begun.wait();
    session.show(graph_of(op, 2), {{0}});
    // Those that have begun wait at the door; no other may begin from here on.
    const int before = chunks;
    shown.open();
    session.wait();
    EXPECT_LE(before, 2 * 4);
    EXPECT_LE(chunks, before + 2);  // one that had looked at the flag and not yet counted itself, for each thread
    ASSERT_EQ(heard.arrivals.size(), 1u);
    EXPECT_EQ(get<Terrain>(heard.arrivals[0].value).height()(0, 0), 2);
  });
}

TEST(Session, OfADragTheLastValueArrivesAndNoOtherIsComputedToTheEnd) {
  constexpr int last = 100;
  std::atomic<int> ended = 0;
  const Operator op = step_operator([&](const OperatorCall& call, const Context& context) -> Value {
    const double value = value_of(call);
    // However quick the machine is, none but the last gets to its end.
    while (value != last) {
      context.check();
      std::this_thread::yield();
    }
    ++ended;
    return flat(*call.world, value);
  });
  ValueCache cache(size_t{1} << 20);
  Heard heard;
  Session session(cache, heard);
  for (int value = 1; value <= last; ++value) session.show(graph_of(op, value), {{0}});
  session.wait();
  EXPECT_EQ(ended, 1);
  ASSERT_EQ(heard.arrivals.size(), 1u);
  EXPECT_EQ(get<Terrain>(heard.arrivals[0].value).height()(0, 0), last);
}

TEST(Session, WhatIsStillWantedGoesOnThroughAnEdit) {
  Door begun, shown;
  std::atomic<int> runs = 0, cancelled = 0;
  const Operator slow = step_operator([&](const OperatorCall& call, const Context& context) -> Value {
    ++runs;
    begun.open();
    shown.wait();
    cancelled += context.cancelled() ? 1 : 0;
    return flat(*call.world, value_of(call));
  });
  const Operator quick = step_operator(
      [](const OperatorCall& call, const Context&) -> Value { return flat(*call.world, value_of(call)); });
  const auto graph_with = [&](double value) {
    auto graph = std::make_shared<Graph>();
    graph->world.resolution = 9;
    graph->nodes.push_back({"slow", &slow, {}, {ParamValue(0.5)}, {}});
    graph->nodes.push_back({"other", &quick, {}, {ParamValue(value)}, {}});
    return graph;
  };
  ValueCache cache(size_t{1} << 20);
  Heard heard;
  Session session(cache, heard);
  session.show(graph_with(1), {{0}, {1}});
  begun.wait();
  for (int value = 2; value < 20; ++value) session.show(graph_with(value), {{0}, {1}});
  shown.open();
  session.wait();
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(cancelled, 0);
  EXPECT_EQ(get<Terrain>(session.evaluation().values[1]).height()(0, 0), 19);
}

TEST(Session, APreviewComesBeforeTheLandAndStaysOffTheDisk) {
  const test::TemporaryFolder folder;
  DiskCache disk(folder / "cache");
  ValueCache cache(size_t{1} << 28, &disk);
  Heard heard;
  const auto plan = parse(recipe_text, {.resolution = 129});
  const int land = plan->find_node("land"), solid = plan->find_node("solid");
  {
    Session session(cache, heard, {.preview = 33});
    session.show(plan, {{land}, {solid}});
    session.wait();
  }
  std::vector<bool> previews;
  for (const Heard::Arrival& arrival : heard.arrivals) previews.push_back(arrival.node.preview);
  EXPECT_EQ(previews, (std::vector<bool>{true, true, false, false}));
  EXPECT_EQ(heard.arrivals[0].value.hash(), fresh_hash(*parse(recipe_text, {.resolution = 33}), land));
  // Another program finds the land, and not its preview.
  ValueCache other(0, &disk);
  EXPECT_TRUE(evaluate(*plan, {land}, other, {}).cached[0]);
  EXPECT_FALSE(evaluate(*parse(recipe_text, {.resolution = 33}), {land}, other, {}).cached[0]);
  // Where the land is there already, nothing else comes.
  heard.forget();
  Session again(cache, heard, {.preview = 33});
  again.show(plan, {{land}});
  again.wait();
  ASSERT_EQ(heard.arrivals.size(), 1u);
  EXPECT_FALSE(heard.arrivals[0].node.preview);
}

TEST(Session, PreviewsOfImportsAreResampledAndOfVolumesHaveLargerCells) {
  const auto plan = parse(R"({ "tepui": 1, "world": { "from": "file" }, "nodes": {
    "file": { "op": "read", "file": "recipes/data/hills.tif" },
    "more": { "op": "noise", "height": 20 },
    "land": { "op": "combine", "in": "file", "with": "more" },
    "solid": { "op": "implicitize", "in": "land" },
    "mesh": { "op": "polygonize", "in": "solid" } } })",
                          {});
  ValueCache cache(size_t{1} << 28);
  Heard heard;
  Session session(cache, heard, {.preview = 20});
  session.show(plan, {{plan->find_node("land")}, {plan->find_node("mesh")}, {plan->find_node("file")}});
  session.wait();
  EXPECT_TRUE(heard.failures.empty()) << heard.failures.front();
  std::map<std::string, size_t> bytes;
  for (const Heard::Arrival& arrival : heard.arrivals)
    bytes[arrival.node.name + (arrival.node.preview ? "?" : "")] = arrival.value.bytes();
  EXPECT_LT(bytes.at("land?"), bytes.at("land") / 4);
  EXPECT_LT(bytes.at("mesh?"), bytes.at("mesh") / 4);
  EXPECT_EQ(session.evaluation().facts[1].hash, fresh_hash(*plan, plan->find_node("mesh")));
}

TEST(Session, ALookMayBeAtSomeSamples) {
  const auto plan = parse(recipe_text, {.resolution = 129});
  const int land = plan->find_node("land");
  ValueCache cache(size_t{1} << 28);
  const Value whole = evaluate(*plan, {land}, cache, {}).values[0];
  const Frame& frame = whole.kind().lies(whole);
  const Frame window = frame.window(40, 7, 30, 50), coarse = make_world({640, 640}, 17);
  ValueCache empty(size_t{1} << 28);
  Heard heard;
  Session session(empty, heard);
  session.show(plan, {{land, window}, {land, coarse}});
  session.wait();
  const Evaluation evaluation = session.evaluation();
  EXPECT_EQ(evaluation.values[0].hash(), whole.kind().window(whole, window, {}).hash());
  EXPECT_EQ(evaluation.values[1].hash(), fresh_hash(*parse(recipe_text, {.resolution = 17}), land));
  EXPECT_EQ(heard.computed, (std::vector<std::string>(2, "land")));  // nothing is computed whole
}

TEST(Session, AFailureIsToldWithItsPlaceAndStopsOnlyWhatNeedsIt) {
  const auto plan = parse(R"({ "tepui": 1, "world": { "size": 100, "resolution": 33 }, "nodes": {
    "n": { "op": "noise" }, "m": { "op": "materials", "in": "n", "count": 3 },
    "h": { "op": "hardness", "in": "m", "values": [0.1, 0.2] }, "sum": { "op": "combine", "in": "h", "with": "n" },
    "file": { "op": "read", "file": "none.tif" } } })");
  ValueCache cache(size_t{1} << 28);
  Heard heard;
  Session session(cache, heard);
  session.show(plan, {{plan->find_node("sum")}, {plan->find_node("m")}, {plan->find_node("file")}});
  session.wait();
  ASSERT_EQ(heard.failures.size(), 2u);
  std::ranges::sort(heard.failures);
  EXPECT_CONTAINS(heard.failures[0], "file: node 'file': ");
  EXPECT_CONTAINS(heard.failures[1], "h: node 'h': ");
  EXPECT_CONTAINS(heard.failures[1], "test.json:3:5");
  ASSERT_EQ(heard.arrivals.size(), 1u);
  EXPECT_EQ(heard.arrivals[0].node.name, "m");
  EXPECT_THROW(session.evaluation(), Error);
  // Mended, it comes.
  const auto mended = parse(recipe_text);
  session.show(mended, {{mended->find_node("land")}});
  session.wait();
  EXPECT_EQ(session.evaluation().facts[0].hash, fresh_hash(*mended, mended->find_node("land")));
}

TEST(Session, AListenerHoldsUpNoWork) {
  Door ended;
  const Operator op = step_operator([&](const OperatorCall& call, const Context& context) -> Value {
    context.progress(0.5);
    ended.open();
    return flat(*call.world, value_of(call));
  });
  class Patient : public SessionEvents {
   public:
    explicit Patient(Door& ended) : ended_(ended) {}
    void progress(const SessionNode&, const std::string&, double) override { in_time = ended_.opens_soon(); }
    std::atomic<bool> in_time = false;

   private:
    Door& ended_;
  };
  ValueCache cache(size_t{1} << 20);
  Patient patient(ended);
  Session session(cache, patient);
  session.show(graph_of(op, 1), {{0}});
  session.wait();
  EXPECT_TRUE(patient.in_time);
}

// TBB ends a loop that runs inside another one which has been cancelled.
TEST(Session, WhatAListenerComputesDoesNotEndWithTheJobThatItHearsOf) {
  Door told, stopped;
  const Operator op = step_operator([&](const OperatorCall& call, const Context& context) -> Value {
    const double value = value_of(call);
    if (value == 1)
      parallel_chunks(2, 1, {}, [&](int64_t chunk, int64_t) {
        if (chunk == 0) return context.progress(0.5);
        told.wait();
        while (!context.cancelled()) std::this_thread::yield();
        stopped.open();
        context.check();
      });
    return flat(*call.world, value);
  });
  class Computer : public SessionEvents {
   public:
    Computer(Door& told, Door& stopped) : told_(told), stopped_(stopped) {}
    void progress(const SessionNode&, const std::string&, double fraction) override {
      if (fraction < 0.5 || std::exchange(told_once_, true)) return;
      told_.open();
      stopped_.wait();
      // The job's loop ends as cancelled now, while this goes on.
      const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(30);
      while (std::chrono::steady_clock::now() < end) try {
          parallel_chunks(8, 1, {}, [](int64_t, int64_t) {});
        } catch (const Error&) {
          ++broken;
        }
    }
    std::atomic<int> broken = 0;

   private:
    Door &told_, &stopped_;
    bool told_once_ = false;
  };
  ValueCache cache(size_t{1} << 20);
  Computer computer(told, stopped);
  with_threads(2, [&] {
    Session session(cache, computer, {.preview = 0});
    session.show(graph_of(op, 1), {{0}});
    told.wait();
    session.show(graph_of(op, 2), {{0}});
    session.wait();
  });
  EXPECT_EQ(computer.broken, 0);
}

TEST(Session, AnEventMayShowAnotherGraph) {
  class Dragger : public SessionEvents {
   public:
    void arrived(size_t, const SessionNode&, const NodeFacts&, const Value& value) override {
      last = get<Terrain>(value).height()(0, 0);
      if (last < 20) session->show(graph_of(*op, static_cast<double>(last) + 1), {{0}});
    }
    Session* session = nullptr;
    const Operator* op = nullptr;
    std::atomic<float> last = 0;
  };
  const Operator op = step_operator(
      [](const OperatorCall& call, const Context&) -> Value { return flat(*call.world, value_of(call)); });
  ValueCache cache(size_t{1} << 20);
  Dragger dragger;
  Session session(cache, dragger);
  dragger.session = &session;
  dragger.op = &op;
  session.show(graph_of(op, 1), {{0}});
  session.wait();
  EXPECT_EQ(dragger.last, 20);
}

TEST(Session, WhatAnOperatorKeepsHelpsItTheNextTime) {
  Operator op = step_operator(
      [](const OperatorCall& call, const Context&) -> Value { return flat(*call.world, value_of(call)); });
  std::vector<int> kept_before;
  op.again = [&](const OperatorCall& call, std::shared_ptr<void>& kept, const Context&) -> Value {
    kept_before.push_back(kept != nullptr ? *std::static_pointer_cast<int>(kept) : 0);
    kept = std::make_shared<int>(static_cast<int>(value_of(call)));
    return flat(*call.world, value_of(call));
  };
  ValueCache cache(size_t{1} << 20);
  Heard heard;
  Session session(cache, heard);
  for (const double value : {4, 5, 6}) {
    session.show(graph_of(op, value), {{0}});
    session.wait();
  }
  EXPECT_EQ(kept_before, (std::vector<int>{0, 4, 5}));
}

TEST(Session, AVolumeIsMeshedAsInAFreshRunAfterEveryStroke) {
  const std::string text = R"({ "tepui": 1, "world": { "size": 400, "resolution": 65 }, "nodes": {
    "land": { "op": "noise", "height": 30 }, "solid": { "op": "implicitize", "in": "land" },
    "cut": { "op": "sculpt", "in": "solid", "strokes": [STROKES] },
    "mesh": { "op": "polygonize", "in": "cut", "cell": 4 } } })";
  ValueCache cache(size_t{1} << 28);
  Heard heard;
  Session session(cache, heard, {.preview = 0});
  std::string strokes;
  for (int stroke = 0; stroke < 4; ++stroke) {
    strokes += fmt::format(R"({}{{ "shape": "{}", "at": [{}, {}, 0] }})", stroke > 0 ? ", " : "",
                           stroke % 2 == 0 ? "sphere" : "box", 20 + 15 * stroke, 70 - 10 * stroke);
    std::string filled = text;
    filled.replace(filled.find("STROKES"), 7, strokes);
    const auto plan = parse(filled);
    session.show(plan, {{plan->find_node("mesh")}});
    session.wait();
    EXPECT_EQ(session.evaluation().facts[0].hash, fresh_hash(*plan, plan->find_node("mesh"))) << stroke;
  }
}

TEST(Session, MemoryCountsSharedLayersOnce) {
  const auto plan = parse(recipe_text);
  ValueCache cache(size_t{1} << 28);
  const Evaluation all = evaluate(*plan, {plan->find_node("rock"), plan->find_node("mesa")}, cache, {});
  // Faults, rock and mesa: two layers of heights and one of materials, which two of them share.
  const size_t layer = 33 * 33 * sizeof(float);
  EXPECT_EQ(cache.bytes(), 3 * layer);
  EXPECT_EQ(all.values[0].bytes(), 2 * layer);
}

}  // namespace tepui::session_test
