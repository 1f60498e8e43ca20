import type { Mount, RootFile } from '../../plan/mount.ts';
import type { LimitPlan, NotifyPlan, Plan } from '../../plan/types.ts';
import type { Platform, Runsc } from './platform.ts';

export interface GvisorOptions extends BundleOptions {
  readonly runsc: Runsc;
  readonly platform: Platform;
  /** Mounts of the runtime at `innerRunsc`, and of the launcher at `innerLauncher`. */
  readonly programs: readonly Mount[];
}

/** Path of the runtime inside the box. It does not depend on where the host has the runtime. */
export const innerRunsc = '/run/holdfast/runsc';
export const gvisorLauncher = '/run/holdfast/launch';

/**
 * Returns the plan of a box whose command is the runtime. The planned command is in the runtime's bundle. Everything
 * else stays as planned.
 */
export function gvisorPlan(plan: Plan, options: GvisorOptions): Plan {
  return {
    ...plan,
    command: {
      files: [bundleFile(plan, options)],
      argv:
        options.terminal === 'yes'
          ? runscWords(options)
          : [gvisorLauncher, 'forward', mostBytes(plan.limits), ...runscWords(options)],
      cwd: '/',
      environment: {},
    },
    mounts: [
      ...plan.mounts,
      ...options.programs,
      { kind: 'tmpfs', target: stateDirectory, mode: 0o700, size: stateSize },
      { kind: 'tmpfs', target: bundleDirectory, mode: 0o700, size: bundleSize },
    ],
    limits: limitsAround(plan.limits),
    notify: namesAlone(plan.notify),
    seccomp: { ptrace: 'allow', nesting: 'runtime' },
  };
}

/** gVisor's kernel makes connections itself, with paths that the guard sees differently than that kernel. */
function namesAlone(notify: NotifyPlan): NotifyPlan {
  if (notify.kind !== 'guard') return notify;
  return notify.groups.includes('creations') ? { kind: 'guard', groups: ['creations'] } : { kind: 'none' };
}

const stateSize = 16 << 20;
/** The arguments and the environment of a command have at most 2 MiB. */
const bundleSize = 16 << 20;

/** Returns the file with the runtime's command. */
export function bundleFile(plan: Plan, options: BundleOptions): RootFile {
  return { kind: 'file', target: `${bundleDirectory}/config.json`, mode: 0o400, content: bundleConfig(plan, options) };
}

/**
 * Threads of the second kernel itself: those of its runtime, of the process that opens files, and of the processes that
 * start these.
 */
const ownThreads = 64;

/**
 * The second kernel limits file sizes and descriptors itself. Limits from outside would also apply to that kernel's own
 * files.
 */
function limitsAround({ fileSize: _fileSize, openFiles: _openFiles, ...limits }: LimitPlan): LimitPlan {
  const cgroups = limits.cgroups.map(({ directory, files }) => ({
    directory,
    files: files.map((file) => (file.name === 'pids.max' ? { name: file.name, value: moreThreads(file.value) } : file)),
  }));
  return {
    ...limits,
    cgroups,
    ...(limits.processes === undefined ? {} : { processes: limits.processes + ownThreads }),
  };
}

/** Limits stdout and stderr if they are files, because gVisor's forwarder writes those. */
function mostBytes({ fileSize }: LimitPlan): string {
  return fileSize === undefined ? 'unlimited' : String(Math.trunc(fileSize));
}

function moreThreads(value: string): string {
  return /^\d+$/u.test(value) ? String(Number(value) + ownThreads) : value;
}

function runscWords({ platform, runsc }: GvisorOptions): readonly string[] {
  const flags = {
    root: stateDirectory,
    platform,
    // The runtime uses the network of the box: its loopback, and the supervisor's listeners if the network is open.
    network: 'host',
    'ignore-cgroups': 'true',
    'oci-seccomp': 'true',
    'host-uds': 'all',
    // Attack: a FIFO in a read-only directory, through which a process of the host takes orders.
    'host-fifo': 'none',
    'file-access': 'exclusive',
    'file-access-mounts': 'shared',
    // Newer versions would keep writes to the root in memory.
    ...(runsc.date < rootOverlaySince ? {} : { overlay2: 'none' }),
  };
  return [
    innerRunsc,
    ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    'run',
    `--bundle=${bundleDirectory}`,
    'box',
  ];
}

const rootOverlaySince = 20230101;

/** The bundle and the state of the runtime, in the box's private memory. */
export const bundleDirectory = '/run/holdfast/gvisor';
export const stateDirectory = '/run/holdfast/gvisor-state';

interface BundleOptions {
  /** Whether descriptors 0 to 2 of the command are a terminal. */
  readonly terminal: 'yes' | 'no';
}

/**
 * Returns the `config.json` of an OCI bundle, as JSON text. The command runs on the root of the box, where binds, masks
 * and overlays are already mounted. The second kernel provides its own `/proc`, `/sys` and `/dev`.
 */
export function bundleConfig(plan: Plan, { terminal }: BundleOptions): string {
  const { argv, cwd, environment } = plan.command;
  const none = { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] };
  return JSON.stringify({
    ociVersion: '1.0.2',
    process: {
      terminal: terminal === 'yes',
      // The runtime is uid 0 of its user namespace, and uid 0 maps to the user. So the user's files belong to uid 0 too.
      user: { uid: 0, gid: 0 },
      args: argv,
      env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      cwd,
      capabilities: none,
      noNewPrivileges: true,
      rlimits: rlimits(plan.limits),
    },
    // The box's own mounts make paths read-only. The bundle does not list them.
    root: { path: '/', readonly: false },
    hostname: 'holdfast',
    mounts: [...ownMounts, ...plan.mounts.flatMap(shared)],
    linux: { seccomp: { defaultAction: 'SCMP_ACT_ALLOW', syscalls: closedCalls(plan) } },
  });
}

/**
 * Closes system calls of the command to gVisor's kernel. Attack: the command makes its own namespace, in order to
 * unmount the cover over the runtime's state.
 */
function closedCalls({ seccomp: { ptrace } }: Plan): readonly object[] {
  const mounting = ['mount', 'umount2', 'pivot_root', 'chroot', 'unshare', 'setns'];
  const names = ptrace === 'allow' ? mounting : [...mounting, 'ptrace', 'process_vm_readv', 'process_vm_writev'];
  const newUser = { index: 0, value: CLONE_NEWUSER, valueTwo: CLONE_NEWUSER, op: 'SCMP_CMP_MASKED_EQ' };
  return [
    { names, action: 'SCMP_ACT_ERRNO', errnoRet: EPERM },
    { names: ['clone'], action: 'SCMP_ACT_ERRNO', errnoRet: EPERM, args: [newUser] },
    // `clone3` stays open: builds of 2022 lack it, and answer EPERM under every `errnoRet`, which ends every new
    // thread. Mounting stays closed.
  ];
}

const CLONE_NEWUSER = 0x1000_0000;
const EPERM = 1;

const ownMounts = [
  { destination: '/proc', type: 'proc', source: 'proc', options: ['nosuid', 'nodev', 'noexec'] },
  { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755'] },
  // The command may not see the runtime's state in that directory.
  { destination: stateDirectory, type: 'tmpfs', source: 'tmpfs', options: ['ro', 'mode=000'] },
  { destination: bundleDirectory, type: 'tmpfs', source: 'tmpfs', options: ['ro', 'mode=000'] },
] as const;

/**
 * Marks mounts that the host may change while the command runs. gVisor looks these up again each time. It caches the
 * rest of the root.
 */
function shared(mount: Mount): readonly object[] {
  const live =
    (mount.kind === 'bind' && mount.access === 'read-write') || (mount.kind === 'overlay' && mount.layer !== undefined);
  if (!live) return [];
  return [{ destination: mount.target, type: 'bind', source: mount.target, options: ['rbind', 'rw'] }];
}

/** Limits of each process inside, in bytes, seconds and counts. */
function rlimits({ cpuTime, fileSize, openFiles }: LimitPlan): readonly object[] {
  const found = {
    RLIMIT_CPU: cpuTime === undefined ? undefined : Math.max(1, Math.ceil(cpuTime / 1000)),
    RLIMIT_FSIZE: fileSize,
    RLIMIT_NOFILE: openFiles,
    RLIMIT_CORE: 0,
  };
  return Object.entries(found).flatMap(([type, value]) =>
    value === undefined ? [] : [{ type, soft: Math.trunc(value), hard: Math.trunc(value) }],
  );
}
