/**
 * The pure part of the Windows backend: the steps of a launcher for Windows, as data. It is generated, not run, because
 * this project has no Windows machine. So it is not a `Backend`, and `holdfast plan` only prints it.
 */
import { HoldfastError } from '../../errors/index.ts';
import type { Guarantee, NetworkPlan, Plan, ProtectedName } from '../../plan/types.ts';
import { type AccessEntry, accessOf, type Identity, pathKey, rights, sddlOf, windowsIdentity } from './access.ts';
import { type Gap, type Job, jobOf, limitGaps, planGaps } from './job.ts';
import { canonicalPath, type DriveMapping, windowsPath } from './paths.ts';

/** Example values, and a drive for the paths of this machine. A real session would choose its own. */
const places = {
  identity: 'appcontainer',
  tag: 'box',
  drives: [{ posix: '/', windows: 'C:\\' }],
  privateDirectory: 'C:\\ProgramData\\holdfast\\box',
  proxyPort: 1,
  processors: 1,
} as const;

export interface WindowsOptions {
  readonly identity: Identity['kind'];
  /** A tag for each box: letters, digits, dots and hyphens, at most 50. */
  readonly tag: string;
  readonly drives: readonly DriveMapping[];
  /** Absolute path of a directory for this box alone. */
  readonly privateDirectory: string;
  /** Port of the host's loopback on which the supervisor's proxy listens. Ignored if the network is closed. */
  readonly proxyPort: number;
  readonly processors: number;
  /** Names that the launcher found by `search`. Default: none. */
  readonly found?: readonly WindowsFoundName[];
}

/** A name of `Plan.protection` that exists when the box starts. */
export interface WindowsFoundName {
  /** Windows path. */
  readonly path: string;
  readonly type: 'file' | 'directory';
  readonly effect: ProtectedName['effect'];
}

/** The steps of a launcher for Windows, in this order. */
interface WindowsPlan {
  readonly status: 'generated, not run';
  /** The first search. Each name that exists becomes a `FoundName`. */
  readonly search: { readonly roots: readonly string[]; readonly names: Plan['protection']['names'] };
  readonly identity: Identity;
  readonly job: Job;
  /** Entries to add to each path, also as text. */
  readonly access: readonly PathAccess[];
  /** Directories that programs with low integrity may write to. Empty for an AppContainer, which needs no label. */
  readonly lowLabels: readonly string[];
  readonly fence: Fence;
  readonly command: {
    readonly line: CommandLine;
    readonly directory: string | undefined;
    readonly environment: Plan['command']['environment'];
  };
  /** Parts of the plan that Windows cannot enforce. */
  readonly cannot: readonly Gap[];
  /** Guarantees that the plan requires and Windows lacks. A launcher must refuse a plan with any of these. */
  readonly refuses: readonly Guarantee[];
}

interface PathAccess {
  readonly path: string;
  readonly sddl: string;
  readonly entries: readonly Omit<AccessEntry, 'path'>[];
}

const tokenGaps: readonly Gap[] = [
  { guarantee: 'fs.read', what: 'grants to Everyone or to Users also hold for the box' },
  { guarantee: 'net.closed', what: 'whether a filter can tell a restricted token from its user was never tried' },
  { guarantee: 'ipc', what: 'named objects of the session can be opened where their access lists allow it' },
];

type CommandLine =
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'none'; readonly reason: string };

/** Windows accepts at most this many letters, including the terminator. */
const longest = 32_767;

/**
 * A filter of the Windows Filtering Platform. Filters with a higher weight are checked first. All belong to a dynamic
 * session that ends with the launcher.
 */
interface Filter {
  readonly layer:
    | 'ALE_AUTH_CONNECT_V4'
    | 'ALE_AUTH_CONNECT_V6'
    | 'ALE_AUTH_RECV_ACCEPT_V4'
    | 'ALE_AUTH_RECV_ACCEPT_V6'
    | 'ALE_AUTH_LISTEN_V4'
    | 'ALE_AUTH_LISTEN_V6';
  readonly action: 'block' | 'permit';
  readonly weight: number;
  readonly conditions: readonly Condition[];
}

interface Condition {
  readonly field: 'ALE_PACKAGE_ID' | 'ALE_USER_ID' | 'IP_PROTOCOL' | 'IP_REMOTE_ADDRESS' | 'IP_REMOTE_PORT';
  readonly equals: string;
}

interface Fence {
  readonly filters: readonly Filter[];
  /** Whether the profile needs an exemption for loopback, which is closed to every AppContainer. */
  readonly loopbackExemption: 'none' | 'needed';
}

const layers: readonly Filter['layer'][] = [
  'ALE_AUTH_CONNECT_V4',
  'ALE_AUTH_CONNECT_V6',
  'ALE_AUTH_RECV_ACCEPT_V4',
  'ALE_AUTH_RECV_ACCEPT_V6',
  'ALE_AUTH_LISTEN_V4',
  'ALE_AUTH_LISTEN_V6',
];

/** Returns the steps of a plan on Windows, with their label, as JSON. */
export function describeWindows(plan: Plan): WindowsPlan & { readonly notes: readonly string[] } {
  return {
    notes: [
      'generated, not run: no machine of this project has tried this plan',
      'the words of the command and its environment are those of this machine',
      'the paths of this machine are below C:\\',
      `a real session has its own values for the tag ${places.tag}, the directory ${places.privateDirectory}, the proxy's port ${places.proxyPort} and ${places.processors} processor`,
      'the launcher looks for protected and hidden names when the box starts; each existing one gets a refusing entry',
    ],
    ...windowsPlan(plan, places),
  };
}

/** Returns the steps of a plan. Pure. Throws `HoldfastError` for options that no session would use. */
export function windowsPlan(plan: Plan, options: WindowsOptions): WindowsPlan {
  checkOptions(options);
  const identity = windowsIdentity(options.identity, options.tag);
  const resolve = (posix: string): string | undefined => pathOf(posix, options.drives);
  const access = accessOf({
    plan,
    resolve,
    privateDirectory: options.privateDirectory,
    denials: (options.found ?? []).flatMap(foundEntries),
  });
  const cannot = [
    ...planGaps(plan),
    ...limitGaps(plan.limits),
    ...pathGaps(plan, options.drives),
    ...(identity.kind === 'restricted-token' ? tokenGaps : []),
  ];
  return {
    status: 'generated, not run',
    search: {
      roots: [...plan.protection.roots, ...plan.protection.shownRoots].flatMap((root) => resolve(root) ?? []),
      names: plan.protection.names,
    },
    identity,
    job: jobOf(plan.limits, options.processors),
    access: byPath(access, identity.sid),
    lowLabels:
      identity.kind === 'appcontainer'
        ? []
        : access.flatMap(({ effect, mask, path }) => (effect === 'allow' && mask === rights.modify ? [path] : [])),
    fence: fenceOf(plan.network, identity, options.proxyPort),
    command: {
      line: commandLine(plan.command.argv),
      directory: resolve(plan.command.cwd),
      environment: plan.command.environment,
    },
    cannot,
    refuses: plan.requires.filter((guarantee) => cannot.some((gap) => gap.guarantee === guarantee)),
  };
}

function foundEntries({ path, type, effect }: WindowsFoundName): readonly AccessEntry[] {
  const inherit = type === 'directory' ? 'tree' : 'none';
  switch (effect) {
    case 'hidden':
    case 'withheld':
    case 'suspect':
      return [{ path, effect: 'deny', mask: rights.everything, inherit, why: effect }];
    case 'read-only':
      return [{ path, effect: 'deny', mask: rights.changing, inherit, why: effect }];
    case 'pinned':
      return [
        {
          path,
          effect: 'deny',
          mask: type === 'directory' ? rights.moving : rights.changing,
          inherit: 'none',
          why: effect,
        },
      ];
  }
}

/** Paths that are shown under another path, or have a name that Windows lacks. */
function pathGaps({ mounts }: Plan, drives: readonly DriveMapping[]): readonly Gap[] {
  const moved = mounts.flatMap((mount): readonly Gap[] =>
    mount.kind === 'bind' && mount.source !== mount.target
      ? [{ guarantee: 'fs.read', what: `${mount.source} cannot be shown at ${mount.target}` }]
      : [],
  );
  const nameless = mounts.flatMap((mount): readonly Gap[] => {
    const posix =
      mount.kind === 'bind'
        ? mount.source
        : mount.kind === 'overlay'
          ? mount.lower
          : mount.kind === 'mask'
            ? mount.target
            : undefined;
    const mapped = posix === undefined ? undefined : windowsPath(posix, drives);
    return mapped?.kind === 'none'
      ? [
          {
            guarantee: mount.kind === 'mask' ? 'fs.deny-in-allow' : 'fs.read',
            what: `${posix ?? ''} has no path there: ${mapped.reason}`,
          },
        ]
      : [];
  });
  return [...moved, ...nameless];
}

function byPath(entries: readonly AccessEntry[], sid: string): readonly PathAccess[] {
  return [...Map.groupBy(entries, ({ path }) => pathKey(path)).values()].map((all) => ({
    path: all[0]?.path ?? '',
    sddl: sddlOf(all, sid),
    entries: all.map(({ path: _path, ...entry }) => entry),
  }));
}

function pathOf(posix: string, drives: readonly DriveMapping[]): string | undefined {
  const mapped = windowsPath(posix, drives);
  return mapped.kind === 'path' ? mapped.path : undefined;
}

function checkOptions({ tag, drives, privateDirectory, proxyPort, processors, found = [] }: WindowsOptions): void {
  const bad = [privateDirectory, ...drives.map(({ windows }) => windows), ...found.map(({ path }) => path)].find(
    (path) => canonicalPath(path).kind === 'none',
  );
  if (bad !== undefined) throw unusable(`${JSON.stringify(bad)} is not a path of a drive`);
  // Windows accepts at most 64 letters for the name of a profile.
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,48}[A-Za-z0-9])?$/u.test(tag))
    throw unusable(`${JSON.stringify(tag)} is not a tag of a box`);
  if (!Number.isInteger(proxyPort) || proxyPort < 1 || proxyPort > 65_535) throw unusable(`${proxyPort} is not a port`);
  if (!Number.isInteger(processors) || processors < 1) throw unusable(`${processors} is not a number of processors`);
}

function unusable(message: string): HoldfastError {
  return new HoldfastError('HF_INTERNAL', message, { remedy: 'give the values of the session' });
}

/**
 * Joins arguments into the text for `CreateProcess`, which `CommandLineToArgvW` splits into the same arguments. Refuses
 * batch files: their interpreter splits by other rules, so an argument could become a command.
 */
export function commandLine(argv: readonly string[]): CommandLine {
  const [program = ''] = argv;
  if (/\.(?:bat|cmd)[. ]*$/iu.test(program))
    return { kind: 'none', reason: 'the words of a batch file are read as commands' };
  if (program === '' || /["\0]/u.test(program) || argv.some((word) => word.includes('\0')))
    return { kind: 'none', reason: 'a word cannot be written down' };
  // The first argument ends at the next quotation mark, and its backslashes are literal.
  const line = [`"${program}"`, ...argv.slice(1).map(quoted)].join(' ');
  return line.length >= longest ? { kind: 'none', reason: 'the words are too long together' } : { kind: 'line', line };
}

/** Two backslashes before a quotation mark count as one. */
function quoted(word: string): string {
  if (word !== '' && !/[\s"]/u.test(word)) return word;
  return `"${word.replaceAll(/(?<!\\)(\\*)"/gu, String.raw`$1$1\"`).replace(/(?<!\\)(\\+)$/u, '$1$1')}"`;
}

/**
 * Blocks everything, in both directions and both families. An open network allows only TCP to the proxy's port on
 * loopback.
 */
function fenceOf(network: NetworkPlan, identity: Identity, proxyPort: number): Fence {
  const who: Condition = {
    field: identity.kind === 'appcontainer' ? 'ALE_PACKAGE_ID' : 'ALE_USER_ID',
    equals: identity.sid,
  };
  const blocked = layers.map((layer): Filter => ({ layer, action: 'block', weight: 1, conditions: [who] }));
  if (network.kind === 'closed') return { filters: blocked, loopbackExemption: 'none' };
  const proxy: readonly Condition[] = [
    who,
    { field: 'IP_PROTOCOL', equals: 'TCP' },
    { field: 'IP_REMOTE_ADDRESS', equals: '127.0.0.1' },
    { field: 'IP_REMOTE_PORT', equals: String(proxyPort) },
  ];
  return {
    filters: [{ layer: 'ALE_AUTH_CONNECT_V4', action: 'permit', weight: 2, conditions: proxy }, ...blocked],
    loopbackExemption: identity.kind === 'appcontainer' ? 'needed' : 'none',
  };
}
