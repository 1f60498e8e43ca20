/* Sources of mounts and grants. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "source.h"
#include "../report/fail.h"
#include "path.h"

static enum file_type type_of(mode_t mode) {
  return S_ISDIR(mode) ? T_DIRECTORY : S_ISREG(mode) ? T_FILE : T_OTHER;
}

/* Opens the planned inode or refuses, so that exactly the checked file is mounted (attack: a root is swapped for a
 * symlink between runs). */
int open_source(int host, const struct mount_step *step) {
  int source = open_beneath(host, step->source, O_PATH | O_NOFOLLOW);
  if (source < 0) {
    if (step->flags & BIND_OPTIONAL && (errno == ENOENT || errno == EACCES)) return -1;
    fail(errno == ELOOP ? "source is a symlink" : "open source", step->source, errno);
  }
  struct stat st;
  if (fstat(source, &st)) fail("stat source", step->source, errno);
  if (st.st_dev != step->device || st.st_ino != step->inode || type_of(st.st_mode) != step->type) fail("source changed", step->source, ESTALE);
  return source;
}

void check_sources(const struct plan *plan) {
  int host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    int source = step->kind == M_BIND ? open_source(host, step) : -1;
    if (source >= 0) close(source);
  }
  close(host);
}

/* A directory of a staged layer: the one that the supervisor created, and not a replacement. */
int open_layer(int host, const struct layer_directory *place) {
  int fd = open_beneath(host, place->path, O_PATH | O_DIRECTORY | O_NOFOLLOW);
  struct stat st;
  if (fd < 0 || fstat(fd, &st)) fail("open staged layer", place->path, errno);
  if (st.st_dev != place->device || st.st_ino != place->inode) fail("source changed", place->path, ESTALE);
  return fd;
}

static const struct mount_step *source_at(const struct plan *plan, const char *path) {
  for (size_t i = 0; i < plan->mounts.count; i++) {
    const struct mount_step *step = &LIST_AT(plan->mounts, struct mount_step, i);
    if (step->kind == M_BIND && strcmp(step->source, path) == 0) return step;
  }
  return NULL;
}

/* Follows no symlink, and requires the planned inode, because another box may move files in a writable root. */
int open_granted(const struct plan *plan, const char *path) {
  static int host = -1;
  if (host < 0) host = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  const struct mount_step *step = source_at(plan, path);
  return step ? open_source(host, step) : open_beneath(host, path, O_PATH);
}
