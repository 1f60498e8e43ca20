import { notImplemented, notPermitted, type SyscallRule } from '../rule.ts';

/** Source: `linux/sched.h`. `CLONE_NEWTIME` is missing on purpose: its bit is part of the exit signal in `clone`. */
const cloneNamespaces = {
  CLONE_NEWNS: 0x0002_0000,
  CLONE_NEWCGROUP: 0x0200_0000,
  CLONE_NEWUTS: 0x0400_0000,
  CLONE_NEWIPC: 0x0800_0000,
  CLONE_NEWUSER: 0x1000_0000,
  CLONE_NEWPID: 0x2000_0000,
  CLONE_NEWNET: 0x4000_0000,
};

const unshareWithoutNamespaces = {
  CLONE_VM: 0x100,
  CLONE_FS: 0x200,
  CLONE_FILES: 0x400,
  CLONE_SIGHAND: 0x800,
  CLONE_THREAD: 0x1_0000,
  CLONE_SYSVSEM: 0x4_0000,
};

/** A new user namespace grants capabilities, and so opens the half of the kernel that was once reserved for root. */
export const namespaceRules: readonly SyscallRule[] = [
  {
    syscalls: ['clone'],
    when: [{ kind: 'any-bit', argument: 0, called: 'flags', values: cloneNamespaces }],
    action: notPermitted,
    lifted: 'by-nesting',
    reason: 'a new namespace gives back the capabilities that the box has dropped',
  },
  {
    syscalls: ['clone'],
    when: [
      { kind: 'any-bit', argument: 0, called: 'flags', values: { CLONE_NEWCGROUP: cloneNamespaces.CLONE_NEWCGROUP } },
    ],
    action: notPermitted,
    reason:
      'the owner of a cgroup namespace may mount control groups, and for root those are the limits of the box and of the host',
  },
  {
    syscalls: ['clone3'],
    action: notImplemented,
    reason: 'its flags are in memory, where no filter can read them; C libraries fall back to clone',
  },
  {
    syscalls: ['unshare'],
    when: [{ kind: 'bits-outside', argument: 0, called: 'flags', width: 64, values: unshareWithoutNamespaces }],
    action: notPermitted,
    reason: 'a new namespace gives back the capabilities that the box has dropped',
  },
  {
    syscalls: ['setns'],
    action: notPermitted,
    reason: 'enters the namespaces of another process',
  },
  {
    syscalls: ['mount', 'umount2', 'pivot_root', 'chroot'],
    action: notPermitted,
    lifted: 'by-nesting',
    reason: 'the mounts are the boundary itself',
  },
  {
    syscalls: ['open_tree', 'open_tree_attr', 'move_mount', 'fsopen', 'fsconfig', 'fsmount', 'fspick', 'mount_setattr'],
    action: notPermitted,
    reason: 'the mounts are the boundary itself (the newer interface)',
  },
];
