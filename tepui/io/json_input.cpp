#include "tepui/io/json_input.h"

namespace tepui {

namespace {

constexpr int deepest = 64;

struct TooDeep {};

}  // namespace

std::optional<nlohmann::json> parse_untrusted_json(std::string_view text) {
  using Json = nlohmann::json;
  const Json::parser_callback_t limit = [](int depth, Json::parse_event_t, Json&) {
    if (depth > deepest) throw TooDeep();
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), limit);
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const TooDeep&) {
    return std::nullopt;
  }
}

}  // namespace tepui
