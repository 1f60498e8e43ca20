/* Place of this program's installation. */
#pragma once
#include "../reach/resident_name.h"

struct place {
  struct installation files;
  const char *root;
};

/* Finds the installation around this program. Ends it, and says what to do, where that is not whole. */
struct place find_place(void);
