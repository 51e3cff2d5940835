#include "tepui/core/params.h"

#include <cmath>
#include <optional>

#include "tepui/core/number.h"
#include "tests/support/support.h"

namespace tepui::params_test {

namespace {

enum class Shape { round, square };

struct Bed {
  std::string rock = "sandstone";
  Length thickness = metres(10);
  Shape shape = Shape::round;
  friend bool operator==(const Bed&, const Bed&) = default;
};

void describe(Fields<Bed>& f) {
  f("rock", &Bed::rock, "its name");
  f("thickness", &Bed::thickness, not_negative, "how thick");
  f("shape", &Bed::shape, {"round", "square"}, "a form");
}

struct SampleParams {
  bool on = true;
  int count = 5;
  double strength = 0.25;
  Length radius = percent(10);
  LengthInterval sizes{metres(1), metres(700)};
  Interval band{0.25, 0.75};
  Angle turn{45};
  Shape shape = Shape::square;
  std::string label = "hill";
  Vec2 centre{1, 2};
  Vec3 axis{0, 0, 1};
  std::vector<double> list{1, 2.5};
  Curve curve;
  Colour colour{1, 0.5, 0};
  FilePath file{"a.tif"};
  Seed seed;
  std::vector<Bed> beds{{"sandstone", metres(40), Shape::round}, {"shale", percent(2), Shape::square}};
};

void describe(Fields<SampleParams>& f) {
  f.about("a sample");
  f.reach(Reach::window);
  f("on", &SampleParams::on, "a switch");
  f("count", &SampleParams::count, Range{1, 9}, "a number of things").slider(2, 4);
  f("strength", &SampleParams::strength, Range{0, 1}, "how much");
  f("radius", &SampleParams::radius, not_negative, "how far");
  f("sizes", &SampleParams::sizes, not_negative, "from and to");
  f("band", &SampleParams::band, Range{0, 1}, "a part");
  f("turn", &SampleParams::turn, Range{-360, 360}, "an angle");
  f("shape", &SampleParams::shape, {"round", "square"}, "a form");
  f("label", &SampleParams::label, "a word");
  f("centre", &SampleParams::centre, "a place");
  f("axis", &SampleParams::axis, "a direction");
  f("list", &SampleParams::list, Range{0, 10}, "numbers");
  f("curve", &SampleParams::curve, "a curve");
  f("colour", &SampleParams::colour, "a colour");
  f("file", &SampleParams::file, "a file");
  f.seed(&SampleParams::seed);
  f("beds", &SampleParams::beds, Range{1, 3}, "beds");
}

struct Sample {
  Sample() { describe(fields); }
  const Field& field(const char* name) const {
    return fields.table().fields.at(static_cast<size_t>(fields.table().find(name)));
  }
  std::string refusal(const char* name, const ParamValue& value) const {
    return test::error_of([&] { check_range(field(name), value); });
  }
  std::vector<ParamValue> defaults() const {
    std::vector<ParamValue> values;
    for (const Field& f : fields.table().fields) values.push_back(f.fallback);
    return values;
  }
  Fields<SampleParams> fields;
};

}  // namespace

TEST(Params, TableHoldsWhatWasDescribed) {
  const Sample sample;
  const ParamTable& table = sample.fields.table();
  EXPECT_EQ(table.about, "a sample");
  EXPECT_EQ(table.reach, Reach::window);
  EXPECT_EQ(table.fields.size(), 17u);
  EXPECT_EQ(table.find("nothing"), -1);
  EXPECT_EQ(sample.field("count").slider.high, 4);
  EXPECT_EQ(sample.field("strength").slider.high, 1);
  EXPECT_EQ(sample.field("radius").unit, "m");
  EXPECT_EQ(sample.field("turn").unit, "deg");
  EXPECT_EQ(sample.field("shape").type, ParamType::choice);
  EXPECT_EQ(sample.field("seed").type, ParamType::seed);
}

TEST(Params, StructsAreMadeFromValues) {
  const Sample sample;
  std::vector<ParamValue> values = sample.defaults();
  const auto set = [&](const char* name, ParamValue value) {
    values[static_cast<size_t>(sample.fields.table().find(name))] = std::move(value);
  };
  SampleParams made = sample.fields.make(values);
  EXPECT_EQ(made.count, 5);
  EXPECT_EQ(made.shape, Shape::square);
  EXPECT_EQ(made.radius, percent(10));
  set("count", int64_t{7});
  set("shape", Choice{0});
  set("radius", metres(3));
  set("seed", Seed{4, 9});
  made = sample.fields.make(values);
  EXPECT_EQ(made.count, 7);
  EXPECT_EQ(made.shape, Shape::round);
  EXPECT_EQ(made.radius, metres(3));
  EXPECT_EQ(made.seed, (Seed{4, 9}));
  const std::vector<ParamValue> back = sample.fields.values(made);
  ASSERT_EQ(back.size(), values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    Hasher a, b;
    hash_param(a, sample.fields.table().fields[i], values[i]);
    hash_param(b, sample.fields.table().fields[i], back[i]);
    EXPECT_EQ(a.finish(), b.finish()) << sample.fields.table().fields[i].name;
  }
}

TEST(Params, DefaultsAreWithinTheirRanges) {
  const Sample sample;
  for (const Field& field : sample.fields.table().fields) check_range(field, field.fallback);
}

TEST(Params, ValuesOutsideAreRefusedWithTheBounds) {
  const Sample sample;
  EXPECT_EQ(sample.refusal("count", int64_t{0}), "'count' is 0, but must be from 1 to 9");
  EXPECT_EQ(sample.refusal("strength", 1.5), "'strength' is 1.5, but must be from 0 to 1");
  EXPECT_EQ(sample.refusal("radius", metres(-1)), "'radius' is -1 m, but must be at least 0 m");
  EXPECT_EQ(sample.refusal("radius", percent(-1)), "'radius' is -1 %, but must be at least 0 %");
  EXPECT_NE(sample.refusal("strength", NAN).find("finite"), std::string::npos);
  EXPECT_NE(sample.refusal("radius", metres(INFINITY)).find("finite"), std::string::npos);
  EXPECT_NE(sample.refusal("band", Interval{0.5, 0.2}).find("high to low"), std::string::npos);
  EXPECT_NE(sample.refusal("band", Interval{0.5, 1.2}).find("from 0 to 1"), std::string::npos);
  EXPECT_NE(sample.refusal("sizes", LengthInterval{metres(5), metres(4)}).find("high to low"), std::string::npos);
  EXPECT_NE(sample.refusal("list", std::vector<double>{1, 11}).find("from 0 to 10"), std::string::npos);
  EXPECT_NE(sample.refusal("centre", Vec2{0, NAN}).find("finite"), std::string::npos);
  EXPECT_NE(sample.refusal("turn", Angle{400}).find("deg"), std::string::npos);
  EXPECT_NE(sample.refusal("curve", Curve{{{0, 0}}}).find("two points"), std::string::npos);
  EXPECT_NE(sample.refusal("curve", Curve{{{0, 0}, {0, 1}}}).find("must be larger"), std::string::npos);
  check_range(sample.field("strength"), 0.0);
  check_range(sample.field("strength"), 1.0);
  // Metres and per cent cannot be compared before there is a world.
  check_range(sample.field("sizes"), LengthInterval{metres(5), percent(1)});
}

TEST(Params, TextIsWhatAUserWouldType) {
  const Sample sample;
  const auto text = [&](const char* name) { return param_text(sample.field(name), sample.field(name).fallback); };
  EXPECT_EQ(text("on"), "true");
  EXPECT_EQ(text("count"), "5");
  EXPECT_EQ(text("strength"), "0.25");
  EXPECT_EQ(text("radius"), "10%");
  EXPECT_EQ(text("sizes"), "1..700");
  EXPECT_EQ(text("band"), "0.25..0.75");
  EXPECT_EQ(text("turn"), "45");
  EXPECT_EQ(text("shape"), "square");
  EXPECT_EQ(text("label"), "hill");
  EXPECT_EQ(text("centre"), "[1, 2]");
  EXPECT_EQ(text("list"), "[1, 2.5]");
  EXPECT_EQ(text("colour"), "#ff8000");
  EXPECT_EQ(text("beds"), "sandstone:40:round,shale:2%:square");
  EXPECT_EQ(param_text(sample.field("beds"), Records{}), "[]");
  EXPECT_EQ(param_text(sample.field("band"), Interval{0.5, 0.5}), "0.5");
  EXPECT_EQ(param_text(sample.field("curve"), Curve{{{0, 0}, {1, 0.5}}}), "[[0, 0], [1, 0.5]]");
}

TEST(Params, HashChangesWithEveryValueButNotWithTheFileName) {
  const Sample sample;
  const auto hash = [&](const char* name, const ParamValue& value) {
    Hasher hasher;
    hash_param(hasher, sample.field(name), value);
    return hasher.finish();
  };
  EXPECT_NE(hash("strength", 0.5), hash("strength", 0.25));
  EXPECT_NE(hash("radius", metres(10)), hash("radius", percent(10)));
  EXPECT_NE(hash("shape", Choice{0}), hash("shape", Choice{1}));
  EXPECT_NE(hash("seed", Seed{1, 0}), hash("seed", Seed{0, 1}));
  EXPECT_NE(hash("curve", Curve{{{0, 0}, {1, 1}}}), hash("curve", Curve{{{0, 0}, {1, 2}}}));
  EXPECT_NE(hash("list", std::vector<double>{}), hash("list", std::vector<double>{0}));
  EXPECT_EQ(hash("file", FilePath{"a.tif"}), hash("file", FilePath{"b.tif"}));
}

TEST(Params, RecordsAreValuesLikeOthers) {
  const Sample sample;
  const Field& beds = sample.field("beds");
  EXPECT_EQ(beds.type, ParamType::records);
  ASSERT_NE(beds.record, nullptr);
  EXPECT_EQ(beds.record->fields.size(), 3u);
  std::vector<ParamValue> values = sample.defaults();
  Records list = std::get<Records>(values.back());
  ASSERT_EQ(list.rows.size(), 2u);
  list.rows[1].values = {std::string("chalk"), metres(7), Choice{0}};
  list.rows.push_back(list.rows[0]);
  values.back() = list;
  const SampleParams made = sample.fields.make(values);
  ASSERT_EQ(made.beds.size(), 3u);
  EXPECT_EQ(made.beds[1].rock, "chalk");
  EXPECT_EQ(made.beds[1].thickness, metres(7));
  EXPECT_EQ(made.beds[2].rock, "sandstone");
  EXPECT_EQ(sample.fields.values(made).back(), values.back());
}

TEST(Params, RecordsAreRefusedByTheirPlace) {
  const Sample sample;
  const Record good{{std::string("chalk"), metres(7), Choice{0}}}, thin{{std::string("chalk"), metres(-7), Choice{0}}};
  check_range(sample.field("beds"), Records{{good, good, good}});
  EXPECT_EQ(sample.refusal("beds", Records{{good, good, thin}}),
            "'beds[2].thickness' is -7 m, but must be at least 0 m");
  EXPECT_EQ(sample.refusal("beds", Records{}), "'beds' has 0 records, but must have from 1 to 3");
  EXPECT_EQ(sample.refusal("beds", Records{{good, good, good, good}}),
            "'beds' has 4 records, but must have from 1 to 3");
}

TEST(Params, EveryValueOfARecordEntersTheHash) {
  const Sample sample;
  const auto hash = [&](const Records& value) {
    Hasher hasher;
    hash_param(hasher, sample.field("beds"), value);
    return hasher.finish();
  };
  const Record a{{std::string("chalk"), metres(7), Choice{0}}};
  const Records one{{a}};
  EXPECT_EQ(hash(one), hash(Records{{a}}));
  EXPECT_NE(hash(one), hash(Records{{a, a}}));
  EXPECT_NE(hash(one), hash(Records{{{{std::string("chalky"), metres(7), Choice{0}}}}}));
  EXPECT_NE(hash(one), hash(Records{{{{std::string("chalk"), percent(7), Choice{0}}}}}));
  EXPECT_NE(hash(one), hash(Records{{{{std::string("chalk"), metres(7), Choice{1}}}}}));
}

namespace {

struct OptionalParams {
  std::optional<int> count{};
  std::optional<Length> radius{};
  std::optional<Interval> band{};
  std::optional<LengthInterval> sizes{};
  std::optional<Shape> shape{};
  std::optional<std::string> label{};
  std::optional<std::vector<double>> list{};
  std::optional<FilePath> file{};
  std::optional<std::vector<Bed>> beds{};
  friend bool operator==(const OptionalParams&, const OptionalParams&) = default;
};

void describe(Fields<OptionalParams>& f) {
  f("count", &OptionalParams::count, Range{1, 9}, "a number of things");
  f("radius", &OptionalParams::radius, not_negative, "how far");
  f("band", &OptionalParams::band, Range{0, 1}, "a part");
  f("sizes", &OptionalParams::sizes, not_negative, "from and to");
  f("shape", &OptionalParams::shape, {"round", "square"}, "a form");
  f("label", &OptionalParams::label, "a word");
  f("list", &OptionalParams::list, Range{0, 10}, "numbers");
  f("file", &OptionalParams::file, "a file");
  f("beds", &OptionalParams::beds, Range{1, 3}, "layers");
}

Fields<OptionalParams> optional_fields() {
  Fields<OptionalParams> fields;
  describe(fields);
  return fields;
}

OptionalParams given_params() {
  return {3,
          percent(2),
          Interval{0.25, 0.5},
          LengthInterval{metres(1), metres(2)},
          Shape::square,
          "hill",
          std::vector{1.0, 2.0},
          FilePath{"a.tif"},
          std::vector<Bed>{{"shale", metres(2), Shape::round}}};
}

}  // namespace

TEST(Params, AnOptionalThatIsNotGivenIsAuto) {
  const Fields<OptionalParams> fields = optional_fields();
  for (const Field& field : fields.table().fields) {
    SCOPED_TRACE(field.name);
    EXPECT_TRUE(field.automatic);
    EXPECT_EQ(field.fallback, ParamValue(Automatic{}));
    EXPECT_EQ(param_text(field, field.fallback), "auto");
    EXPECT_NO_THROW(check_range(field, field.fallback));
  }
  EXPECT_EQ(fields.make(fields.values({})), OptionalParams());
  const Sample sample;
  for (const Field& field : sample.fields.table().fields) {
    EXPECT_FALSE(field.automatic) << field.name;
    EXPECT_NE(test::error_of([&] { check_range(field, Automatic{}); }).find("cannot be auto"), std::string::npos);
  }
}

TEST(Params, AnOptionalThatIsGivenIsAValueLikeOthers) {
  const Fields<OptionalParams> fields = optional_fields();
  const std::vector<ParamValue> values = fields.values(given_params());
  EXPECT_EQ(fields.make(values), given_params());
  EXPECT_EQ(values[0], ParamValue(int64_t{3}));
  EXPECT_EQ(values[4], ParamValue(Choice{1}));
  for (size_t i = 0; i < values.size(); ++i) {
    const Field& field = fields.table().fields[i];
    EXPECT_NO_THROW(check_range(field, values[i])) << field.name;
    Hasher given, automatic;
    hash_param(given, field, values[i]);
    hash_param(automatic, field, Automatic{});
    EXPECT_NE(given.finish(), automatic.finish()) << field.name;
  }
}

TEST(Params, WhatOnlyLooksLikeAutoIsRefusedWithTheWordForIt) {
  const Fields<OptionalParams> fields = optional_fields();
  const auto error = [&](const char* name, const ParamValue& value) {
    const auto index = static_cast<size_t>(fields.table().find(name));
    return test::error_of([&] { check_range(fields.table().fields[index], value); });
  };
  EXPECT_EQ(error("count", int64_t{0}), "'count' is 0, but must be from 1 to 9, or auto");
  EXPECT_EQ(error("radius", metres(-1)), "'radius' is -1 m, but must be at least 0 m, or auto");
  EXPECT_NE(error("band", Interval{0, 0}).find("'band' has two equal ends"), std::string::npos);
  EXPECT_NE(error("sizes", LengthInterval{}).find("'sizes' has two equal ends"), std::string::npos);
  EXPECT_NE(error("label", std::string()).find("'label' is empty"), std::string::npos);
  EXPECT_NE(error("list", std::vector<double>()).find("'list' is empty"), std::string::npos);
  EXPECT_EQ(error("beds", Records{}), "'beds' has 0 records, but must have from 1 to 3, or auto");
  // A field that is never auto may be empty.
  const Sample sample;
  EXPECT_NO_THROW(check_range(sample.field("label"), std::string()));
  EXPECT_NO_THROW(check_range(sample.field("list"), std::vector<double>()));
  EXPECT_NO_THROW(check_range(sample.field("band"), Interval{0.5, 0.5}));
}

TEST(Params, LengthsAreRead) {
  EXPECT_EQ(parse_length("350"), metres(350));
  EXPECT_EQ(parse_length("350m"), metres(350));
  EXPECT_EQ(parse_length("350 m"), metres(350));
  EXPECT_EQ(parse_length("1.2km"), metres(1200));
  EXPECT_EQ(parse_length("10%"), percent(10));
  EXPECT_EQ(parse_length("-3.5e1 %"), percent(-35));
  EXPECT_EQ(parse_length("25cm"), metres(0.25));
  EXPECT_EQ(parse_length("4mm"), metres(0.004));
  for (const char* wrong : {"", "m", "%", "ten", "10 miles", "10%%", "1,5", "0x10", "1e999", "10 m m", "--3"})
    EXPECT_NE(test::error_of([&] { parse_length(wrong); }).find("is not a length"), std::string::npos) << wrong;
}

RC_GTEST_PROP(Params, LengthsSurviveTheirText, ()) {
  const Sample sample;
  const Length length{*rc::gen::inRange(-1'000'000, 1'000'000) / 977.0, *rc::gen::arbitrary<bool>()};
  RC_ASSERT(parse_length(param_text(sample.field("radius"), length)) == length);
}

TEST(Params, PercentIsOfTheShorterSide) {
  const Frame world = make_world({4000, 1000}, 101);
  EXPECT_EQ(percent(10).in(world), 100);
  EXPECT_EQ(metres(10).in(world), 10);
}

TEST(Params, NearestNameForgivesTyposOnly) {
  const std::vector<std::string> known{"circular_faults", "noise", "levelling", "gradation", "in"};
  EXPECT_EQ(nearest_name("circular_fault", known), "circular_faults");
  EXPECT_EQ(nearest_name("nosie", known), "noise");
  EXPECT_EQ(nearest_name("leveling", known), "levelling");
  EXPECT_EQ(nearest_name("Noise", known), "noise");
  EXPECT_EQ(nearest_name("volcano", known), "");
  EXPECT_EQ(nearest_name("x", known), "");
  EXPECT_EQ(nearest_name("", known), "");
  EXPECT_EQ(nearest_name(std::string(1000, 'n'), known), "");
  EXPECT_EQ(nearest_name("noise", {}), "");
}

TEST(Number, WholeTextsOnly) {
  EXPECT_EQ(parse_number(" 2.5 "), 2.5);
  EXPECT_EQ(parse_number("+3"), 3);
  EXPECT_EQ(parse_number("-3e2"), -300);
  for (const char* wrong : {"", " ", "2.5x", "+-3", "++3", "2 5", "1e999"}) EXPECT_FALSE(parse_number(wrong)) << wrong;
}

}  // namespace tepui::params_test
