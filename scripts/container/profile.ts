import { type Architecture, architectures } from '../../src/plan/seccomp/architecture.ts';

/** Calls that Docker's default profile denies to a container without capabilities, by purpose. */
const refusedByDocker = {
  namespaces: 'unshare setns pivot_root chroot sethostname setdomainname',
  mounts: 'mount umount2 fsopen fsconfig fsmount fspick move_mount mount_setattr open_tree open_tree_attr',
  fileSystems: 'statmount listmount swapon swapoff quotactl quotactl_fd fanotify_init',
  processes: 'pidfd_getfd kcmp process_madvise open_by_handle_at lookup_dcookie',
  keys: 'add_key request_key keyctl',
  memory: 'get_mempolicy set_mempolicy set_mempolicy_home_node mbind migrate_pages move_pages userfaultfd',
  modules: 'init_module finit_module delete_module create_module query_module get_kernel_syms',
  kernel: 'kexec_load kexec_file_load bpf perf_event_open syslog reboot acct vhangup iopl ioperm',
  clocks: 'settimeofday clock_settime',
  old: 'nfsservctl _sysctl sysfs ustat uselib',
  rings: 'io_uring_setup io_uring_enter io_uring_register',
  security: 'lsm_get_self_attr lsm_set_self_attr lsm_list_modules',
} as const;

/**
 * Further calls that the launcher and the supervisor need. `test/containers.test.ts` removes each one, and the box
 * fails.
 */
export const launcherCalls = words(
  'unshare setns pivot_root mount umount2 fsopen fsconfig fsmount move_mount mount_setattr open_tree pidfd_getfd',
);

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/u);
}

/** All of these calls. */
export const dockerRefuses: readonly string[] = Object.values(refusedByDocker).flatMap(words);

interface ProfileRule {
  readonly names: readonly string[];
  readonly action: 'SCMP_ACT_ALLOW' | 'SCMP_ACT_ERRNO';
  readonly errnoRet?: number;
  readonly args?: readonly {
    readonly index: number;
    readonly value: number;
    readonly valueTwo?: number;
    readonly op: 'SCMP_CMP_EQ' | 'SCMP_CMP_NE' | 'SCMP_CMP_MASKED_EQ';
  }[];
}

/** Format of Docker, Podman, containerd and CRI-O. */
export interface ContainerProfile {
  readonly defaultAction: 'SCMP_ACT_ERRNO';
  readonly defaultErrnoRet: number;
  readonly architectures: readonly string[];
  readonly syscalls: readonly ProfileRule[];
}

const errors = { eperm: 1, enosys: 38 } as const;
/** All flags of `clone` that make a namespace. */
const namespaceFlags = 0x7e02_0000;
/** Harmless values of `personality`: Linux, 32 bits of address, `uname26`, and the query. */
const personalities = [0x0, 0x8, 0x2_0000, 0x2_0008, 0xffff_ffff];
const addressFamilyVsock = 40;

/**
 * Returns a filter for the container around Holdfast: Docker's default for a container without capabilities, plus the
 * calls in `beyond`. If `beyond` includes calls that make namespaces, as `launcherCalls` does, `clone` may make them
 * too. `clone3` stays absent, as in Docker's filter, because a filter cannot see its flags.
 */
export function containerProfile(beyond: readonly string[]): ContainerProfile {
  const allowed = new Set(beyond);
  const refused = new Set(dockerRefuses.filter((name) => !allowed.has(name)));
  const byArguments = new Set(['clone', 'clone3', 'personality', 'socket']);
  const known = new Set(
    (Object.keys(architectures) as Architecture[]).flatMap((name) => Object.keys(architectures[name].numbers)),
  );
  const open = [...known].filter((name) => !refused.has(name) && !byArguments.has(name)).toSorted();
  return {
    defaultAction: 'SCMP_ACT_ERRNO',
    defaultErrnoRet: errors.eperm,
    architectures: ['SCMP_ARCH_X86_64', 'SCMP_ARCH_AARCH64'],
    syscalls: [
      { names: open, action: 'SCMP_ACT_ALLOW' },
      allowed.has('unshare')
        ? { names: ['clone'], action: 'SCMP_ACT_ALLOW' }
        : when('clone', { value: namespaceFlags, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }),
      { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: errors.enosys },
      ...personalities.map((value) => when('personality', { value, op: 'SCMP_CMP_EQ' })),
      when('socket', { value: addressFamilyVsock, op: 'SCMP_CMP_NE' }),
    ],
  };
}

type FirstArgument = Omit<NonNullable<ProfileRule['args']>[number], 'index'>;

function when(name: string, argument: FirstArgument): ProfileRule {
  return { names: [name], action: 'SCMP_ACT_ALLOW', args: [{ index: 0, ...argument }] };
}
