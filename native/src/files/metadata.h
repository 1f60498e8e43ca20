/* Facts about a file other than its content. */
#ifndef HF_FILES_METADATA_H
#define HF_FILES_METADATA_H
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "operate.h"

operate op_stat, op_times, op_owner, op_mode, op_access, op_readlink, op_realpath;
uint8_t type_of(mode_t mode);
uint8_t type_of_entry(unsigned char type);
bool reply_stat_of(int directory, const char *name, int flags); /* the fields of a stat; false and errno */
#endif
