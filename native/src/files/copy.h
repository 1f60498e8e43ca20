/* Copies a file or a tree. */
#ifndef HF_FILES_COPY_H
#define HF_FILES_COPY_H
#include "operate.h"

operate op_copy;
#endif
