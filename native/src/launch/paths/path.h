/* Opens, makes and writes files at a path. */
#ifndef HF_LAUNCH_PATHS_PATH_H
#define HF_LAUNCH_PATHS_PATH_H
#include <stdint.h>
#include "../plan/bytes.h"
#include "../plan/plan.h"

int open_beneath(int root, const char *path, int flags);   /* absolute path, component by component, without symlinks; -1 and errno */
int open_following(int root, const char *path, int flags); /* symlinks resolved inside root */
void remember_own(int tree);                               /* a file system in which mount points may be created */
int make_place(int root, const char *path, enum file_type type, uint32_t mode); /* O_PATH fd of an existing or new place */
void write_all(int fd, struct bytes bytes, const char *stage);
void write_bytes(const char *path, struct bytes bytes, const char *stage);
void write_file(const char *path, const char *text, const char *stage);
#endif
