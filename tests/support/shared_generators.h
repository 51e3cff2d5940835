#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <vector>

// Rapidcheck's templates for the types that nearly every test draws, compiled once, in shared_generators.cpp: they are
// a third of what compiling a test takes. Tests need not know of it: this header is precompiled for all of them.

#ifndef TEPUI_SHARED_TEMPLATE
#define TEPUI_SHARED_TEMPLATE extern template
#endif

#define TEPUI_SHARED_TYPE(T)                              \
  TEPUI_SHARED_TEMPLATE class rc::Shrinkable<T>;          \
  TEPUI_SHARED_TEMPLATE class rc::Seq<rc::Shrinkable<T>>; \
  TEPUI_SHARED_TEMPLATE class rc::Gen<T>;

#define TEPUI_SHARED_NUMBER(T) \
  TEPUI_SHARED_TYPE(T)         \
  TEPUI_SHARED_TEMPLATE class rc::Gen<T>::GenImpl<rc::gen::detail::ElementOfGen<std::vector<T>>>;

#define TEPUI_SHARED_INTEGER(T) \
  TEPUI_SHARED_NUMBER(T)        \
  TEPUI_SHARED_TEMPLATE rc::Gen<T> rc::gen::inRange<T>(T, T);

TEPUI_SHARED_TYPE(rc::detail::Any)
TEPUI_SHARED_TYPE(bool)
TEPUI_SHARED_NUMBER(float)
TEPUI_SHARED_NUMBER(double)
TEPUI_SHARED_INTEGER(int)
TEPUI_SHARED_INTEGER(unsigned)
TEPUI_SHARED_INTEGER(int64_t)
TEPUI_SHARED_INTEGER(uint64_t)
TEPUI_SHARED_TEMPLATE void rc::detail::checkGTest<void (*)()>(void (*&&)());
TEPUI_SHARED_TEMPLATE void rc::detail::checkGTest<void (*)(uint64_t)>(void (*&&)(uint64_t));
