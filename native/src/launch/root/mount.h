/* The new mount API: trees that are created first and attached later. */
#ifndef HF_LAUNCH_ROOT_MOUNT_H
#define HF_LAUNCH_ROOT_MOUNT_H
#include <stdint.h>

int try_filesystem(const char *type, const char *const *options, uint64_t attributes); /* a detached mount of a new file system; -1 and errno */
int new_filesystem(const char *type, const char *const *options, uint64_t attributes); /* the same, or a failure */
int new_memory(const char *mode, uint64_t size); /* private memory of at most this many bytes; 0 or UINT64_MAX: unlimited */
int attach_tree(int tree, int place);
int clone_tree(int place, uint64_t attributes);
int forbid_programs(int tree);
#endif
