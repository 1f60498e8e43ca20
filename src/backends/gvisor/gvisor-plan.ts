import type { FileEntry, LimitPlan, Mount, Plan } from '../../plan/index.ts';
import { bundleConfig, bundleDirectory, stateDirectory, type BundleOptions } from './bundle.ts';
import type { Platform } from './platform.ts';
import type { Runsc } from './runsc.ts';

export interface GvisorOptions extends BundleOptions {
  readonly runsc: Runsc;
  readonly platform: Platform;
  /** The files of the runtime and of the launcher, at `innerRunsc` and `innerLauncher`. */
  readonly programs: readonly Mount[];
}

/** Where the runtime lies inside the box, whatever the box shows of the system. */
export const innerRunsc = '/run/holdfast/runsc';
export const innerLauncher = '/run/holdfast/launch';

/** A box whose command is the runtime, with the planned command in its bundle. Everything around stays as it was planned. */
export function gvisorPlan(plan: Plan, options: GvisorOptions): Plan {
  return {
    ...plan,
    command: { files: [bundleFile(plan, options)], argv: options.terminal === 'yes' ? runscWords(options) : [innerLauncher, 'forward', mostBytes(plan.limits), ...runscWords(options)], cwd: '/', environment: {} },
    mounts: [
      ...plan.mounts,
      ...options.programs,
      { kind: 'tmpfs', target: stateDirectory, mode: 0o700, size: stateSize },
      { kind: 'tmpfs', target: bundleDirectory, mode: 0o700, size: bundleSize },
    ],
    limits: limitsAround(plan.limits),
    seccomp: { ptrace: 'allow', nesting: 'runtime' },
  };
}

const stateSize = 16 << 20;
/** The words and the environment of a command have at most 2 MiB. */
const bundleSize = 16 << 20;

/** What the runtime is to run. */
export function bundleFile(plan: Plan, options: BundleOptions): FileEntry {
  return { kind: 'file', target: `${bundleDirectory}/config.json`, mode: 0o400, content: bundleConfig(plan, options) };
}

/** What the second kernel takes for itself: threads of its runtime, of the process that opens files, and of those that start them. */
const ownThreads = 64;

/** Sizes of files and numbers of descriptors are counted inside: from outside they would hit the second kernel's own. */
function limitsAround({ fileSize: _fileSize, openFiles: _openFiles, ...limits }: LimitPlan): LimitPlan {
  const cgroups = limits.cgroups.map(({ directory, files }) => ({ directory, files: files.map((file) => (file.name === 'pids.max' ? { name: file.name, value: moreThreads(file.value) } : file)) }));
  return { ...limits, cgroups, ...(limits.processes === undefined ? {} : { processes: limits.processes + ownThreads }) };
}

/** Of stdout and stderr where they are files, which the forwarder writes. */
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
    // The network of the box: its loopback, and the supervisor's listeners where it is open.
    network: 'host',
    'ignore-cgroups': 'true',
    'oci-seccomp': 'true',
    'host-uds': 'all',
    // Attack: a FIFO in a read-only place, through which a process of the host is given orders.
    'host-fifo': 'none',
    'file-access': 'exclusive',
    'file-access-mounts': 'shared',
    // Newer ones would keep what is written to the root in memory.
    ...(runsc.date < rootOverlaySince ? {} : { overlay2: 'none' }),
  };
  return [innerRunsc, ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`), 'run', `--bundle=${bundleDirectory}`, 'box'];
}

const rootOverlaySince = 20230101;
