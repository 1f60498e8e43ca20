import { notImplemented, notPermitted, type ArgumentTest, type SyscallRule } from '../rule.ts';

/** Sources: `linux/stat.h`, `linux/fcntl.h` and `asm-generic/fcntl.h`; the same numbers on x86-64 and arm64. */
const setsUserId = (argument: 1 | 2 | 3): ArgumentTest => ({
  kind: 'any-bit',
  argument,
  called: 'mode',
  values: { S_ISUID: 0o4000 },
});

/** Without one of these flags the kernel ignores `mode`, and callers leave any value in the register. */
const creates = (argument: 1 | 2): ArgumentTest => ({
  kind: 'any-bit',
  argument,
  called: 'flags',
  values: { O_CREAT: 0o100, __O_TMPFILE: 0o2000_0000 },
});

const isDevice = (argument: 1 | 2): ArgumentTest => ({
  kind: 'one-of',
  argument,
  called: 'mode',
  mask: 0o17_0000,
  values: { S_IFCHR: 0o2_0000, S_IFBLK: 0o6_0000 },
});

const setuidReason =
  'a set-user-ID file left in the workspace runs with the user’s rights (as root: with root’s) for everyone on the host';
const deviceReason =
  'device nodes give raw access to hardware; character device 0:0 is a whiteout that hides files from later staged runs';

/**
 * Denials that mounts cannot express. `nosuid` and `nodev` apply only inside the box, but the file stays on the host.
 * The set-group-ID bit stays open, because shared repositories and copied directory trees have it.
 */
export const fileSyscallRules: readonly SyscallRule[] = [
  { syscalls: ['chmod', 'fchmod'], when: [setsUserId(1)], action: notPermitted, reason: setuidReason },
  { syscalls: ['fchmodat', 'fchmodat2'], when: [setsUserId(2)], action: notPermitted, reason: setuidReason },
  { syscalls: ['creat'], when: [setsUserId(1)], action: notPermitted, reason: setuidReason },
  { syscalls: ['open'], when: [creates(1), setsUserId(2)], action: notPermitted, reason: setuidReason },
  { syscalls: ['openat'], when: [creates(2), setsUserId(3)], action: notPermitted, reason: setuidReason },
  {
    syscalls: ['openat2'],
    action: notImplemented,
    reason: 'its mode is in memory, where no filter can read it; callers fall back to openat',
  },
  {
    syscalls: ['setxattrat', 'removexattrat', 'file_setattr'],
    action: notImplemented,
    reason:
      'changes attributes as older calls do, past the rules about those (Linux 6.13 and 6.17); callers fall back to them',
  },
  {
    syscalls: ['fcntl'],
    when: [{ kind: 'one-of', argument: 1, called: 'op', values: { F_SETLEASE: 1024, F_SETDELEG: 1040 } }],
    action: notPermitted,
    reason: 'a lease stops programs of the host that open the file, at a moment that suits a race',
  },
  {
    syscalls: ['fcntl'],
    when: [{ kind: 'one-of', argument: 1, called: 'op', values: { F_NOTIFY: 1026 } }],
    action: notPermitted,
    reason: 'tells of files that programs of the host open, in any directory; file watchers use inotify',
  },
  { syscalls: ['mknod'], when: [setsUserId(1)], action: notPermitted, reason: setuidReason },
  { syscalls: ['mknodat'], when: [setsUserId(2)], action: notPermitted, reason: setuidReason },
  { syscalls: ['mknod'], when: [isDevice(1)], action: notPermitted, reason: deviceReason },
  { syscalls: ['mknodat'], when: [isDevice(2)], action: notPermitted, reason: deviceReason },
];
