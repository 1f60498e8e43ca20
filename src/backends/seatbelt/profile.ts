import { HoldfastError } from '../../errors/index.ts';
import type { Plan } from '../../plan/types.ts';
import { mountRules, pinRules, placeFilter, readsOf } from './mounts.ts';
import { pathsBelow, nameRules } from './names.ts';
import { exactText } from './patterns.ts';
import { list, sbplLiteral, sbplString, regex, rule, type SbplRule, ruleText, type Sbpl, subpath } from './sbpl.ts';

export interface SeatbeltOptions {
  /** Appears in the system's log with every violation. Each command has its own tag. */
  readonly tag: string;
  /**
   * Absolute path of a host directory for this box alone. It holds the plan's directories in memory: `/tmp` is at
   * `DIRECTORY/tmp`. It must be neither inside nor above a path that the plan shows.
   */
  readonly privateDirectory: string;
  /** Port of the host's loopback on which the supervisor's proxy listens. Ignored if the network is closed. */
  readonly proxyPort: number;
  /** The terminal device of the command. Default: none. */
  readonly terminal?: string;
  /** Default: the services that C libraries need. */
  readonly mach?: MachServices;
}

/**
 * Returns the profile of one box. Pure. Everything without a rule is refused. If several rules match, the last one
 * wins. Throws `HoldfastError` for a plan that a profile cannot express.
 */
export function seatbeltProfile(plan: Plan, options: SeatbeltOptions): string {
  checkOptions(plan, options);
  const { tag, privateDirectory, terminal, mach = { allow: [], block: [] } } = options;
  const rules = [
    ...baseRules(plan.seccomp.ptrace, readsOf(plan)),
    ...mountRules(plan, privateDirectory),
    ...deviceRules(terminal),
    ...nameRules({ protection: plan.protection, privateDirectory }),
    ...guardRules(plan),
    ...pinRules(plan),
    ...rule(
      'deny',
      ['process-exec*'],
      plan.programs.map(({ path }) => sbplLiteral(path)),
    ),
    ...machRules(mach),
    ...networkRules(plan, options),
  ];
  return [
    '(version 1)\n',
    `(deny default ${list('with', 'message', sbplString(tag))})\n`,
    ...rules.map((each) => ruleText(each, tag)),
  ].join('');
}

/** Files that git would run are read-only, unless the policy releases them. */
function guardRules({ protection: { guarded, released } }: Plan): readonly SbplRule[] {
  return rule('deny', ['file-write*'], guarded.filter((path) => !released.includes(path)).map(placeFilter));
}

function checkOptions({ mounts }: Plan, { privateDirectory, proxyPort }: SeatbeltOptions): void {
  if (!Number.isInteger(proxyPort) || proxyPort < 1 || proxyPort > 65_535) throw unusable(`${proxyPort} is not a port`);
  if (!/^(?:\/(?!\.{1,2}(?:\/|$))[^/]+)+$/u.test(privateDirectory))
    throw unusable(`${JSON.stringify(privateDirectory)} is not an absolute path of a directory`);
  const met = mounts.find(
    ({ kind, target }) =>
      (kind === 'bind' || kind === 'overlay' || kind === 'mask') &&
      (isWithin(target, privateDirectory) || isWithin(privateDirectory, target)),
  );
  if (met !== undefined) throw unusable(`${privateDirectory} cannot be private to a box that is shown ${met.target}`);
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || pathsBelow(directory, [path]).length > 0;
}

function unusable(message: string): HoldfastError {
  return new HoldfastError('HF_INTERNAL', message, { remedy: 'give a directory and a port of the session' });
}

/**
 * A profile cannot name hosts, so an open network leads only to the loopback port of the supervisor's proxy. The
 * loopback is the host's, so all its other ports are closed, even those on which the box itself listens.
 */
function networkRules(
  { network, mounts, protection }: Pick<Plan, 'network' | 'mounts' | 'protection'>,
  { proxyPort, privateDirectory }: { readonly proxyPort: number; readonly privateDirectory: string },
): readonly SbplRule[] {
  const shown =
    network.kind === 'closed'
      ? []
      : network.forward.map(({ box }) => list('local', 'tcp', sbplString(`localhost:${box}`)));
  const sockets = [
    ...mounts.flatMap((mount) => (mount.kind === 'bind' && mount.identity.type === 'other' ? [mount.target] : [])),
    ...protection.released,
  ];
  const own = list('subpath', sbplString(privateDirectory));
  return [
    { decision: 'deny', operations: ['network*'], filters: [] },
    ...rule(
      'allow',
      ['network-outbound'],
      network.kind === 'closed' ? [] : [list('remote', 'tcp', sbplString(`localhost:${proxyPort}`))],
    ),
    ...rule('allow', ['network-bind', 'network-inbound'], shown),
    ...rule('allow', ['system-socket'], [list('socket-domain', 'AF_UNIX')]),
    ...rule(
      'allow',
      ['network-outbound'],
      [
        ...sockets.map((path) => list('remote', 'unix-socket', list('path-literal', sbplString(path)))),
        list('remote', 'unix-socket', own),
      ],
    ),
    ...rule('allow', ['network-bind', 'network-inbound'], [list('local', 'unix-socket', own)]),
  ];
}

/**
 * Mach services, or prefixes of their names, to allow or block in addition to the defaults of every box. Blocking wins
 * over allowing.
 */
interface MachServices {
  readonly allow: readonly string[];
  readonly block: readonly string[];
}

/** Services that C libraries use: users and groups, the log, notifications about time zones. */
const neededServices = [
  'com.apple.bsd.dirhelper',
  'com.apple.logd',
  'com.apple.system.logger',
  'com.apple.system.notification_center',
  'com.apple.system.opendirectoryd.libinfo',
  'com.apple.system.opendirectoryd.membership',
] as const;

/**
 * Services that act outside the box for any caller. They start programs and jobs, script other programs, or use the
 * clipboard, the screen, keys or the network.
 */
const blockedServices = [
  'com.apple.coreservices.',
  'com.apple.lsd.',
  'com.apple.xpc.launchd.',
  'com.apple.appleevents',
  'com.apple.automator.',
  'com.apple.pasteboard.',
  'com.apple.windowserver',
  'com.apple.screencapture',
  'com.apple.replayd',
  'com.apple.tccd',
  'com.apple.authd',
  'com.apple.authhost',
  'com.apple.SecurityServer',
  'com.apple.securityd',
  'com.apple.trustd',
  'com.apple.mDNSResponder',
  'com.apple.dnssd.',
  'com.apple.nsurlsessiond',
  'com.apple.networkd',
  'com.apple.nehelper',
  'com.apple.diskarbitration',
] as const;

/**
 * Numbers of processors, sizes and versions. `kern.procargs2` is missing, because it reveals the arguments of every
 * process.
 */
const sysctls = [
  'kern.argmax',
  'kern.hostname',
  'kern.maxfilesperproc',
  'kern.maxproc',
  'kern.ngroups',
  'kern.osproductversion',
  'kern.osrelease',
  'kern.ostype',
  'kern.osvariant_status',
  'kern.osversion',
  'kern.secure_kernel',
  'kern.usrstack64',
  'kern.version',
  'sysctl.proc_cputype',
  'vm.loadavg',
] as const;
const sysctlPrefixes = ['hw.', 'machdep.cpu.'] as const;

/** Paths that every program of a Mac needs to start: the loader, its caches and the system's libraries. */
const systemPlaces = [
  '/System/Library',
  '/System/Volumes/Preboot/Cryptexes',
  '/System/Cryptexes',
  '/Library/Apple/System/Library',
  '/usr/lib',
  '/private/var/db/dyld',
  '/private/var/db/timezone',
  '/private/var/select',
] as const;

const devices = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'] as const;

/** Rules that do not depend on a plan. They come before the plan's own rules. */
function baseRules(ptrace: 'allow' | 'deny', reads: readonly string[]): readonly SbplRule[] {
  const inside = list('target', 'same-sandbox');
  return [
    ...rule('allow', reads, systemPlaces.map(subpath)),
    ...rule('allow', ['file-read-data'], [sbplLiteral('/')]),
    { decision: 'allow', operations: ['process-fork'], filters: [] },
    ...rule('allow', ['process-info*'], [inside]),
    ...rule('allow', ['signal'], [list('target', 'self'), list('target', 'children'), inside]),
    ...rule('allow', ['mach-priv-task-port'], ptrace === 'allow' ? [inside] : []),
    ...rule(
      'allow',
      ['sysctl-read'],
      [
        ...sysctls.map((name) => list('sysctl-name', sbplString(name))),
        ...sysctlPrefixes.map((prefix) => list('sysctl-name-prefix', sbplString(prefix))),
      ],
    ),
    ...rule(
      'allow',
      ['ipc-posix-shm-read-data'],
      [list('ipc-posix-name', sbplString('apple.shm.notification_center'))],
    ),
    ...rule('allow', ['iokit-open'], [list('iokit-registry-entry-class', sbplString('RootDomainUserClient'))]),
  ];
}

/** Rules that follow those about files: the few devices, and terminals. `terminal` is the command's own. */
function deviceRules(terminal: string | undefined): readonly SbplRule[] {
  const own = terminal === undefined ? [] : [sbplLiteral(terminal), sbplLiteral('/dev/tty')];
  // Attack: a terminal of another window, which belongs to the same user, and into which a program can push key
  // strokes.
  const opened = list(
    'require-all',
    regex('^/dev/ttys[0-9]+$'),
    list('extension', sbplString('com.apple.sandbox.pty')),
  );
  return [
    ...rule('allow', ['file-read*', 'file-write-data'], devices.map(sbplLiteral)),
    ...rule('allow', ['file-read*'], [subpath('/dev/fd')]),
    { decision: 'allow', operations: ['pseudo-tty'], filters: [] },
    ...rule('allow', ['file-read*', 'file-write-data', 'file-ioctl'], [...own, sbplLiteral('/dev/ptmx'), opened]),
  ];
}

function machRules({ allow, block }: MachServices): readonly SbplRule[] {
  const blocked = [...blockedServices, ...block].map(
    (prefix): Sbpl => list('global-name-regex', sbplString(`^${exactText(prefix)}`)),
  );
  return [
    ...rule(
      'allow',
      ['mach-lookup'],
      [...neededServices, ...allow].map((name) => list('global-name', sbplString(name))),
    ),
    ...rule('deny', ['mach-lookup'], blocked),
  ];
}

/** Example values. A real session would choose its own. */
const places = {
  tag: 'holdfast',
  privateDirectory: '/private/var/run/holdfast/BOX',
  proxyPort: 1,
  profile: '/private/var/run/holdfast/BOX.sb',
} as const;

/**
 * Returns the profile of a plan for a person, with its label and the command line that would start its command. The
 * text is itself a valid profile.
 */
export function describeProfile(plan: Plan): string {
  const notes = [
    'generated, not run: no machine of this project has tried this profile',
    `the session's own would stand for the tag ${places.tag}, the directory ${places.privateDirectory} and the proxy's port ${places.proxyPort}`,
    `started as ${JSON.stringify(seatbeltCommand(plan, places))}`,
  ];
  return `${notes.map((note) => `; ${note}\n`).join('')}${seatbeltProfile(plan, places)}`;
}

/** The same path on every Mac. No program from `PATH` may replace it. */
const sandboxExec = '/usr/bin/sandbox-exec';

/**
 * Returns the command line that starts a command under the profile in a file. The box must not be able to write that
 * file. No shell reads the command line.
 */
export function seatbeltCommand(
  { command }: Pick<Plan, 'command'>,
  { profile }: { readonly profile: string },
): readonly string[] {
  if (!profile.startsWith('/'))
    throw new HoldfastError('HF_INTERNAL', `${JSON.stringify(profile)} is not an absolute path of a profile`, {
      remedy: 'give the path of the file that the supervisor has written',
    });
  // Attack: a program whose name is an option of `sandbox-exec`, such as `-p` with another profile.
  return [sandboxExec, '-f', profile, '--', ...command.argv];
}
