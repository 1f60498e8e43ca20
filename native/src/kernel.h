/* Kernel interfaces that libc headers of 2020 lack. Numbers are the same on x86-64 and arm64. */
#ifndef HF_KERNEL_H
#define HF_KERNEL_H
#include <stdint.h>
#include <sys/syscall.h>

#ifndef SYS_open_tree
#define SYS_open_tree 428
#define SYS_move_mount 429
#define SYS_fsopen 430
#define SYS_fsconfig 431
#define SYS_fsmount 432
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif
#define K_PIDFD_THREAD O_EXCL /* since Linux 6.9 */
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef SYS_pwritev2
#ifdef __x86_64__
#define SYS_pwritev2 328
#else
#define SYS_pwritev2 287
#endif
#endif
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

#define K_RWF_NOWAIT 8
#define K_OPEN_TREE_CLONE 1u
#define K_AT_RECURSIVE 0x8000
#define K_MOVE_MOUNT_F_EMPTY_PATH 0x04
#define K_MOVE_MOUNT_T_EMPTY_PATH 0x40
#define K_FSCONFIG_SET_FLAG 0
#define K_FSCONFIG_SET_STRING 1
#define K_FSCONFIG_CMD_CREATE 6
#define K_MOUNT_ATTR_RDONLY 0x01
#define K_MOUNT_ATTR_NOSUID 0x02
#define K_MOUNT_ATTR_NODEV 0x04
#define K_MOUNT_ATTR_NOEXEC 0x08
#define K_MOUNT_ATTR_IDMAP 0x00100000

struct k_mount_attr {
  uint64_t attr_set, attr_clr, propagation, userns_fd;
};

#define K_RESOLVE_NO_XDEV 0x01
#define K_RESOLVE_NO_MAGICLINKS 0x02
#define K_RESOLVE_NO_SYMLINKS 0x04
#define K_RESOLVE_BENEATH 0x08
#define K_RESOLVE_IN_ROOT 0x10

struct k_open_how {
  uint64_t flags, mode, resolve;
};

/* Landlock: include/uapi/linux/landlock.h. Rights by ABI: 1 = bits 0..12, 2 = REFER, 3 = TRUNCATE, 5 = IOCTL_DEV. */
struct k_landlock_ruleset_attr {
  uint64_t handled_access_fs, handled_access_net, scoped;
};
struct __attribute__((packed)) k_landlock_path_beneath {
  uint64_t allowed_access;
  int32_t parent_fd;
};
#define K_LL_EXECUTE (1ull << 0)
#define K_LL_WRITE_FILE (1ull << 1)
#define K_LL_READ_FILE (1ull << 2)
#define K_LL_READ_DIR (1ull << 3)
#define K_LL_REFER (1ull << 13)
#define K_LL_TRUNCATE (1ull << 14)
#define K_LL_IOCTL_DEV (1ull << 15)
#define K_LL_BIND_TCP (1ull << 0)
#define K_LL_CONNECT_TCP (1ull << 1)
#define K_LL_SCOPE_ABSTRACT_UNIX_SOCKET (1ull << 0)
#define K_LL_SCOPE_SIGNAL (1ull << 1)
#define K_LL_CREATE_RULESET_VERSION 1u
#define K_LL_RULE_PATH_BENEATH 1

/* seccomp listeners: include/uapi/linux/seccomp.h. */
struct k_notification {
  uint64_t id;
  uint32_t pid, flags;
  int32_t number;
  uint32_t architecture;
  uint64_t pointer, argument[6];
};
struct k_notify_answer {
  uint64_t id;
  int64_t value;
  int32_t error;
  uint32_t flags;
};
#define K_NOTIFY_RECEIVE 0xc0502100ul
#define K_NOTIFY_ANSWER 0xc0182101ul
#define K_NOTIFY_IS_VALID 0x40082102ul
#define K_NOTIFY_SET_FLAGS 0x40082104ul
#define K_NOTIFY_SYNC_WAKE_UP 1ul
#define K_NOTIFY_CONTINUE 1u
#define K_RENAME_EXCHANGE 2u

/* include/uapi/linux/sched/types.h */
struct k_sched_attr {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

/* Netlink: include/uapi/linux/netlink.h. */
struct k_netlink_head {
  uint32_t length;
  uint16_t type, flags;
  uint32_t sequence, port;
};
struct k_netlink_answer {
  struct k_netlink_head head;
  int32_t error;
};
#define K_NETLINK_ERROR 2
#define K_NETLINK_REQUEST 1
#define K_NETLINK_ACK 4
#define K_NETLINK_DUMP 0x300

#define K_OVERLAYFS 0x794c7630
#define K_EXT4 0xef53
#define K_XFS 0x58465342
#define K_BTRFS 0x9123683e
#define K_TMPFS 0x01021994

struct k_linux_dirent64 {
  uint64_t ino;
  int64_t off;
  uint16_t reclen;
  uint8_t type;
  char name[];
};
#endif
