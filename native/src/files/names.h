/* Operations that create and move names. */
#ifndef HF_FILES_NAMES_H
#define HF_FILES_NAMES_H
#include "operate.h"

operate op_make_directory, op_temporary, op_rename, op_link, op_symlink;
#endif
