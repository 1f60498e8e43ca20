/* Descriptors used while the root is built: the private root, the host's root, and a tmpfs that holds masks and the
 * upper layers of overlays, and disappears with the host's root. */
#ifndef HF_LAUNCH_ROOT_BUILDER_H
#define HF_LAUNCH_ROOT_BUILDER_H
#include <stdbool.h>
struct builder {
  int root, host, scaffold, masks;
  bool installed_only; /* no program can run from a writable mount */
};
#endif
