#pragma once

#include <gdal_priv.h>
#include <ogr_spatialref.h>

#include <memory>
#include <string>

// GDAL as this module uses it: one driver, one file, no neighbours, quiet.

namespace tepui {

/// The reference system of land that lies nowhere on Earth. Without one, GDAL makes one up whose unit is unknown.
inline constexpr const char* local_metres = "Local metres";

/// While it lives, this thread's GDAL keeps its messages here instead of printing them, and looks at no file but the
/// one it is given.
class GdalSession {
 public:
  GdalSession();
  ~GdalSession();
  GdalSession(const GdalSession&) = delete;
  GdalSession& operator=(const GdalSession&) = delete;

  /// Whether GDAL has reported a failure.
  bool failed() const { return !first_error_.empty(); }
  /// The first failure; `or_else` if there was none.
  std::string message(const std::string& or_else) const { return failed() ? first_error_ : or_else; }
  void forget() { first_error_.clear(); }

 private:
  static void CPL_STDCALL handle(CPLErr kind, CPLErrorNum number, const char* message);

  std::string first_error_;
  CPLConfigOptionSetter no_sidecars_, no_neighbours_;
};

struct GdalClose {
  void operator()(GDALDataset* dataset) const { GDALClose(dataset); }
};
using GdalDataset = std::unique_ptr<GDALDataset, GdalClose>;

/// Opens a TIFF for reading. Refuses GDAL's virtual file names and whatever is not a regular file.
GdalDataset open_tiff(const std::string& path, const GdalSession& session);

GDALDriver& tiff_driver();

}  // namespace tepui
