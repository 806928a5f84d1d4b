#pragma once

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
