#include "tepui/core/context.h"

#include "tepui/core/error.h"

namespace tepui {

Context Context::stage(std::string_view name, double from, double to) const {
  Context child = *this;
  child.from_ = from_ + from * (to_ - from_);
  child.to_ = from_ + to * (to_ - from_);
  child.stage_ = name;
  return child;
}

void Context::progress(double fraction) const {
  if (sink_ != nullptr) sink_->progress(task_, stage_, from_ + fraction * (to_ - from_));
}

void Context::warn(std::string_view message) const {
  if (sink_ != nullptr) sink_->warn(message);
}

void Context::tell(std::string_view name, double value, std::string_view unit) const {
  if (sink_ != nullptr) sink_->told(task_, name, value, unit);
}

void Context::check() const {
  if (cancelled()) throw Error(ErrorKind::cancelled, "cancelled");
}

}  // namespace tepui
