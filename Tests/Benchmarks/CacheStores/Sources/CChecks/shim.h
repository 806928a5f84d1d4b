#pragma once
#include <libdeflate.h>
#include <sys/types.h>
#include <sha2.h>
