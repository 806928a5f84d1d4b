#pragma once
#include <pango/pangocairo.h>

/// `g_object_unref` without its pointer type, which Swift cannot name for every class.
static inline void recto_unref(void *object) { g_object_unref(object); }
