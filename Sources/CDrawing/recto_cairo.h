// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
