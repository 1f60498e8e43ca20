import { lstatSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import process from 'node:process';
import { HoldfastError } from '../../errors/index.ts';
import { type Mount, resolverOptions, type RootFile } from '../../plan/mount.ts';
import type { Guarantee, LandlockRule, NotifyGroup, Plan, PlannedCommand } from '../../plan/types.ts';
import type { Backend, BackendPresence, BackendStart, BoxPlace, LaunchedBox } from '../backend.ts';
import { encodePlan } from '../launcher/encode-plan.ts';
import { launch } from '../launcher/launch.ts';
import { notifyFor, plainFor, seccompFor } from '../seccomp.ts';
import { landlockGuarantees, promisedAbi } from './landlock-abi.ts';

const moduleList = '/sys/kernel/security/lsm';

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

/**
 * Returns the resolver file for a box without datagrams, in which glibc, Go and c-ares query over TCP. Leaves other
 * files as they are.
 */
function resolverOverTcp(file: RootFile): RootFile {
  return file.content.endsWith(resolverOptions) && file.content.startsWith('nameserver ')
    ? {
        ...file,
        content: file.content.replace(resolverOptions, `options use-vc${resolverOptions.slice('options'.length)}`),
      }
    : file;
}
