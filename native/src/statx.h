/* statx(2), which libc headers of 2020 lack. It reports birth times, and nanoseconds for all times. */
#ifndef HF_STATX_H
#define HF_STATX_H
#include <stdint.h>
#include <sys/syscall.h>

#ifndef SYS_statx
#ifdef __x86_64__
#define SYS_statx 332
#else
#define SYS_statx 291
#endif
#endif
#define K_STATX_BASIC 0x7ffu
#define K_STATX_BORN 0x800u
#define K_STATX_ENCRYPTED 0x800u /* of attributes: fscrypt */
#define K_STATX_MOUNT_POINT 0x2000u /* of attributes; since Linux 5.8 */

struct k_timestamp {
  int64_t seconds;
  uint32_t nanoseconds;
  int32_t reserved;
};
struct k_statx {
  uint32_t mask, block_size;
  uint64_t attributes;
  uint32_t links, uid, gid;
  uint16_t mode, reserved;
  uint64_t inode, size, blocks, attributes_mask;
  struct k_timestamp accessed, born, changed, modified;
  uint32_t special_major, special_minor, device_major, device_minor;
  uint64_t spare[14];
};
_Static_assert(sizeof(struct k_statx) == 256, "as in linux/stat.h");
#endif
