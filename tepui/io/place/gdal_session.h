#pragma once  // internal

#include <gdal_priv.h>
#include <ogr_spatialref.h>

#include <memory>
#include <string>
#include <vector>

// GDAL as this module uses it: a few drivers, named files only, quiet.

namespace tepui {

/// The reference system of land that lies nowhere on Earth. Without one, GDAL makes one up whose unit is unknown.
inline constexpr const char* local_metres = "Local metres";

/// While it lives, this thread's GDAL keeps its messages here instead of printing them, and looks at no file but the
/// one it is given; nor does it ask the network, whatever the file says.
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
  /// The same about a file that the caller's own message names already.
  std::string message_about(const std::string& path, const std::string& or_else) const;
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

/// How a format is opened.
struct GdalOpen {
  const char* format = "TIFF";                ///< for messages
  std::vector<const char*> drivers{"GTiff"};  ///< the only ones tried
  std::vector<std::string> options{};         ///< "NAME=VALUE"
  std::vector<std::string> neighbours{};      ///< files beside it that GDAL may look at
  unsigned flags = GDAL_OF_RASTER | GDAL_OF_READONLY;
};

/// Refuses the names of GDAL's virtual files, which may be no files of the user's.
void refuse_virtual_file(const std::string& path);

/// Opens a file for reading. Refuses GDAL's virtual file names and whatever is not a regular file.
GdalDataset open_gdal_dataset(const std::string& path, const GdalOpen& how, const GdalSession& session);

GDALDriver& tiff_driver();
/// Writes only, by copying a dataset.
GDALDriver& cog_driver();
GDALDriver& geopackage_driver();

}  // namespace tepui
