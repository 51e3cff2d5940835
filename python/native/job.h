#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/graph/cache.h"

// How Python waits for work: other Python threads run meanwhile, Ctrl-C stops it, and a listener hears how far it is.

namespace tepui::python {

/// Does the work on a thread of its own, without Python's lock. Called with the lock; throws what the work threw, or
/// KeyboardInterrupt. Warnings of the work become Python's.
void work(const std::function<void(const Context& context)>& task);

/// While it lives, the work that this thread begins is stopped with that of the context: a function of Python that is
/// called by the engine may look at other values.
class Within {
 public:
  explicit Within(const Context& context);
  ~Within();
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;

 private:
  const Context* before_;
};

/// A call of a Python function from a thread of the engine, with the lock; Ctrl-C interrupts it, too.
class PythonCall {
 public:
  explicit PythonCall(const Context& context);
  ~PythonCall();
  PythonCall(const PythonCall&) = delete;
  PythonCall& operator=(const PythonCall&) = delete;

 private:
  Within within_;
};

/// Interrupts the calls of Python functions whose work was told to stop, each once.
void interrupt_calls();

/// Called as listener(fraction, stage) now and then, with (None, "") at the end; None: nobody listens.
void set_listener(pybind11::object listener);

/// How many threads work; 0: one for each core.
void set_threads(int threads);
int threads();

/// Where values are kept. An empty folder: only in memory.
void set_cache(size_t memory, const std::string& folder);
/// Work holds it, so that another may take its place meanwhile.
std::shared_ptr<ValueCache> cache();

void bind_job(pybind11::module_& module);

}  // namespace tepui::python
