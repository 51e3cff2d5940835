#pragma once

#include <utility>
#include <vector>

#include "tepui/core/error.h"

namespace tepui {

/// Thrown inside Problems::attempt by what cannot be checked because of a problem that is known already.
struct Consequence {};

/// What is wrong with a request: only the first, which is thrown, or all that can be found, for those who mend it.
class Problems {
 public:
  enum class Wanted { first, all };

  explicit Problems(Wanted wanted = Wanted::first) : all_(wanted == Wanted::all) {}

  /// Runs one part of a check, after which the next can go on. Says whether it went well. Where all problems are
  /// wanted, one of the request is kept instead of thrown.
  template <class Work>
  bool attempt(Work&& work) {
    if (!all_) {
      std::forward<Work>(work)();
      return true;
    }
    try {
      std::forward<Work>(work)();
      return true;
    } catch (const Error& error) {
      add(error);
      return false;
    } catch (const Consequence&) {
      return false;
    }
  }

  /// Keeps or throws the error; one that is not the request's fault is always thrown.
  void add(const Error& error) {
    if (!all_ || error.kind() != ErrorKind::request) throw error;
    list_.push_back(error);
  }

  bool wants_all() const { return all_; }
  bool empty() const { return list_.empty(); }
  const std::vector<Error>& list() const { return list_; }
  std::vector<Error>& list() { return list_; }

 private:
  bool all_;
  std::vector<Error> list_;
};

}  // namespace tepui
