#pragma once

#include <exception>
#include <string>

namespace tepui {

/// Whose fault it is; the command line turns it into the exit code.
enum class ErrorKind {
  request,    ///< what was asked for is wrong: exit 2
  failure,    ///< it went wrong while working: exit 1
  cancelled,  ///< the user stopped it: exit 130
};

/// The one error type: what is wrong, where, and what would be right.
class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message, std::string hint = {}, std::string where = {});

  ErrorKind kind() const { return kind_; }
  const std::string& message() const { return message_; }
  const std::string& hint() const { return hint_; }
  const std::string& where() const { return where_; }
  const char* what() const noexcept override { return message_.c_str(); }

  /// The same error with a place, unless it already has one.
  Error at(std::string where) const;

 private:
  ErrorKind kind_;
  std::string message_, hint_, where_;
};

/// Throws: the request is wrong.
[[noreturn]] void refuse(std::string message, std::string hint = {});
/// Throws: the work failed.
[[noreturn]] void fail(std::string message, std::string hint = {});

}  // namespace tepui
