#include "apps/studio/gate.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "tepui/core/error.h"
#include "tepui/core/json.h"

namespace tepui::studio {

namespace {

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string small_letters(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), small);
  return result;
}

bool is_token_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_token_char); }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// Visible ASCII, a path.
bool is_path(std::string_view target) {
  return target.starts_with('/') && std::ranges::all_of(target, [](char c) { return c > 0x20 && c < 0x7f; });
}

bool parse_request_line(std::string_view line, RequestHead& head) {
  const size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || first == last || line.substr(last + 1) != "HTTP/1.1") return false;
  head.method = line.substr(0, first);
  head.target = line.substr(first + 1, last - first - 1);
  return is_token(head.method) && is_path(head.target);
}

/// The line without its end, taken off `bytes`; none where it does not end in CR LF.
std::optional<std::string_view> take_line(std::string_view& bytes) {
  const size_t end = bytes.find('\n');
  if (end == std::string_view::npos || end == 0 || bytes[end - 1] != '\r') return std::nullopt;
  const std::string_view line = bytes.substr(0, end - 1);
  bytes.remove_prefix(end + 1);
  const auto is_plain = [](char c) { return c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f); };
  return std::ranges::all_of(line, is_plain) ? std::optional(line) : std::nullopt;
}

bool has_word(std::string_view list, std::string_view word) {
  for (;;) {
    const size_t comma = list.find(',');
    if (small_letters(trimmed(list.substr(0, comma))) == word) return true;
    if (comma == std::string_view::npos) return false;
    list.remove_prefix(comma + 1);
  }
}

/// Whether the request's fields ask for our socket.
bool asks_for_socket(const RequestHead& head) {
  return small_letters(head.only("upgrade").value_or("")) == "websocket" &&
         has_word(head.only("connection").value_or(""), "upgrade") && head.only("sec-websocket-version") == "13" &&
         head.only("sec-websocket-key").has_value() && head.only("sec-websocket-protocol") == subprotocol;
}

/// Browsers say where a request comes from. Ours come from the page, or from the address that the program opened; to go
/// to the page is also the way from a link, but not to frame it or to load its parts.
bool comes_from_here(const RequestHead& head) {
  if (!head.has("sec-fetch-site")) return true;
  const std::optional<std::string> site = head.only("sec-fetch-site");
  if (site == "none" || site == "same-origin") return true;
  return head.target == "/" && (site == "cross-site" || site == "same-site") &&
         head.only("sec-fetch-mode") == "navigate" && head.only("sec-fetch-dest") == "document";
}

}  // namespace

std::optional<std::string> RequestHead::only(std::string_view name) const {
  std::optional<std::string> value;
  for (const auto& [field, text] : fields) {
    if (field != name) continue;
    if (value) return std::nullopt;
    value = text;
  }
  return value;
}

bool RequestHead::has(std::string_view name) const {
  return std::ranges::any_of(fields, [&](const auto& field) { return field.first == name; });
}

std::optional<RequestHead> parse_head(std::string_view bytes) {
  if (bytes.size() > largest_head) return std::nullopt;
  RequestHead head;
  const std::optional<std::string_view> request = take_line(bytes);
  if (!request || !parse_request_line(*request, head)) return std::nullopt;
  for (;;) {
    const std::optional<std::string_view> line = take_line(bytes);
    if (!line) return std::nullopt;
    if (line->empty()) return bytes.empty() ? std::optional(head) : std::nullopt;
    // A name with a blank before it would be a folded line.
    const size_t colon = line->find(':');
    if (colon == std::string_view::npos || !is_token(line->substr(0, colon))) return std::nullopt;
    head.fields.emplace_back(small_letters(line->substr(0, colon)), trimmed(line->substr(colon + 1)));
  }
}

std::string host_of(uint16_t port) { return fmt::format("127.0.0.1:{}", port); }

std::string origin_of(uint16_t port) { return "http://" + host_of(port); }

Verdict judge(const RequestHead& head, uint16_t port) {
  if (head.only("host") != host_of(port)) return Verdict::forbidden;
  if (head.has("origin") && head.only("origin") != origin_of(port)) return Verdict::forbidden;
  if (head.has("content-length") || head.has("transfer-encoding") || head.has("expect")) return Verdict::nonsense;
  if (!comes_from_here(head)) return Verdict::forbidden;
  if (head.method != "GET") return Verdict::method;
  if (head.target != live_target) return head.has("upgrade") ? Verdict::nonsense : Verdict::page;
  if (!head.has("origin")) return Verdict::forbidden;
  return asks_for_socket(head) ? Verdict::live : Verdict::nonsense;
}

bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (size_t i = 0; i < a.size(); ++i)
    difference =
        static_cast<unsigned char>(difference | (static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i])));
  // Compilers may not know it before the end.
  volatile unsigned char result = difference;
  return result == 0;
}

std::string random_secret() {
  std::array<unsigned char, 32> bytes{};
  size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = getrandom(bytes.data() + filled, bytes.size() - filled, 0);
    if (got < 0 && errno != EINTR) fail("the system gives no random numbers");
    if (got > 0) filled += static_cast<size_t>(got);
  }
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

std::optional<Greeting> parse_greeting(std::string_view text) {
  if (text.size() > largest_greeting) return std::nullopt;
  try {
    const Json json = parse_json({"greeting", std::string(text)});
    const Json* verb = json.find("do");
    if (verb == nullptr || verb->text != "greet") return std::nullopt;
    Greeting greeting;
    for (const JsonMember& member : json.members) {
      if (!member.value.is_string()) return std::nullopt;
      if (member.key == "token") greeting.token = member.value.text;
      if (member.key == "key") greeting.key = member.value.text;
      if (member.key == "page") greeting.page = member.value.text;
    }
    if (greeting.token.empty() == greeting.key.empty()) return std::nullopt;
    return greeting;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::optional<std::string> Keys::admit(const Greeting& greeting) {
  const bool has_token = same_secret(greeting.token, token_), has_key = same_secret(greeting.key, key_);
  if (has_token && !traded_) {
    traded_ = true;
    return key_;
  }
  return has_key ? std::optional(key_) : std::nullopt;
}

}  // namespace tepui::studio
