#include "tepui/core/params.h"
#include "tepui/recipe/param_json.h"
#include "tests/support/support.h"

namespace tepui::records_test {

namespace {

struct Bed {
  std::string rock = "sandstone";
  Length thickness = metres(10);
  double resistance = 0.5;
  std::vector<double> grains;
};

void describe(Fields<Bed>& f) {
  f("rock", &Bed::rock, "its name");
  f("thickness", &Bed::thickness, not_negative, "how thick");
  f("resistance", &Bed::resistance, Range{0, 1}, "how hard");
  f("grains", &Bed::grains, "sizes");
}

struct Column {
  std::vector<Bed> beds;
};

void describe(Fields<Column>& f) { f("beds", &Column::beds, "from the top down"); }

const Field& beds() {
  static const Fields<Column> fields = [] {
    Fields<Column> f;
    describe(f);
    return f;
  }();
  return fields.table().fields.front();
}

Records read(const std::string& json) {
  return std::get<Records>(param_from_json(beds(), parse_json({"column.json", json})));
}
Records read_word(const std::string& word) { return std::get<Records>(param_from_json(beds(), parse_word(word, {}))); }

Error refusal(const std::string& json) {
  try {
    const Source source{"column.json", json};
    param_from_json(beds(), parse_json(source));
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorKind::failure, "accepted");
}

}  // namespace

TEST(Records, ObjectsAndTextSayTheSame) {
  const Records list = read(R"([{"rock": "shale", "thickness": "2%", "resistance": 0.3}, {"thickness": 40}])");
  ASSERT_EQ(list.rows.size(), 2u);
  EXPECT_EQ(std::get<std::string>(list.rows[0].values[0]), "shale");
  EXPECT_EQ(std::get<Length>(list.rows[0].values[1]), percent(2));
  EXPECT_EQ(std::get<std::string>(list.rows[1].values[0]), "sandstone");
  EXPECT_EQ(std::get<Length>(list.rows[1].values[1]), metres(40));
  EXPECT_EQ(std::get<double>(list.rows[1].values[2]), 0.5);
  EXPECT_EQ(read_word("shale:2%:0.3,:40"), list);
  EXPECT_EQ(read_word("[shale:2%:0.3,sandstone:40]"), list);
  EXPECT_EQ(read_word(R"([{"rock":"shale","thickness":"2%","resistance":0.3},{"thickness":40}])"), list);
  EXPECT_EQ(read(R"(["shale:2%:0.3", {"thickness": "40m"}])"), list);
}

TEST(Records, ListsStandInBrackets) {
  const Records list = read_word("shale:40:0.3:[1,2.5],chalk");
  ASSERT_EQ(list.rows.size(), 2u);
  EXPECT_EQ(std::get<std::vector<double>>(list.rows[0].values[3]), (std::vector<double>{1, 2.5}));
}

TEST(Records, MayBeNone) {
  EXPECT_TRUE(read("[]").rows.empty());
  EXPECT_TRUE(read_word("").rows.empty());
  EXPECT_TRUE(read_word("[]").rows.empty());
}

RC_GTEST_PROP(Records, SurviveTheirJsonAndTheirText, ()) {
  Records list;
  const int count = *rc::gen::inRange(0, 5);
  for (int i = 0; i < count; ++i)
    list.rows.push_back({{std::string(*rc::gen::element("shale", "chalk")),
                          Length{*rc::gen::inRange(0, 100000) / 977.0, *rc::gen::arbitrary<bool>()},
                          *rc::gen::inRange(0, 1000) / 999.0, std::vector<double>{1, 2}}});
  RC_ASSERT(std::get<Records>(param_from_json(beds(), param_to_json(beds(), list))) == list);
  RC_ASSERT(read_word(param_text(beds(), list)) == list);
}

TEST(Records, ErrorsPointIntoTheRecord) {
  const Error thin = refusal("[{}, {},\n {\"rock\": \"shale\", \"thickness\": -3}]");
  EXPECT_EQ(thin.message(), "'beds[2].thickness' is -3 m, but must be at least 0 m");
  EXPECT_EQ(thin.where(), "column.json:2:33");
  const Error unknown = refusal(R"([{"rock": "shale"}, {"thicknes": 3}])");
  EXPECT_EQ(unknown.message(), "'beds[1]' has no key 'thicknes'");
  EXPECT_NE(unknown.hint().find("thickness"), std::string::npos);
  EXPECT_NE(refusal(R"([{"rock": [3]}])").message().find("'beds[0].rock' must be text"), std::string::npos);
  EXPECT_NE(refusal("[3]").message().find("'beds[0]' must be an object with rock, thickness"), std::string::npos);
  EXPECT_NE(refusal("3").message().find("a list of records"), std::string::npos);
  EXPECT_NE(refusal(R"(["a:1:0.5:[1]:9"])").message().find("5 values; there are 4"), std::string::npos);
  EXPECT_NE(refusal(R"(["a:thick"])").message().find("'thick' is not a length"), std::string::npos);
}

TEST(Records, AreNotWithoutEnd) {
  std::string many;
  for (int i = 0; i < 1001; ++i) many += i == 0 ? "a" : ",a";
  EXPECT_NE(test::error_of([&] { read_word(many); }).find("1001 records, but must have from 0 to 1000"),
            std::string::npos);
}

TEST(Records, HoldNoFilesSeedsOrRecords) {
  ParamTable table;
  for (const ParamType type : {ParamType::file, ParamType::seed, ParamType::records}) {
    Field field;
    field.name = "inner";
    field.type = type;
    table.fields = {field};
    EXPECT_NE(test::error_of([&] { detail::record_table(table); }).find("cannot hold 'inner'"), std::string::npos);
  }
}

}  // namespace tepui::records_test
