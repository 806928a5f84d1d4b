// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef __clang__
#define _Nonnull
#define _Nullable
#endif

/// A document that is open for drawing with Splash, poppler's own rasterizer.
///
/// Lives on one thread. If another interface of poppler had opened a document before, poppler's messages go to the
/// handler of that interface.
typedef struct recto_splash_document recto_splash_document;

/// Loads the library, once. Returns whether it is present with all needed functions.
bool recto_splash_load(void);

/// Opens a document.
///
/// The bytes must stay in place while it is open. A password is the user's or the owner's; NULL for none. Returns NULL
/// if the library is missing, for 2 GiB and more, or if poppler cannot open the document.
recto_splash_document *_Nullable recto_splash_open(const void *_Nonnull bytes, size_t length,
                                                   const char *_Nullable password);

/// Closes a document.
void recto_splash_close(recto_splash_document *_Nonnull document);

/// The part of a page to draw.
typedef struct {
  /// The index of the page, from 0.
  int page;
  /// Pixels per inch, along the rows and the columns of the picture.
  double across, down;
  /// Degrees clockwise beyond the page's own rotation: 0, 90, 180 or 270.
  int rotation;
  /// The part, in pixels from the top left of the page's crop box.
  int x, y, width, height;
  /// The color of the paper, 0xFFRRGGBB.
  uint32_t paper;
} recto_splash_part;

/// Draws a part of a page as rows of 0xFFRRGGBB words, `stride` bytes apart. Returns whether it was drawn.
bool recto_splash_draw(const recto_splash_document *_Nonnull document,
                       const recto_splash_part *_Nonnull part, void *_Nonnull pixels,
                       size_t stride);

#ifdef __cplusplus
}
#endif
