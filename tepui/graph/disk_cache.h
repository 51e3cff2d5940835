#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/core/hash.h"
#include "tepui/graph/facts.h"

namespace tepui {

/// What outlasts the program, in a folder that several programs may share: notes (small texts, by key) and the parts of
/// values, kept once, by their content. Nothing in the folder is trusted: an entry that is damaged, cut short or
/// foreign is not there, and gets replaced. Nothing that goes wrong with it fails a run. Safe from several threads.
class DiskCache {
 public:
  static constexpr size_t default_budget = size_t{4} << 30;

  explicit DiskCache(std::string folder, size_t budget = default_budget)
      : folder_(std::move(folder)), budget_(budget) {}

  /// Other builds of Tepui have notes of their own: what they computed may not be what this one would.
  std::optional<std::string> find_note(const Hash& key) const;
  void put_note(const Hash& key, std::string_view text, const Context& context);

  /// The value that the facts are of, if all its parts are there.
  std::optional<Value> load(const NodeFacts& facts, const Context& context) const;
  /// Whether they are; what they hold is checked when they are loaded.
  bool holds(const std::vector<Part>& parts) const;
  /// The value's parts, those that are not there yet.
  void store(const Value& value, const std::vector<Part>& parts, const Context& context);
  /// Whether storing the parts takes less time than it saves; what computing the value took is in `facts.cost`.
  bool is_worthwhile(const NodeFacts& facts) const;

  /// At the end of a run: trims the folder if enough was written since that was last done.
  void settle();
  /// Deletes the least recently used entries beyond the budget, unless another program is doing so.
  void trim();

  const std::string& folder() const { return folder_; }

 private:
  std::string path_of(const Hash& name, const char* ending) const;
  bool holds(const Part& part) const;
  bool write(const std::string& path, size_t bytes, const Context& context,
             const std::function<int(const std::string& temporary)>& write_new);

  std::string folder_;
  size_t budget_;
  std::atomic<size_t> written_ = 0;   ///< bytes since the last trim
  std::atomic<bool> broken_ = false;  ///< a write has failed: no more of them
};

/// $XDG_CACHE_HOME/tepui, else ~/.cache/tepui; empty where the environment names neither.
std::string default_cache_folder();

}  // namespace tepui
