/* Removes a file or a tree. */
#ifndef HF_FILES_REMOVE_H
#define HF_FILES_REMOVE_H
#include "operate.h"

operate op_remove;
#endif
