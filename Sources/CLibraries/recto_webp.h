#pragma once

#include <dlfcn.h>
#include <webp/decode.h>
#include <webp/encode.h>

/// The functions of libwebp. Loaded when the first WebP is written, not at program start, because
/// few pictures are WebP.
struct recto_webp {
  __typeof__(&WebPConfigInitInternal) init_config;
  __typeof__(&WebPPictureInitInternal) init_picture;
  __typeof__(&WebPPictureImportBGRA) import_transparent;
  __typeof__(&WebPPictureImportBGRX) import_opaque;
  __typeof__(&WebPEncode) encode;
  __typeof__(&WebPPictureFree) free_picture;
  __typeof__(&WebPMemoryWrite) write;
  __typeof__(&WebPMemoryWriterInit) init_writer;
  __typeof__(&WebPMemoryWriterClear) clear_writer;
};

/// Whether all functions were found.
static inline _Bool recto_load_webp(struct recto_webp *functions) {
  void *library = dlopen("libwebp.so.7", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
  functions->init_config =
      (__typeof__(&WebPConfigInitInternal))dlsym(library, "WebPConfigInitInternal");
  functions->init_picture =
      (__typeof__(&WebPPictureInitInternal))dlsym(library, "WebPPictureInitInternal");
  functions->import_transparent =
      (__typeof__(&WebPPictureImportBGRA))dlsym(library, "WebPPictureImportBGRA");
  functions->import_opaque =
      (__typeof__(&WebPPictureImportBGRX))dlsym(library, "WebPPictureImportBGRX");
  functions->encode = (__typeof__(&WebPEncode))dlsym(library, "WebPEncode");
  functions->free_picture = (__typeof__(&WebPPictureFree))dlsym(library, "WebPPictureFree");
  functions->write = (__typeof__(&WebPMemoryWrite))dlsym(library, "WebPMemoryWrite");
  functions->init_writer =
      (__typeof__(&WebPMemoryWriterInit))dlsym(library, "WebPMemoryWriterInit");
  functions->clear_writer =
      (__typeof__(&WebPMemoryWriterClear))dlsym(library, "WebPMemoryWriterClear");
  return functions->init_config && functions->init_picture && functions->import_transparent &&
         functions->import_opaque && functions->encode && functions->free_picture &&
         functions->write && functions->init_writer && functions->clear_writer;
}

/// The functions of libwebp for reading.
struct recto_webp_reader {
  __typeof__(&WebPGetInfo) info;
  __typeof__(&WebPDecodeBGRAInto) decode;
};

/// Whether all functions were found.
static inline _Bool recto_load_webp_reader(struct recto_webp_reader *functions) {
  void *library = dlopen("libwebp.so.7", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
  functions->info = (__typeof__(&WebPGetInfo))dlsym(library, "WebPGetInfo");
  functions->decode = (__typeof__(&WebPDecodeBGRAInto))dlsym(library, "WebPDecodeBGRAInto");
  return functions->info && functions->decode;
}
