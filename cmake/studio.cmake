# Whether `tepui studio` is built (apps/studio): by default where Boost's headers are, of which it uses Beast and Asio.
# Everything else builds without.
find_package(Boost 1.74 QUIET)
if(Boost_FOUND AND EXISTS ${Boost_INCLUDE_DIRS}/boost/beast.hpp)
  set(can_build_studio ON)
else()
  set(can_build_studio OFF)
endif()
option(TEPUI_STUDIO "Build the studio's server" ${can_build_studio})
if(TEPUI_STUDIO AND NOT can_build_studio)
  message(STATUS "There is no studio: it takes the Debian package libboost-dev")
  set(TEPUI_STUDIO OFF)
endif()
