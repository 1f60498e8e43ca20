/* Lists a directory. */
#ifndef HF_FILES_LIST_H
#define HF_FILES_LIST_H
#include "operate.h"

operate op_list;
#endif
