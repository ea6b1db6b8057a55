#pragma once
#include <stddef.h>

// Swift's Glibc module is built without the X/Open part of <wchar.h>, where this function stands.
int wcwidth(wchar_t character);
