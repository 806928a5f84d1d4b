#pragma once

// This target has nothing to call: a program that is linked with it has its functions in place of the C library's.
