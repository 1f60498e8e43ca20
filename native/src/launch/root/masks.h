/* The masks over hidden names. */
#ifndef HF_LAUNCH_ROOT_MASKS_H
#define HF_LAUNCH_ROOT_MASKS_H
#include <stdbool.h>
#include <stdint.h>
#include "builder.h"

#define MOST_TRIES 100 /* to mount on a name whose file is replaced meanwhile */
#define KEPT_MASKS "/run/holdfast/masks"
void open_scaffold(struct builder *builder, uint64_t size);
bool mask_fd(const struct builder *builder, int place, const char *path); /* the same */
void mask_path(const struct builder *builder, const char *path);
void keep_masks(const struct builder *builder); /* for names that appear once the box is built */
bool mount_over(int place, const char *path, int tree); /* false if the mount point was removed meanwhile */
#endif
