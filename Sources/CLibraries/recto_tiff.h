#pragma once

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

/// The functions of libtiff. Loaded when the first TIFF is written; poppler loads the library anyway.
struct recto_tiff {
  __typeof__(&TIFFClientOpen) open;
  __typeof__(&TIFFSetField) set_field;
  __typeof__(&TIFFWriteEncodedStrip) write_strip;
  __typeof__(&TIFFWriteDirectory) write_directory;
  __typeof__(&TIFFClose) close;
  __typeof__(&TIFFSetErrorHandler) set_error_handler;
  __typeof__(&TIFFSetWarningHandler) set_warning_handler;
};

/// Whether all functions were found.
static inline _Bool recto_load_tiff(struct recto_tiff *functions) {
  void *library = dlopen("libtiff.so.6", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
  functions->open = (__typeof__(&TIFFClientOpen))dlsym(library, "TIFFClientOpen");
  functions->set_field = (__typeof__(&TIFFSetField))dlsym(library, "TIFFSetField");
  functions->write_strip =
      (__typeof__(&TIFFWriteEncodedStrip))dlsym(library, "TIFFWriteEncodedStrip");
  functions->write_directory = (__typeof__(&TIFFWriteDirectory))dlsym(library, "TIFFWriteDirectory");
  functions->close = (__typeof__(&TIFFClose))dlsym(library, "TIFFClose");
  functions->set_error_handler =
      (__typeof__(&TIFFSetErrorHandler))dlsym(library, "TIFFSetErrorHandler");
  functions->set_warning_handler =
      (__typeof__(&TIFFSetWarningHandler))dlsym(library, "TIFFSetWarningHandler");
  return functions->open && functions->set_field && functions->write_strip &&
         functions->write_directory && functions->close && functions->set_error_handler &&
         functions->set_warning_handler;
}

/// A file in memory. `bytes` is freed by its owner, also after an error.
struct recto_tiff_file {
  unsigned char *bytes;
  size_t count, capacity, position;
  _Bool out_of_memory;
};

static inline tmsize_t recto_tiff_read(thandle_t file, void *target, tmsize_t count) {
  struct recto_tiff_file *memory = (struct recto_tiff_file *)file;
  if (count < 0 || memory->position >= memory->count) return 0;
  size_t left = memory->count - memory->position;
  size_t read = (size_t)count < left ? (size_t)count : left;
  memcpy(target, memory->bytes + memory->position, read);
  memory->position += read;
  return (tmsize_t)read;
}

static inline tmsize_t recto_tiff_write(thandle_t file, void *source, tmsize_t count) {
  struct recto_tiff_file *memory = (struct recto_tiff_file *)file;
  if (count < 0 || (size_t)count > UINT32_MAX || memory->position > UINT32_MAX) return 0;
  size_t end = memory->position + (size_t)count;
  if (end > memory->capacity) {
    size_t capacity = memory->capacity * 2 > end ? memory->capacity * 2 : end + 4096;
    unsigned char *bytes = (unsigned char *)realloc(memory->bytes, capacity);
    if (!bytes) {
      memory->out_of_memory = 1;
      return 0;
    }
    memory->bytes = bytes;
    memory->capacity = capacity;
  }
  if (memory->position > memory->count) {
    memset(memory->bytes + memory->count, 0, memory->position - memory->count);
  }
  memcpy(memory->bytes + memory->position, source, (size_t)count);
  memory->position = end;
  if (end > memory->count) memory->count = end;
  return count;
}

static inline toff_t recto_tiff_seek(thandle_t file, toff_t offset, int origin) {
  struct recto_tiff_file *memory = (struct recto_tiff_file *)file;
  toff_t start = origin == SEEK_CUR ? memory->position : origin == SEEK_END ? memory->count : 0;
  memory->position = (size_t)(start + offset);
  return memory->position;
}

static inline int recto_tiff_close(thandle_t file) { return 0; }

static inline toff_t recto_tiff_size(thandle_t file) {
  return ((struct recto_tiff_file *)file)->count;
}

/// How the pixels of a picture are stored.
struct recto_tiff_picture {
  uint32_t width, height, rows_per_strip;
  uint16_t samples, bits, compression, photometric;
  /// Bytes of a row.
  size_t stride;
};

/// Writes a file with one picture, little-endian. TIFFSetField has a variable number of arguments, so Swift cannot call
/// it. Returns whether it is complete.
///
/// rows: its rows, without gaps. libtiff changes them.
static inline _Bool recto_tiff_encode(const struct recto_tiff *library,
                                      const struct recto_tiff_picture *picture, unsigned char *rows,
                                      struct recto_tiff_file *file) {
  // Otherwise libtiff prints to standard error.
  library->set_error_handler(NULL);
  library->set_warning_handler(NULL);
  TIFF *tiff = library->open("picture", "wlm", (thandle_t)file, recto_tiff_read, recto_tiff_write,
                             recto_tiff_seek, recto_tiff_close, recto_tiff_size, NULL, NULL);
  if (!tiff) return 0;
  _Bool done =
      library->set_field(tiff, TIFFTAG_IMAGEWIDTH, picture->width) &&
      library->set_field(tiff, TIFFTAG_IMAGELENGTH, picture->height) &&
      library->set_field(tiff, TIFFTAG_SAMPLESPERPIXEL, (int)picture->samples) &&
      library->set_field(tiff, TIFFTAG_BITSPERSAMPLE, (int)picture->bits) &&
      library->set_field(tiff, TIFFTAG_COMPRESSION, (int)picture->compression) &&
      library->set_field(tiff, TIFFTAG_PHOTOMETRIC, (int)picture->photometric) &&
      library->set_field(tiff, TIFFTAG_PLANARCONFIG, (int)PLANARCONFIG_CONTIG) &&
      library->set_field(tiff, TIFFTAG_ORIENTATION, (int)ORIENTATION_TOPLEFT) &&
      library->set_field(tiff, TIFFTAG_ROWSPERSTRIP, picture->rows_per_strip) &&
      library->set_field(tiff, TIFFTAG_RESOLUTIONUNIT, (int)RESUNIT_INCH) &&
      library->set_field(tiff, TIFFTAG_XRESOLUTION, 72.0) &&
      library->set_field(tiff, TIFFTAG_YRESOLUTION, 72.0);
  if (done && picture->compression == COMPRESSION_ADOBE_DEFLATE) {
    done = library->set_field(tiff, TIFFTAG_PREDICTOR, (int)PREDICTOR_HORIZONTAL);
  }
  for (uint32_t row = 0, strip = 0; done && row < picture->height; strip++) {
    uint32_t left = picture->height - row;
    uint32_t count = left < picture->rows_per_strip ? left : picture->rows_per_strip;
    tmsize_t bytes = (tmsize_t)(count * picture->stride);
    done = library->write_strip(tiff, strip, rows + row * picture->stride, bytes) == bytes;
    row += count;
  }
  done = done && library->write_directory(tiff);
  library->close(tiff);
  return done && !file->out_of_memory;
}
