#include "tepui/io/gdal_session.h"

#include <fmt/format.h>
#include <gdal_frmts.h>

#include <mutex>

#include "tepui/core/error.h"
#include "tepui/io/atomic_file.h"

namespace tepui {

GdalSession::GdalSession()
    : no_sidecars_("GDAL_PAM_ENABLED", "NO", false),
      no_neighbours_("GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR", false) {
  static std::once_flag once;
  std::call_once(once, [] { GDALRegister_GTiff(); });
  CPLPushErrorHandlerEx(handle, this);
}

GdalSession::~GdalSession() { CPLPopErrorHandler(); }

void CPL_STDCALL GdalSession::handle(CPLErr kind, CPLErrorNum, const char* message) {
  auto* session = static_cast<GdalSession*>(CPLGetErrorHandlerUserData());
  if (kind >= CE_Failure && session->first_error_.empty()) session->first_error_ = message;
}

GDALDriver& tiff_driver() {
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  if (driver == nullptr) fail("this GDAL has no GeoTIFF driver");
  return *driver;
}

GdalDataset open_tiff(const std::string& path, const GdalSession& session) {
  if (path.starts_with("/vsi")) refuse(fmt::format("cannot read '{}': GDAL's virtual files are not read", path));
  if (file_size(path) == 0) refuse(fmt::format("cannot read '{}' as TIFF: the file is empty", path));
  const char* const drivers[] = {"GTiff", nullptr};
  const char* const options[] = {"GEOREF_SOURCES=INTERNAL", nullptr};
  const char* const no_siblings[] = {nullptr};
  GdalDataset dataset(GDALDataset::Open(path.c_str(), GDAL_OF_RASTER | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR,
                                        drivers, options, no_siblings));
  if (!dataset) refuse(fmt::format("cannot read '{}' as TIFF: {}", path, session.message("it is not one")));
  return dataset;
}

}  // namespace tepui
