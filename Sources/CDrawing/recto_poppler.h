// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <dlfcn.h>
#include <poppler.h>

/// Whether `error` is poppler's error number `code`. The domain is a macro, which Swift cannot see.
static inline gboolean recto_is_poppler_error(const GError *error, gint code) {
  return g_error_matches(error, POPPLER_ERROR, code);
}

/// Sends every message that poppler logs to `handler`; GLib itself stays silent.
static inline void recto_set_poppler_log_handler(GLogFunc handler) {
  g_log_set_handler("Poppler", (GLogLevelFlags)(G_LOG_LEVEL_MASK | G_LOG_FLAG_RECURSION), handler,
                    NULL);
}

/// The clockwise degrees by which poppler turns a page, 0, 90, 180 or 270; -1 when they cannot be told.
///
/// poppler-glib does not tell /Rotate, but the transformation that libpoppler draws a page with does
/// (Page::getDefaultCTM). poppler-glib keeps its page between two values that the caller knows, so a
/// structure of another kind is noticed, and a library without the function is as well. Checked with
/// poppler 22.12.
static inline int recto_page_rotation(PopplerPage *page, PopplerDocument *document, int index) {
  typedef void (*Transformation)(void *page, double *matrix, double xDPI, double yDPI, int rotation,
                                 _Bool useMediaBox, _Bool upsideDown);
  struct Layout {
    GObject parent;
    PopplerDocument *document;
    void *page;
    int index;
  };
  const struct Layout *layout = (const struct Layout *)page;
  if (layout->document != document || layout->index != index || !layout->page) return -1;
  void *found = dlsym(NULL, "_ZN4Page13getDefaultCTMEPdddibb");
  if (!found) return -1;
  double matrix[6] = {0, 0, 0, 0, 0, 0};
  ((Transformation)found)(layout->page, matrix, 72, 72, 0, FALSE, TRUE);
  // Where the page's x axis points to; y points down.
  if (matrix[0] > 0) return 0;
  if (matrix[0] < 0) return 180;
  if (matrix[1] > 0) return 90;
  return matrix[1] < 0 ? 270 : -1;
}

/// Fetches an entry of a dictionary as poppler does, and drops it.
///
/// A reference to an object that is not there has poppler look through the whole file for objects, so what is fetched, and
/// when, can decide what else is found. The size of poppler's `Object` is not known here: it is returned in
/// memory of the caller, like any structure that is too large for registers, and is not larger than this one. Checked with
/// poppler 22.12.
///
/// Returns whether poppler has the functions for it.
static inline _Bool recto_fetch_entry(const void *dictionary, const char *key) {
  struct Object {
    void *words[8];
  };
  typedef struct Object (*Lookup)(const void *dictionary, const char *key, int recursion);
  typedef void (*Free)(struct Object *object);
  // Searched once: that takes longer than to fetch. Two threads find the same.
  static _Atomic(Lookup) found_lookup;
  static _Atomic(Free) found_free;
  Lookup lookup = found_lookup;
  Free free_object = found_free;
  if (!lookup || !free_object) {
    found_lookup = lookup = (Lookup)dlsym(NULL, "_ZNK4Dict6lookupEPKci");
    found_free = free_object = (Free)dlsym(NULL, "_ZN6Object4freeEv");
    if (!lookup || !free_object) return 0;
  }
  struct Object object = lookup(dictionary, key, 0);
  free_object(&object);
  return 1;
}
