#include "tepui/io/place/gdal_session.h"

#include <cpl_http.h>
#include <fmt/format.h>
#include <gdal_frmts.h>
#include <ogrsf_frmts.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <system_error>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"

namespace tepui {

namespace {

constexpr GIntBig cache_bytes = 128 << 20;

/// GDAL takes "GTIFF_DIR:1:a.tif" or "http://a.nc" for more than a name, even where there is such a file.
std::string plain_name(const std::string& path) { return path.starts_with('/') ? path : "./" + path; }

/// A file may name its reference system by an address, and GDAL would go there, unless it gets an answer here.
CPLHTTPResult* no_answer(const char*, CSLConstList, GDALProgressFunc, void*, CPLHTTPFetchWriteFunc, void*, void*) {
  CPLError(CE_Failure, CPLE_AppDefined, "the network is not asked");
  auto* answer = static_cast<CPLHTTPResult*>(CPLCalloc(1, sizeof(CPLHTTPResult)));
  answer->nStatus = 1;
  answer->pszErrBuf = CPLStrdup("the network is not asked");
  return answer;
}

/// Our own message names the file already.
std::string without_name(std::string message, const std::string& name) {
  if (message.starts_with("`" + name + "' not recognized")) return "it is not one";
  if (!message.starts_with(name)) return message;
  const size_t start = message.find_first_not_of(":, ", name.size());
  return start == name.size() || start == std::string::npos ? message : message.substr(start);
}

}  // namespace

GdalSession::GdalSession()
    : no_sidecars_("GDAL_PAM_ENABLED", "NO", false),
      no_neighbours_("GDAL_DISABLE_READDIR_ON_OPEN", "EMPTY_DIR", false) {
  static std::once_flag once;
  std::call_once(once, [] {
    GDALRegister_GTiff();
    GDALRegister_COG();
    GDALRegister_ENVI();
    GDALRegister_EHdr();
    GDALRegister_netCDF();
    RegisterOGRGeoJSON();
    RegisterOGRGeoPackage();
    // A setting of the user's that moves files by half a cell.
    CPLSetConfigOption("GTIFF_POINT_GEO_IGNORE", "FALSE");
    // Of GDAL's own threads, which know no session: what fails there fails the call that waits for them.
    CPLSetErrorHandler(CPLQuietErrorHandler);
    // The default is a twentieth of the machine's memory, which may be more than the land itself.
    GDALSetCacheMax64(std::min<GIntBig>(GDALGetCacheMax64(), cache_bytes));
  });
  CPLPushErrorHandlerEx(handle, this);
  CPLHTTPPushFetchCallback(no_answer, nullptr);
}

std::string GdalSession::message_about(const std::string& path, const std::string& or_else) const {
  return failed() ? without_name(first_error_, plain_name(path)) : or_else;
}

GdalSession::~GdalSession() {
  CPLHTTPPopFetchCallback();
  CPLPopErrorHandler();
}

void CPL_STDCALL GdalSession::handle(CPLErr kind, CPLErrorNum, const char* message) {
  auto* session = static_cast<GdalSession*>(CPLGetErrorHandlerUserData());
  if (kind >= CE_Failure && session->first_error_.empty()) session->first_error_ = message;
}

GDALDriver& tiff_driver() {
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GTiff");
  if (driver == nullptr) fail("this GDAL has no GeoTIFF driver");
  return *driver;
}

GDALDriver& cog_driver() {
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("COG");
  if (driver == nullptr) fail("this GDAL has no driver for cloud optimised GeoTIFF");
  return *driver;
}

GDALDriver& geopackage_driver() {
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("GPKG");
  if (driver == nullptr) fail("this GDAL has no GeoPackage driver");
  return *driver;
}

void refuse_virtual_file(const std::string& path) {
  if (path.starts_with("/vsi")) refuse(fmt::format("cannot read '{}': GDAL's virtual files are not read", path));
}

GdalDataset open_gdal_dataset(const std::string& path, const GdalOpen& how, const GdalSession& session) {
  refuse_virtual_file(path);
  if (file_size(path) == 0) refuse(fmt::format("cannot read '{}' as {}: the file is empty", path, how.format));
  std::vector<const char*> drivers = how.drivers, options, neighbours;
  for (const std::string& option : how.options) options.push_back(option.c_str());
  for (const std::string& name : how.neighbours) neighbours.push_back(name.c_str());
  for (std::vector<const char*>* list : {&drivers, &options, &neighbours}) list->push_back(nullptr);
  GdalDataset dataset(GDALDataset::Open(plain_name(path).c_str(), how.flags | GDAL_OF_VERBOSE_ERROR, drivers.data(),
                                        options.data(), neighbours.data()));
  if (!dataset) {
    if (access(path.c_str(), R_OK) != 0)
      refuse(fmt::format("cannot read '{}': {}", path, std::generic_category().message(errno)));
    // GDAL's own word for it names the file once more and no reason.
    const std::string reason = session.message_about(path, "");
    const bool vague = reason.empty() || reason.find("not recognized as a supported") != std::string::npos;
    refuse(fmt::format("cannot read '{}' as {}: {}", path, how.format,
                       vague ? "it is not one, or its header is damaged" : reason));
  }
  return dataset;
}

}  // namespace tepui
