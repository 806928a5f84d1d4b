#pragma once

#include <dlfcn.h>
#include <turbojpeg.h>

/// The functions of libturbojpeg. Loaded when the first JPEG is written, not at program start, because few pictures are
/// JPEG.
struct recto_turbojpeg {
  __typeof__(&tjInitCompress) init_compress;
  __typeof__(&tjCompress2) compress;
  __typeof__(&tjDestroy) destroy;
  __typeof__(&tjFree) free;
  __typeof__(&tjGetErrorStr2) error;
};

/// Whether all functions were found.
static inline _Bool recto_load_turbojpeg(struct recto_turbojpeg *functions) {
  void *library = dlopen("libturbojpeg.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
  functions->init_compress = (__typeof__(&tjInitCompress))dlsym(library, "tjInitCompress");
  functions->compress = (__typeof__(&tjCompress2))dlsym(library, "tjCompress2");
  functions->destroy = (__typeof__(&tjDestroy))dlsym(library, "tjDestroy");
  functions->free = (__typeof__(&tjFree))dlsym(library, "tjFree");
  functions->error = (__typeof__(&tjGetErrorStr2))dlsym(library, "tjGetErrorStr2");
  return functions->init_compress && functions->compress && functions->destroy &&
         functions->free && functions->error;
}

/// The functions of libturbojpeg for reading.
struct recto_turbojpeg_reader {
  __typeof__(&tjInitDecompress) init_decompress;
  __typeof__(&tjDecompressHeader3) header;
  __typeof__(&tjDecompress2) decompress;
  __typeof__(&tjDestroy) destroy;
};

/// Whether all functions were found.
static inline _Bool recto_load_turbojpeg_reader(struct recto_turbojpeg_reader *functions) {
  void *library = dlopen("libturbojpeg.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
  functions->init_decompress = (__typeof__(&tjInitDecompress))dlsym(library, "tjInitDecompress");
  functions->header = (__typeof__(&tjDecompressHeader3))dlsym(library, "tjDecompressHeader3");
  functions->decompress = (__typeof__(&tjDecompress2))dlsym(library, "tjDecompress2");
  functions->destroy = (__typeof__(&tjDestroy))dlsym(library, "tjDestroy");
  return functions->init_decompress && functions->header && functions->decompress &&
         functions->destroy;
}
