/* A new file that replaces an old one. */
#ifndef HF_FILES_ATOMIC_H
#define HF_FILES_ATOMIC_H
#include <sys/types.h>

struct replacement;
enum replacing { REPLACE_READY, REPLACE_IN_PLACE, REPLACE_FAILED };
/* `in place`: the existing entry is not a regular file. */
enum replacing replace_begin(const char *path, int flags, mode_t mode, struct replacement **replacement);
int replace_fd(const struct replacement *replacement);
int replace_commit(struct replacement *replacement); /* 0, or -1 and errno; frees the replacement, and leaves nothing behind */
void replace_drop(struct replacement *replacement);
#endif
