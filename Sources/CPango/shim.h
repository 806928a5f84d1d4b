#pragma once
#include <cairo.h>

// Declarations of the used functions of Pango. Its headers are not used, because pkg-config adds `-pthread` for them,
// which SwiftPM refuses with a warning in every dependent package. `PangoDeclarationTests` compares the declarations
// with the headers.

typedef struct _PangoLayout PangoLayout;
typedef struct _PangoFontDescription PangoFontDescription;

/// Pango units per device pixel.
#define RECTO_PANGO_SCALE 1024
/// `PANGO_ALIGN_CENTER`.
#define RECTO_PANGO_ALIGN_CENTER 1
/// `PANGO_ELLIPSIZE_MIDDLE`.
#define RECTO_PANGO_ELLIPSIZE_MIDDLE 2

PangoLayout *pango_cairo_create_layout(cairo_t *context);
void pango_cairo_show_layout(cairo_t *context, PangoLayout *layout);
PangoFontDescription *pango_font_description_from_string(const char *text);
void pango_font_description_set_absolute_size(PangoFontDescription *font, double size);
void pango_font_description_free(PangoFontDescription *font);
int pango_layout_get_baseline(PangoLayout *layout);
void pango_layout_set_font_description(PangoLayout *layout, const PangoFontDescription *font);
void pango_layout_set_single_paragraph_mode(PangoLayout *layout, int is_single);
void pango_layout_set_text(PangoLayout *layout, const char *text, int length);
void pango_layout_set_width(PangoLayout *layout, int width);
void g_object_unref(void *object);
#ifndef __PANGO_H__
// Enumerations in Pango, with the size of an int.
void pango_layout_set_alignment(PangoLayout *layout, unsigned alignment);
void pango_layout_set_ellipsize(PangoLayout *layout, unsigned mode);
#endif
