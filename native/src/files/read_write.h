/* Operations on the content of files. */
#ifndef HF_FILES_READ_WRITE_H
#define HF_FILES_READ_WRITE_H
#include "operate.h"

operate op_read, op_write, op_open, op_read_at, op_write_at, op_close, op_truncate;
#endif
