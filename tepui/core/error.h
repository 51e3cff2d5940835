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

/// Where an error stands, as data that outlives the text it stands in.
struct Place {
  std::string file = {};             ///< how messages call the text: a path, "make", "--set age"; empty where unknown
  int line = 0, column = 0;          ///< counted from 1, columns in bytes; 0 where the whole text is meant
  int end_line = 0, end_column = 0;  ///< just behind its last byte; 0 where unknown
  std::string node = {};             ///< the node that is concerned; empty where there is none
  std::string field = {};            ///< a parameter or port of the node; elsewhere the keys to it, "world.size"

  bool is_known() const { return !file.empty(); }
  /// "recipes/mesa.json:12:7", "--set age"; empty where unknown.
  std::string text() const;
  friend bool operator==(const Place&, const Place&) = default;
};

/// The one error type: what is wrong, where, and what would be right.
class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message, std::string hint = {}, Place place = {});

  ErrorKind kind() const { return kind_; }
  const std::string& message() const { return message_; }
  const std::string& hint() const { return hint_; }
  const Place& place() const { return place_; }
  /// The place as text, "recipes/mesa.json:12:7".
  std::string where() const { return place_.text(); }
  const char* what() const noexcept override { return message_.c_str(); }

  /// The same error with a place, unless it already has one.
  Error at(Place place) const;
  /// The same error with the node and field that it concerns, unless it already names a node or field.
  Error concerning(std::string node, std::string field) const;

 private:
  ErrorKind kind_;
  std::string message_, hint_;
  Place place_;
};

/// Throws: the request is wrong.
[[noreturn]] void refuse(std::string message, std::string hint = {});
/// Throws: the work failed.
[[noreturn]] void fail(std::string message, std::string hint = {});

}  // namespace tepui
