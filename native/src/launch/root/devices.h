/* The box's /dev. */
#ifndef HF_LAUNCH_ROOT_DEVICES_H
#define HF_LAUNCH_ROOT_DEVICES_H
#include "../plan/plan.h"
#include "builder.h"

void make_devices(const struct builder *builder, const struct mount_step *step);
#endif
