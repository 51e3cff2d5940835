#pragma once  // internal

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

// What a netCDF file holds, whichever of its two formats it is in.

namespace tepui {

struct NcAttribute {
  std::string text;             ///< of characters
  std::vector<double> numbers;  ///< of any other type
  std::string type;             ///< of the numbers, as RasterBand::type
};

struct NcDimension {
  std::string name;
  uint64_t length = 0;  ///< 0: the record dimension of a classic file
};

struct NcVariable {
  std::string name;
  std::string type;                ///< as RasterBand::type; empty: it holds no numbers
  std::vector<size_t> dimensions;  ///< the slowest first
  std::map<std::string, NcAttribute> attributes;

  /// An attribute of characters without the padding at its end; empty where there is none.
  std::string plain_text(const char* key) const;
  /// The same in small letters.
  std::string text(const char* key) const;
  /// Of an attribute of numbers; empty where there is none.
  const std::vector<double>& numbers(const char* key) const;
};

class NcFile {
 public:
  explicit NcFile(std::string path) : path_(std::move(path)) {}
  virtual ~NcFile() = default;

  const std::string& path() const { return path_; }
  const std::vector<NcDimension>& dimensions() const { return dimensions_; }
  const std::vector<NcVariable>& variables() const { return variables_; }
  uint64_t length(const NcVariable& variable, size_t i) const { return dimensions_[variable.dimensions[i]].length; }

  /// Refuses a variable of so many samples where the file cannot hold them.
  virtual void check_claim(const NcVariable& variable, uint64_t width, uint64_t height) const = 0;

  /// Numbers as stored: `rows` rows from row `first` on, of the last two dimensions, of any other dimension the first
  /// entry. The rows of a variable of one dimension are its numbers.
  virtual void read(const NcVariable& variable, uint64_t first, uint64_t rows, double* to) = 0;

 protected:
  std::string path_;
  std::vector<NcDimension> dimensions_;
  std::vector<NcVariable> variables_;
};

/// CDF-1, CDF-2 and CDF-5.
std::unique_ptr<NcFile> open_classic_netcdf(const std::string& path);

/// netCDF-4, which is HDF5.
std::unique_ptr<NcFile> open_netcdf4(const std::string& path);

}  // namespace tepui
