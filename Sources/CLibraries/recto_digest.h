#pragma once
#include <sys/types.h>
#include <sha2.h>
#include <md5.h>
