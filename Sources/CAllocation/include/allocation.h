#pragma once

// This target has no interface: linking it replaces functions of the C library.
