import { lstatSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';
import { resolverOverTcp } from '../../plan/limits.ts';
import type { Guarantee, LandlockRule, Mount, NotifyGroup, Plan, PlannedCommand } from '../../plan/types.ts';
import {
  type Backend,
  type BackendFacts,
  type BackendPresence,
  type BoxPlace,
  type GuaranteeVector,
  type LaunchedBox,
  namespaceGuarantees,
  type BackendStart,
} from '../backend.ts';
import { encodePlan } from '../launcher/encode-plan.ts';
import { launch } from '../launcher/launch.ts';
import { notifyFor, plainFor, seccompFor } from '../seccomp.ts';

const moduleList = '/sys/kernel/security/lsm';

/** Linux versions that introduced each Landlock ABI, newest first (`Documentation/userspace-api/landlock.rst`). */
const versions = [
  { major: 6, minor: 12, abi: 6 },
  { major: 6, minor: 10, abi: 5 },
  { major: 6, minor: 7, abi: 4 },
  { major: 6, minor: 2, abi: 3 },
  { major: 5, minor: 19, abi: 2 },
  { major: 5, minor: 13, abi: 1 },
] as const;

export const landlockBackend: Backend = {
  name: 'landlock',
  warm: 'possible',
  guarantees: (facts) => landlockGuarantees(facts, promisedAbi(release())),
  presence: landlockPresence,
  adapt: (plan, box) => adaptToLandlock(plan, { ...box, abi: promisedAbi(release()), terminals: terminalDevice() }),
  start,
};

/** Ignores `StartOptions.box`, which is for a plan with mounts. The launcher opens no listeners for an open network. */
function start(
  plan: Plan,
  { launcher, stdio, stderr, command = 'now', terminal = 'callers', listener, known }: BackendStart,
): LaunchedBox {
  const encodedPlan = encodePlan(plan, {
    seccomp: seccompFor(plan),
    plain: plainFor(plan),
    notify: notifyFor(plan),
    stderr,
    command,
  });
  return launch({
    launcher,
    arguments: [],
    encodedPlan,
    stdio,
    terminal,
    ...(listener === undefined ? {} : { listener }),
    ...(known === undefined ? {} : { known }),
  });
}

/**
 * Judges by the kernel's release and its list of security modules. If these are unreadable, the launcher decides later.
 */
function landlockPresence(): BackendPresence {
  const version = release();
  const abi = process.platform === 'linux' ? promisedAbi(version) : 0;
  if (abi === 0)
    return {
      kind: 'absent',
      remedy: 'Landlock came with Linux 5.13; this backend needs 6.12 for all that a box requires',
    };
  if (securityModules()?.includes('landlock') === false)
    return { kind: 'absent', remedy: 'add landlock to the kernel parameter lsm=, and start the machine again' };
  return { kind: 'present', version: `Linux ${version}, Landlock ABI ${abi}${abi === 6 ? ' or newer' : ''}` };
}

function securityModules(): readonly string[] | undefined {
  try {
    return readFileSync(moduleList, 'latin1').trim().split(',');
  } catch {
    return undefined;
  }
}

/**
 * Returns the lowest Landlock version of a kernel release, or 0 for none. Holdfast uses nothing newer than 6. The
 * launcher asks the kernel itself, and refuses a kernel with a lower version.
 */
export function promisedAbi(release: string): number {
  const [major = 0, minor = 0] = release.split('.').map((part) => Number.parseInt(part, 10));
  return (
    versions.find((version) => major > version.major || (major === version.major && minor >= version.minor))?.abi ?? 0
  );
}

/** Returns the guarantees that a kernel with this Landlock ABI provides. `docs/landlock.md` names every gap. */
export function landlockGuarantees(facts: BackendFacts, abi: number): GuaranteeVector {
  const { 'limits.memory': memory, 'limits.cpu': cpu } = namespaceGuarantees(facts);
  return {
    // Names, sizes and owners stay visible everywhere: Landlock restricts opening, not looking up.
    'fs.read': abi >= 1 ? 'partial' : 'none',
    // From ABI 3 on, truncation is a separate right. Below that, only the supervisor refuses it.
    'fs.write': abi >= 3 ? 'kernel' : abi >= 1 ? 'partial' : 'none',
    'fs.deny-in-allow': abi >= 1 ? 'partial' : 'none',
    'fs.stage': 'none',
    // A dynamic loader can map any readable file.
    'fs.exec': 'none',
    'net.closed': 'kernel',
    'net.names': abi >= 4 ? 'kernel' : 'none',
    pid: 'partial',
    ipc: 'kernel',
    'unix-sockets': 'kernel',
    'abstract-sockets': abi >= 6 ? 'kernel' : 'partial',
    signals: abi >= 6 ? 'kernel' : 'none',
    syscalls: 'kernel',
    'limits.memory': memory,
    // Without a user namespace, all processes of the user are counted together, and those of uid 0 are not.
    'limits.processes': countsProcesses(facts) ? 'kernel' : 'partial',
    'limits.cpu': cpu,
    'limits.disk': 'partial',
    'kernel.separate': 'none',
    'hardware.separate': 'none',
  };
}

function countsProcesses({ cgroups }: BackendFacts): boolean {
  return cgroups.kind === 'v2'
    ? cgroups.controllers.includes('pids')
    : cgroups.kind === 'v1' && cgroups.directories.pids !== undefined;
}

interface LandlockPlace extends BoxPlace {
  /** The ABI that the kernel is known to have. The launcher refuses a kernel with a lower one. */
  readonly abi: number;
  /** The device that makes terminals. Default: `/dev/ptmx`. */
  readonly terminals?: TerminalDevice;
}

type TerminalDevice = '/dev/ptmx' | '/dev/pts/ptmx';

/** Container runtimes make `/dev/ptmx` a link to the device (OCI runtime specification, "Default Devices"). */
function terminalDevice(): TerminalDevice {
  return lstatSync('/dev/ptmx', { throwIfNoEntry: false })?.isSymbolicLink() === true ? '/dev/pts/ptmx' : '/dev/ptmx';
}

/**
 * All groups of calls that a mount, a name or a rule may concern. Signals are not among them, because the kernel itself
 * restricts them.
 */
const everyGroup: readonly NotifyGroup[] = [
  'opens',
  'creations',
  'deletions',
  'renames',
  'truncations',
  'metadata',
  'sockets',
  'executions',
  'descriptors',
  'listens',
  'accesses',
];

/**
 * Returns a plan without namespaces and mounts. Landlock grants the paths that binds would show, and the supervisor
 * answers every call about files and sockets. Throws `HF_GUARANTEE_MISSING` for a demand that needs a mount or a
 * namespace.
 */
export function adaptToLandlock(plan: Plan, { scratch, abi, terminals = '/dev/ptmx' }: LandlockPlace): Plan {
  refuseWhatNeedsMounts(plan);
  const mounts: readonly Mount[] = [
    ...plan.mounts.flatMap(withoutMounting),
    { kind: 'tmpfs', target: scratch, mode: 0o700, size: 0 },
  ];
  const asked = plan.notify.kind === 'supervisor' ? plan.notify.groups : [];
  return {
    ...plan,
    command: inScratch(plan.command, scratch),
    mounts,
    landlock: {
      ...plan.landlock,
      minimumAbi: abi,
      rules: [
        ...mounts.flatMap((mount) => rulesOf(mount, terminals)),
        ...plan.landlock.rules.filter(({ access }) => access === 'execute'),
      ],
    },
    notify: { kind: 'supervisor', groups: [...new Set([...everyGroup, ...asked])], reach: 'everything' },
    confinement: 'landlock',
  };
}

/** Old names of directories, and the directories themselves, are those of the host. */
function withoutMounting(mount: Mount): readonly Mount[] {
  switch (mount.kind) {
    case 'file':
      return [resolverOverTcp(mount)];
    case 'bind':
    case 'mask':
    case 'proc':
    case 'devices':
      return [mount];
    // A cache is only readable, because writes to it would be discarded.
    case 'overlay':
      return [
        {
          kind: 'bind',
          source: mount.lower,
          target: mount.target,
          access: 'read-only',
          ownership: 'as-is',
          identity: mount.identity,
          presence: 'optional',
        },
      ];
    // In a box with mounts this directory is empty, so only the box's own files in it are visible.
    case 'tmpfs':
      return [{ kind: 'directory', target: mount.target, mode: mount.mode }];
    case 'directory':
      return [mount];
    case 'symlink':
      return [];
  }
}

function refuseWhatNeedsMounts({ mounts, keeper, network, seccomp, requires }: Plan): void {
  const layered = mounts.some((mount) => mount.kind === 'overlay' && mount.layer !== undefined);
  if (layered || keeper !== undefined || requires.includes('fs.stage'))
    throw missing('fs.stage', 'writes can only be kept aside by a mount', 'run without --staged');
  const moved = mounts.find(
    (mount) =>
      (mount.kind === 'bind' && mount.source !== mount.target) ||
      (mount.kind === 'overlay' && mount.lower !== mount.target),
  );
  if (moved !== undefined)
    throw missing(
      'fs.read',
      `a path cannot be shown under another name (${moved.target})`,
      'grant it under its own name',
    );
  if (network.kind === 'names' && network.forward.length > 0)
    throw missing('net.names', "the box shares the host's ports", 'leave --forward out');
  if (seccomp.nesting === 'runtime')
    throw missing(
      'kernel.separate',
      'another kernel needs namespaces',
      'use --backend gvisor on a machine that allows them',
    );
}

function missing(guarantee: Guarantee, why: string, remedy: string): HoldfastError {
  return new HoldfastError(
    'HF_GUARANTEE_MISSING',
    `the landlock backend cannot enforce this plan: ${why} (guarantee: ${guarantee})`,
    { remedy: `${remedy}, or use --backend native`, details: { missing: [guarantee] } },
  );
}

/** Variables that are set if the caller had them. TMPDIR is always set. */
const temporary = ['TMP', 'TEMP', 'XDG_RUNTIME_DIR'] as const;

function inScratch(command: PlannedCommand, scratch: string): PlannedCommand {
  const had = temporary.filter((name) => command.environment[name] !== undefined);
  return {
    ...command,
    environment: { ...command.environment, TMPDIR: scratch, ...Object.fromEntries(had.map((name) => [name, scratch])) },
  };
}

/** Parts of `/proc` that do not belong to a process. The supervisor opens the rest, for the box's own processes. */
const systemFacts = [
  'cpuinfo',
  'meminfo',
  'stat',
  'uptime',
  'loadavg',
  'version',
  'filesystems',
  'cgroups',
  'devices',
  'swaps',
  'vmstat',
  'sys',
] as const;
/** Terminals are missing, because `/dev/pts` also has those of the user's other windows. */
const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty'] as const;

/** Returns the paths that the kernel lets the box open. The supervisor allows fewer. */
function rulesOf(mount: Mount, terminals: TerminalDevice): readonly LandlockRule[] {
  switch (mount.kind) {
    // Writable paths are only readable too: the supervisor writes for the box, and its descriptors carry that right.
    case 'bind':
    case 'tmpfs':
      return [{ path: mount.target, access: 'read' }];
    case 'proc':
      return systemFacts.map((name) => ({ path: `${mount.target}/${name}`, access: 'read' }));
    case 'devices':
      return [...devices.map((name) => `${mount.target}/${name}`), terminals].map((path) => ({
        path,
        access: 'devices',
      }));
    case 'overlay':
    case 'directory':
    case 'symlink':
    case 'file':
    case 'mask':
      return [];
  }
}
