// bench: each row's kernel against its plain twin, in one run.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/tepui/commands.h"
#include "bench/bench.h"
#include "tepui/core/error.h"
#include "tepui/core/parallel.h"
#include "tepui/core/params.h"
#include "tepui/core/simd.h"

namespace tepui::app {

namespace {

double time_once(const std::function<void()>& work) {
  const auto began = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

/// The median of at least `least` runs and of about `budget` seconds, after one run that warms the pool.
double median_time(const std::function<void()>& work, int least, double budget) {
  double spent = time_once(work);
  std::vector<double> times;
  if (spent > 2 * budget) return spent;
  spent = 0;
  while (static_cast<int>(times.size()) < least || (spent < budget && times.size() < 51)) {
    times.push_back(time_once(work));
    spent += times.back();
  }
  std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  return times[times.size() / 2];
}

std::string machine() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line))
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

std::string milliseconds(double s) { return fmt::format("{:.{}f} ms", s * 1e3, s < 0.1 ? 2 : 0); }

Ordered run_row(const bench::Entry& entry, bool json) {
  const bench::Row row = entry.prepare();
  const double fast = median_time(row.fast, 5, 0.5);
  const double reference = row.reference ? median_time(row.reference, 3, 1.0) / row.reference_part : 0;
  Ordered object = {{"name", entry.name}, {"size", row.size}, {"threads", thread_count()}, {"seconds", fast}};
  object["reference_seconds"] = row.reference ? Ordered(reference) : Ordered(nullptr);
  object["ratio"] = row.reference ? Ordered(reference / fast) : Ordered(nullptr);
  object["paper_seconds"] = row.paper_seconds > 0 ? Ordered(row.paper_seconds) : Ordered(nullptr);
  object["per_second"] = row.items > 0 ? Ordered(row.items / fast) : Ordered(nullptr);
  object["hash"] = row.hash ? Ordered(row.hash().text()) : Ordered(nullptr);
  const std::string more = row.tells ? row.tells() : "";
  if (!more.empty()) object["tells"] = more;
  if (!json) {
    fmt::print("{:<42} {:>11} {:>11} {:>8}", entry.name, milliseconds(fast),
               row.reference ? milliseconds(reference) : "",
               row.reference ? fmt::format("{:.1f}x", reference / fast) : "");
    if (row.paper_seconds > 0) fmt::print("  paper {}", milliseconds(row.paper_seconds));
    if (row.items > 0 && row.item.empty()) fmt::print("  {:.1f} M/s", row.items / fast / 1e6);
    if (row.items > 0 && !row.item.empty()) fmt::print("  {:.1f} {}/s", row.items / fast, row.item);
    if (!more.empty()) fmt::print("  {}", more);
    fmt::print("\n");
    std::fflush(stdout);
  }
  return object;
}

}  // namespace

void bench(const std::string& name, const Invocation& call) {
  std::vector<bench::Entry> chosen;
  std::vector<std::string> names;
  for (const bench::Entry& entry : bench::entries()) {
    names.push_back(entry.name);
    // A paper's table takes minutes, and is asked for by its name.
    if (entry.name.starts_with(name) && (!name.empty() || !entry.name.starts_with("paper-"))) chosen.push_back(entry);
  }
  if (chosen.empty()) refuse(fmt::format("there is no benchmark '{}'", name), suggest_name(name, names));
  if (!call.json) {
    fmt::print("{}, {}, {} threads; medians, both versions measured in this run\n", machine(), simd_level(),
               thread_count());
    fmt::print("{:<42} {:>11} {:>11} {:>8}\n", "row", "Tepui", "plain twin", "ratio");
  }
  Ordered rows = Ordered::array();
  for (const bench::Entry& entry : chosen) {
    call.context.check();
    rows.push_back(run_row(entry, call.json));
  }
  if (call.json) print_json(Ordered{{"machine", machine()}, {"simd", simd_level()}, {"rows", rows}});
}

}  // namespace tepui::app
