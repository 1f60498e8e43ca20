/* Paths as the caller sees them. No function waits, because descriptors are opened with O_PATH. */
#ifndef HF_LAUNCH_GUARD_CALLER_PATHS_H
#define HF_LAUNCH_GUARD_CALLER_PATHS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "place.h"

struct stat;
/* In the kernel's form: a directory by number (or the working directory), and a path in the memory of the caller. */
struct target {
  uint32_t pid;
  int directory;
  uint64_t address;
  char path[LONGEST_PATH + 1];
};
enum found { FOUND, FOUND_NOTHING, FOUND_UNSURE };
bool open_guard_paths(pid_t command, bool nested);                 /* false if other processes cannot be inspected */
bool read_exactly(uint32_t pid, uint64_t address, void *bytes, size_t length); /* of its memory */
pid_t process_of(uint32_t thread);
bool path_of_place(struct place *place); /* of the open `directory`, which may be missing */
bool program_of(uint32_t pid, char *path, size_t size); /* its file, as the box sees it */
enum found read_target(struct target *target);                     /* its path, without slashes at the end */
enum found read_targets(struct target *one, struct target *other); /* of one caller; the first result that is not FOUND */
enum found find_place(const struct target *target, bool follow, struct place *place);
enum found open_target(const struct target *target, int flags, int *fd);          /* of `open`; errno is the reason of a failure */
enum found stat_target(const struct target *target, struct stat *st, int flags); /* 0 or O_NOFOLLOW */
#endif
