/* filecap set FILE | filecap get FILE: gives a program a capability, or prints whether it has one. */
#include <sys/xattr.h>
#include "tool.h"

int main(int argc, char **argv) {
  need(argc, 3, "filecap set|get FILE");
  /* struct vfs_cap_data, revision 2, effective, cap_dac_override permitted; little-endian on disk. */
  const uint32_t capability[5] = {0x02000001, 1u << 1, 0, 0, 0};
  uint32_t present[6];
  if (strcmp(argv[1], "set") == 0) return (int)must(setxattr(argv[2], "security.capability", capability, sizeof capability, 0), "setxattr");
  printf("%ld bytes\n", must(getxattr(argv[2], "security.capability", present, sizeof present), "getxattr"));
  return 0;
}
