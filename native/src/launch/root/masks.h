/* What lies over hidden names. */
#ifndef HF_LAUNCH_ROOT_MASKS_H
#define HF_LAUNCH_ROOT_MASKS_H
#include <stdint.h>
#include "builder.h"

#define WARM_MASKS "/run/holdfast/masks"
void open_scaffold(struct builder *builder, uint64_t size);
void mask_fd(const struct builder *builder, int place, const char *path);
void mask_path(const struct builder *builder, const char *path);
void keep_masks(const struct builder *builder); /* for names that appear before the command comes */
void mount_over(int place, const char *path, int tree);
#endif
