#pragma once

#include <gtest/gtest.h>

#include <string>

/// That a text holds a part; a failure shows both.
#define EXPECT_CONTAINS(text, part)                                                 \
  do {                                                                              \
    const std::string whole = (text);                                               \
    EXPECT_NE(whole.find(part), std::string::npos) << whole << "\nlacks: " << part; \
  } while (false)
