/* Mount steps of a plan. The layout of a record depends on its kind. */
#include <stddef.h>
#include "decode-mount.h"

static bool take_place(struct cursor *in, struct layer_directory *place) {
  return take(in, &place->device, 8) && take(in, &place->inode, 8) && take_path(in, &place->path);
}

const char *decode_mount(struct plan *plan, enum mount_kind kind, unsigned flags, struct cursor *in) {
  struct mount_step *step = list_push(&plan->mounts, sizeof *step);
  step->kind = kind;
  step->fd = -1;
  step->trees = (struct layer_trees){-1, -1, -1, -1};
  step->flags = flags & (15 | BIND_HELD);
  unsigned type = (flags & ~(unsigned)BIND_HELD) >> 4;
  if (type > T_DIRECTORY) return "a mount has an unknown file type";
  step->type = (enum file_type)type;
  if (flags & BIND_HELD && (kind != M_BIND || type != T_DIRECTORY || flags & BIND_WRITABLE)) return "the names of a mount cannot be held";
  bool ok = true;
  switch (kind) {
    case M_BIND:
    case M_OVERLAY:
      ok = take(in, &step->device, 8) && take(in, &step->inode, 8) && take_path(in, &step->source);
      if (ok && kind == M_OVERLAY && (flags & BIND_WRITABLE)) ok = take_place(in, &step->upper) && take_place(in, &step->work);
      break;
    case M_TMPFS:
      ok = take(in, &step->mode, 4) && take(in, &step->size, 8);
      break;
    case M_DIRECTORY:
      ok = take(in, &step->mode, 4);
      break;
    case M_DEVICES:
      ok = take(in, &step->size, 8);
      break;
    case M_SYMLINK:
      ok = take_string(in, &step->source);
      break;
    case M_FILE:
      ok = take(in, &step->mode, 4) && take(in, &step->size, 8) && step->size <= (size_t)(in->end - in->at);
      if (!ok) break;
      step->source = (const char *)in->at;
      in->at += step->size;
      break;
    case M_PROC:
    case M_MASK:
      break;
  }
  return ok && take_path(in, &step->target) ? NULL : "a mount is malformed";
}
