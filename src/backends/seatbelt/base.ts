import { exactText } from './patterns.ts';
import { list, literal, quoted, regex, rule, subpath, type Rule, type Sbpl } from './sbpl.ts';

/** Mach services and prefixes of their names, in addition to those that every box has or never has. What is blocked is so although it is allowed. */
export interface MachServices {
  readonly allow: readonly string[];
  readonly block: readonly string[];
}

/** What C libraries ask for: users and groups, the log, notifications about time zones. */
const neededServices = ['com.apple.bsd.dirhelper', 'com.apple.logd', 'com.apple.system.logger', 'com.apple.system.notification_center', 'com.apple.system.opendirectoryd.libinfo', 'com.apple.system.opendirectoryd.membership'] as const;

/** Services that act outside of the box for whoever asks: programs and jobs, scripts of other programs, clipboard, screen, keys, the network. */
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

/** Numbers of processors, sizes and versions. Not `kern.procargs2`, which tells the arguments of every process. */
const sysctls = ['kern.argmax', 'kern.hostname', 'kern.maxfilesperproc', 'kern.maxproc', 'kern.ngroups', 'kern.osproductversion', 'kern.osrelease', 'kern.ostype', 'kern.osvariant_status', 'kern.osversion', 'kern.secure_kernel', 'kern.usrstack64', 'kern.version', 'sysctl.proc_cputype', 'vm.loadavg'] as const;
const sysctlPrefixes = ['hw.', 'machdep.cpu.'] as const;

/** What every program of a Mac is started with: the loader, its caches and the libraries of the system. */
const systemPlaces = ['/System/Library', '/System/Volumes/Preboot/Cryptexes', '/System/Cryptexes', '/Library/Apple/System/Library', '/usr/lib', '/private/var/db/dyld', '/private/var/db/timezone', '/private/var/select'] as const;

const devices = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'] as const;

/** What does not depend on a plan, and comes before it. */
export function baseRules(ptrace: 'allow' | 'deny', reads: readonly string[]): readonly Rule[] {
  const inside = list('target', 'same-sandbox');
  return [
    ...rule('allow', reads, systemPlaces.map(subpath)),
    ...rule('allow', ['file-read-data'], [literal('/')]),
    { decision: 'allow', operations: ['process-fork'], filters: [] },
    ...rule('allow', ['process-info*'], [inside]),
    ...rule('allow', ['signal'], [list('target', 'self'), list('target', 'children'), inside]),
    ...rule('allow', ['mach-priv-task-port'], ptrace === 'allow' ? [inside] : []),
    ...rule('allow', ['sysctl-read'], [...sysctls.map((name) => list('sysctl-name', quoted(name))), ...sysctlPrefixes.map((prefix) => list('sysctl-name-prefix', quoted(prefix)))]),
    ...rule('allow', ['ipc-posix-shm-read-data'], [list('ipc-posix-name', quoted('apple.shm.notification_center'))]),
    ...rule('allow', ['iokit-open'], [list('iokit-registry-entry-class', quoted('RootDomainUserClient'))]),
  ];
}

/** After the rules about files: the few devices, and terminals. `terminal` is the one that the command is started at. */
export function deviceRules(terminal: string | undefined): readonly Rule[] {
  const own = terminal === undefined ? [] : [literal(terminal), literal('/dev/tty')];
  // Attack: a terminal of another window is the same user's, and takes keys that are pushed into it.
  const opened = list('require-all', regex('^/dev/ttys[0-9]+$'), list('extension', quoted('com.apple.sandbox.pty')));
  return [
    ...rule('allow', ['file-read*', 'file-write-data'], devices.map(literal)),
    ...rule('allow', ['file-read*'], [subpath('/dev/fd')]),
    { decision: 'allow', operations: ['pseudo-tty'], filters: [] },
    ...rule('allow', ['file-read*', 'file-write-data', 'file-ioctl'], [...own, literal('/dev/ptmx'), opened]),
  ];
}

export function machRules({ allow, block }: MachServices): readonly Rule[] {
  const blocked = [...blockedServices, ...block].map((prefix): Sbpl => list('global-name-regex', quoted(`^${exactText(prefix)}`)));
  return [...rule('allow', ['mach-lookup'], [...neededServices, ...allow].map((name) => list('global-name', quoted(name)))), ...rule('deny', ['mach-lookup'], blocked)];
}
