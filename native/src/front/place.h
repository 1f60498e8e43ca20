/* Location of this program's installation. */
#pragma once
#include "../reach/resident_name.h"

struct place {
  struct installation files;
  const char *root;
};

/* Finds the installation that contains this program. If it is incomplete, ends the program with a remedy. */
struct place find_place(void);
