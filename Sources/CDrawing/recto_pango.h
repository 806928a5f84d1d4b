// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once
#include <cairo.h>
#include <dlfcn.h>

// Pango is loaded by a worker that draws a contact sheet, and is not linked: loading it takes longer than a small page.
// Its headers are not used, because pkg-config adds `-pthread` for them, which SwiftPM refuses with a warning in every
// dependent package. `PangoDeclarationTests` compares the declarations with the headers.

typedef struct _PangoLayout PangoLayout;
typedef struct _PangoFontDescription PangoFontDescription;

/// Pango units per device pixel.
#define RECTO_PANGO_SCALE 1024
/// `PANGO_ALIGN_CENTER`.
#define RECTO_PANGO_ALIGN_CENTER 1
/// `PANGO_ELLIPSIZE_MIDDLE`.
#define RECTO_PANGO_ELLIPSIZE_MIDDLE 2

/// The functions of Pango that draw a line of text. Enumerations have the size of an int.
#define RECTO_PANGO_FUNCTIONS(function)                                                            \
  function(PangoLayout *, pango_cairo_create_layout, (cairo_t *))                                  \
  function(void, pango_cairo_show_layout, (cairo_t *, PangoLayout *))                              \
  function(PangoFontDescription *, pango_font_description_from_string, (const char *))             \
  function(void, pango_font_description_set_absolute_size, (PangoFontDescription *, double))       \
  function(void, pango_font_description_free, (PangoFontDescription *))                            \
  function(int, pango_layout_get_baseline, (PangoLayout *))                                        \
  function(void, pango_layout_set_alignment, (PangoLayout *, unsigned))                            \
  function(void, pango_layout_set_ellipsize, (PangoLayout *, unsigned))                            \
  function(void, pango_layout_set_font_description,                                                \
           (PangoLayout *, const PangoFontDescription *))                                          \
  function(void, pango_layout_set_single_paragraph_mode, (PangoLayout *, int))                     \
  function(void, pango_layout_set_text, (PangoLayout *, const char *, int))                        \
  function(void, pango_layout_set_width, (PangoLayout *, int))

struct recto_pango {
#define RECTO_PANGO_MEMBER(result, name, parameters) result(*name) parameters;
  RECTO_PANGO_FUNCTIONS(RECTO_PANGO_MEMBER)
#undef RECTO_PANGO_MEMBER
};

/// Whether all functions were found.
static inline _Bool recto_load_pango(struct recto_pango *functions) {
  // Finds the functions of libpango, too, which it is linked with.
  void *library = dlopen("libpangocairo-1.0.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
  _Bool found = 1;
#define RECTO_PANGO_LOAD(result, name, parameters)                                                 \
  functions->name = (result(*) parameters)dlsym(library, #name);                                   \
  found = found && functions->name;
  RECTO_PANGO_FUNCTIONS(RECTO_PANGO_LOAD)
#undef RECTO_PANGO_LOAD
  return found;
}
