#pragma once  // internal

#include <png.h>

#include <csetjmp>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>

// libpng leaves by longjmp, which must not skip destructors: what may jump runs inside guarded(), whose bodies hold
// plain values and pointers only, and everything with a destructor lives outside. Our own callbacks never let an
// exception into libpng: they keep it and make libpng jump.

namespace tepui {

/// What libpng's callbacks see.
struct PngSession {
  std::string message;         ///< of libpng's last error
  std::exception_ptr failure;  ///< of our own input or output
  std::function<void(const void*, size_t)> write;
  std::FILE* input = nullptr;
};

inline void on_png_error(png_structp png, png_const_charp message) {
  auto* session = static_cast<PngSession*>(png_get_error_ptr(png));
  try {
    session->message = message;
  } catch (...) {
  }
  png_longjmp(png, 1);
}

inline void on_png_warning(png_structp, png_const_charp) {}

/// Runs `body`, which must not own anything; false if libpng gave up.
template <class Body>
bool guarded(png_structp png, const Body& body) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  body();
  return true;
}

}  // namespace tepui
