/* Copies every entry except directories. Each function returns NULL, or the call that failed, with errno. */
#ifndef HF_FILES_COPY_FILE_H
#define HF_FILES_COPY_FILE_H
#include <stdbool.h>
#include <sys/stat.h>

struct links;
struct copying {
  unsigned existing, preserve, symlink; /* words of the protocol */
  bool in_tree;                         /* no link in the target is followed */
  int root;                             /* of the target's tree */
  struct links *links;
};
struct site {
  int from, to; /* directories */
  const char *from_name, *to_name;
};
const char *copy_entry(struct copying *how, const struct site *site, const struct stat *st, const char *path); /* not a directory */
int set_mode(int fd, mode_t mode);
#endif
