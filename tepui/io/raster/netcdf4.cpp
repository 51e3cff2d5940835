#include <fmt/format.h>

#include <algorithm>

#include "tepui/core/error.h"
#include "tepui/io/file/atomic_file.h"
#include "tepui/io/place/gdal_session.h"
#include "tepui/io/raster/netcdf_file.h"
#include "tepui/io/raster/raster.h"

// netCDF-4 by GDAL's arrays of many dimensions. Only what lies in the root group is read.

namespace tepui {

namespace {

constexpr size_t most_variables = 1000, most_attributes = 1000, most_numbers = 1000;
/// HDF5 may leave out what was never written.
constexpr double tightest = 2000;

NcAttribute attribute_of(const GDALAttribute& from) {
  NcAttribute attribute;
  const GDALExtendedDataType& type = from.GetDataType();
  if (type.GetClass() == GEDTC_STRING) {
    const char* text = from.ReadAsString();
    attribute.text = text != nullptr ? text : "";
  } else if (type.GetClass() == GEDTC_NUMERIC && from.GetTotalElementsCount() <= most_numbers) {
    attribute.type = GDALGetDataTypeName(type.GetNumericDataType());
    attribute.numbers = from.ReadAsDoubleArray();
  }
  return attribute;
}

class Nc4File : public NcFile {
 public:
  explicit Nc4File(const std::string& path) : NcFile(path) {
    GdalSession session;
    const GdalOpen how{"netCDF", {"netCDF"}, {}, {}, GDAL_OF_MULTIDIM_RASTER | GDAL_OF_READONLY};
    dataset_ = open_gdal_dataset(path, how, session);
    const auto group = dataset_->GetRootGroup();
    if (!group)
      refuse(fmt::format("cannot read '{}' as netCDF: {}", path_, session.message_about(path_, "it has no variables")));
    const std::vector<std::string> names = group->GetMDArrayNames();
    for (size_t i = 0; i < std::min(names.size(), most_variables); ++i)
      if (const auto array = group->OpenMDArray(names[i])) add(array);
  }
  ~Nc4File() override {
    const GdalSession session;
    arrays_.clear();
    dataset_.reset();
  }

  void check_claim(const NcVariable&, uint64_t width, uint64_t height) const override {
    constexpr uint64_t longest = 2147483647;
    if (width > longest || height > longest)
      refuse(fmt::format("'{}' claims {} x {} samples, which is too many", path_, width, height));
    check_raster_claim(path_, static_cast<int64_t>(width), static_cast<int64_t>(height), 1, 1,
                       static_cast<double>(file_size(path_)), tightest);
  }

  void read(const NcVariable& variable, uint64_t first, uint64_t rows, double* to) override {
    GdalSession session;
    const size_t rank = variable.dimensions.size();
    std::vector<GUInt64> start(rank, 0);
    std::vector<size_t> count(rank, 1);
    start[rank < 2 ? 0 : rank - 2] = first;
    count[rank < 2 ? 0 : rank - 2] = rows;
    if (rank >= 2) count[rank - 1] = length(variable, rank - 1);
    GDALMDArray& array = *arrays_[static_cast<size_t>(&variable - variables_.data())];
    const bool read =
        array.Read(start.data(), count.data(), nullptr, nullptr, GDALExtendedDataType::Create(GDT_Float64), to);
    if (!read || session.failed())
      refuse(fmt::format("cannot read '{}': {}", path_, session.message_about(path_, "its data are damaged")));
  }

 private:
  void add(const std::shared_ptr<GDALMDArray>& array) {
    NcVariable variable;
    variable.name = array->GetName();
    const GDALExtendedDataType& type = array->GetDataType();
    if (type.GetClass() == GEDTC_NUMERIC && GDALDataTypeIsComplex(type.GetNumericDataType()) == 0)
      variable.type = GDALGetDataTypeName(type.GetNumericDataType());
    for (const auto& dimension : array->GetDimensions()) variable.dimensions.push_back(index_of(*dimension));
    const char* const options[] = {"SHOW_ALL=YES", nullptr};
    const auto attributes = array->GetAttributes(options);
    for (size_t i = 0; i < std::min(attributes.size(), most_attributes); ++i)
      variable.attributes[attributes[i]->GetName()] = attribute_of(*attributes[i]);
    variables_.push_back(std::move(variable));
    arrays_.push_back(array);
  }

  size_t index_of(const GDALDimension& dimension) {
    const auto found = std::ranges::find(dimensions_, dimension.GetName(), &NcDimension::name);
    if (found != dimensions_.end()) return static_cast<size_t>(found - dimensions_.begin());
    dimensions_.push_back({dimension.GetName(), dimension.GetSize()});
    return dimensions_.size() - 1;
  }

  GdalDataset dataset_;
  std::vector<std::shared_ptr<GDALMDArray>> arrays_;  ///< of each variable
};

}  // namespace

std::unique_ptr<NcFile> open_netcdf4(const std::string& path) { return std::make_unique<Nc4File>(path); }

}  // namespace tepui
