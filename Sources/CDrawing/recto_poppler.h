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

/// The clockwise degrees by which poppler turns a page, 0, 90, 180 or 270; -1 if unknown.
///
/// poppler-glib has no function for /Rotate, so this uses libpoppler's transformation (Page::getDefaultCTM). In
/// poppler-glib's structure, the page is between two values that the caller knows, so another layout is detected, and
/// so is a library without the function. Checked with poppler 22.12.
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
  // The direction of the page's x axis; y points down.
  if (matrix[0] > 0) return 0;
  if (matrix[0] < 0) return 180;
  if (matrix[1] > 0) return 90;
  return matrix[1] < 0 ? 270 : -1;
}

/// Fetches an entry of a dictionary like poppler, and drops it.
///
/// A reference to a missing object makes poppler search the whole file for objects, so the order of fetching can change
/// what is found. The size of poppler's `Object` is unknown here: it is returned in memory of the caller, like any
/// structure that is too large for registers, and is not larger than this one. Checked with poppler 22.12.
///
/// Returns whether poppler has the functions for it.
static inline _Bool recto_fetch_entry(const void *dictionary, const char *key) {
  struct Object {
    void *words[8];
  };
  typedef struct Object (*Lookup)(const void *dictionary, const char *key, int recursion);
  typedef void (*Free)(struct Object *object);
  // Looked up once, because that takes longer than fetching. Two threads find the same.
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
