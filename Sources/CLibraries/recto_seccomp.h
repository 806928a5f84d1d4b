#pragma once
#include <seccomp.h>

/// The action that makes a call fail with an error number.
static inline uint32_t recto_seccomp_fail(uint16_t error) { return SCMP_ACT_ERRNO(error); }
