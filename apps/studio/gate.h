#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Who may speak with the studio. Everything here is a pure function of bytes that anybody on the machine may have sent.

namespace tepui::studio {

/// No request has a longer head, and no greeting is longer.
inline constexpr size_t largest_head = 8192, largest_greeting = 512;

/// The head of an HTTP request, read as strictly as our own page writes it.
struct RequestHead {
  std::string method, target;
  std::vector<std::pair<std::string, std::string>> fields;  ///< names in small letters

  /// The value of a field that is there exactly once.
  std::optional<std::string> only(std::string_view name) const;
  bool has(std::string_view name) const;
};

/// Reads a head up to its empty line. None of what is not HTTP/1.1 with CR LF at the end of every line: folded lines,
/// bare line ends, control characters, targets that are not a path.
std::optional<RequestHead> parse_head(std::string_view bytes);

/// What becomes of a request.
enum class Verdict {
  page,       ///< a file of the page's table
  live,       ///< the socket
  nonsense,   ///< 400
  forbidden,  ///< 403
  missing,    ///< 404
  method,     ///< 405
};

/// The names that a server on this port has for itself.
std::string host_of(uint16_t port);
std::string origin_of(uint16_t port);

/// What the request may have of the server on this port. Whoever names another host or origin, or comes from another
/// site by what its browser says, gets nothing; `live` is the target of the socket.
Verdict judge(const RequestHead& head, uint16_t port);

inline constexpr std::string_view live_target = "/live", subprotocol = "tepui-1";

/// Whether the texts are equal, in a time that tells nothing of where they differ.
bool same_secret(std::string_view a, std::string_view b);

/// 256 random bits of the system's, as 64 digits.
std::string random_secret();

/// The first message of a page.
struct Greeting {
  std::string token, key;  ///< one of them is empty
  std::string page;        ///< which build of the page speaks
};
std::optional<Greeting> parse_greeting(std::string_view text);

/// Trades the token, once, for the key of the session.
class Keys {
 public:
  Keys() : token_(random_secret()), key_(random_secret()) {}

  /// The key, where the greeting has the token, for the first time, or the key.
  std::optional<std::string> admit(const Greeting& greeting);
  const std::string& token() const { return token_; }

 private:
  std::string token_, key_;
  bool traded_ = false;
};

}  // namespace tepui::studio
