/* Directories whose changes are kept separate from the host's. */
#ifndef HF_LAUNCH_ROOT_OVERLAY_H
#define HF_LAUNCH_ROOT_OVERLAY_H
#include "../plan/plan.h"
#include "builder.h"

int staged_overlay(const struct builder *builder, const struct mount_step *step);  /* a detached overlay whose writes are kept */
int held_overlay(const struct builder *builder, const struct mount_step *step, int tree); /* of a visible tree: mounts over its names stay */
int private_overlay(const struct builder *builder, const struct mount_step *step); /* an overlay whose writes disappear with the box */
#endif
