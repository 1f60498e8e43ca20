/* bpf TEXT: passes TEXT through a map of the kernel's BPF subsystem and prints the result. */
#include <linux/bpf.h>
#include "tool.h"

int main(int argc, char **argv) {
  need(argc, 2, "bpf TEXT");
  union bpf_attr make = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 64, .max_entries = 1};
  uint32_t key = 0, map = (uint32_t)must(syscall(SYS_bpf, BPF_MAP_CREATE, &make, sizeof make), "BPF_MAP_CREATE");
  char in[64] = "", out[65] = "";
  strncpy(in, argv[1], sizeof in - 1);
  union bpf_attr put = {.map_fd = map, .key = (uintptr_t)&key, .value = (uintptr_t)in};
  must(syscall(SYS_bpf, BPF_MAP_UPDATE_ELEM, &put, sizeof put), "BPF_MAP_UPDATE_ELEM");
  union bpf_attr get = {.map_fd = map, .key = (uintptr_t)&key, .value = (uintptr_t)out};
  must(syscall(SYS_bpf, BPF_MAP_LOOKUP_ELEM, &get, sizeof get), "BPF_MAP_LOOKUP_ELEM");
  puts(out);
  return 0;
}
