// Empty: C++ includes TagLib itself.
