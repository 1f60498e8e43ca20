import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { kernelCall, KernelError, oPath, openAt, resolve } from '../../kernel/index.ts';
import { openFlags } from '../perform/open-flags.ts';
import { asJudged } from '../perform/side.ts';
import type { Supervision } from '../supervise/context.ts';
import { toBytes } from '../view/byte-text.ts';
import { linkText } from '../view/caller.ts';
import { errno, type Whole } from './whole.ts';

/** `named`: it leads to a file with a path, which must be judged. */
export type Special =
  | { readonly kind: 'open'; readonly descriptor: number }
  | { readonly kind: 'pipe'; readonly descriptor: number }
  | { readonly kind: 'named'; readonly path: string }
  | { readonly kind: 'failed'; readonly errno: number };

const failed = (number: number): Special => ({ kind: 'failed', errno: number });
const careful = openFlags.nonBlocking | openFlags.noTerminal;
const wanted = openFlags.accessMode | openFlags.append | openFlags.directory;

/** Devices that neither reveal nor change anything about the machine. */
const harmless: ReadonlySet<string> = new Set(['null', 'zero', 'full', 'random', 'urandom']);

export interface SpecialWish {
  readonly path: string;
  readonly flags: number;
  readonly thread: number;
  readonly terminals: Terminals;
}

/** A real path below `/dev`. */
export function openDevice(whole: Whole, { path, flags, thread, terminals }: SpecialWish): Special {
  const name = path.slice('/dev/'.length);
  if (harmless.has(name)) return opened(whole, path, flags);
  if (name === 'tty') return openOwnTerminal(whole, thread, flags);
  if (name === 'ptmx' || name === 'pts/ptmx') return openMaster(whole, terminals, flags);
  const [, slave = ''] = /^pts\/(\d+)$/u.exec(name) ?? [];
  const made = terminals.at(slave);
  if (made !== undefined) return reopened(made, flags);
  if (slave !== '' && path === terminalOf(thread)) return opened(whole, path, flags);
  // A missing file is missing for everyone.
  return failed(errno.noEntry);
}

function openMaster(whole: Whole, terminals: Terminals, flags: number): Special {
  const master = opened(whole, '/dev/ptmx', flags);
  try {
    if (master.kind === 'open') terminals.note(master.descriptor);
    return master;
  } catch (error) {
    if (master.kind === 'open') closeSync(master.descriptor);
    throw error;
  }
}

function openOwnTerminal(whole: Whole, thread: number, flags: number): Special {
  const terminal = terminalOf(thread);
  return terminal === undefined ? failed(errno.noDevice) : opened(whole, terminal, flags);
}

/**
 * The controlling terminal of a process: `proc_pid_stat(5)`, `tty_nr`. Terminals of devpts have the major numbers 136
 * to 143.
 */
function terminalOf(thread: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${thread}/stat`, 'latin1');
    const device = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[4]);
    const [major, minor] = [(device >> 8) & 0xfff, (device & 0xff) | ((device >> 12) & 0xfff00)];
    return major < 136 || major > 143 ? undefined : `/dev/pts/${minor + (major - 136) * 256}`;
  } catch {
    return undefined;
  }
}

/** Files of procfs about the machine that reveal nothing about its processes. */
const machine: ReadonlySet<string> = new Set([
  'cpuinfo',
  'devices',
  'filesystems',
  'loadavg',
  'meminfo',
  'stat',
  'swaps',
  'uptime',
  'version',
  'vmstat',
]);

/** A path below `/proc`, with `self` replaced by a number. */
export function openProcessFile(whole: Whole, { path, flags }: SpecialWish): Special {
  const [, pid, rest = ''] = /^\/+proc\/+(\d+)(?:\/+(.*))?$/u.exec(path) ?? [];
  const name = path.replace(/^\/+proc\/*/u, '');
  if (pid !== undefined) return openOfProcess(whole, { pid, rest, flags });
  if ((flags & openFlags.accessMode) !== 0) return failed(errno.readOnly);
  const isShown = name === '' || machine.has(name) || /^sys(?:$|\/(?:$|kernel|vm|fs)(?:$|\/))/u.test(name);
  return isShown ? opened(whole, path, flags) : failed(errno.accessDenied);
}

interface ProcessFile {
  readonly pid: string;
  readonly rest: string;
  readonly flags: number;
}

/** Through its memory, a process could be made to do anything. These files also change a process. */
const closed =
  /^(?:task\/+\d+\/+)?(?:mem|clear_refs|(?:u|g)id_map|setgroups|net(?:$|\/.*)|seccomp_cache|syscall|stack)$/u;
/** Files through which a process may change itself. */
const writable = /^(?:task\/+\d+\/+)?(?:comm|oom_score_adj|coredump_filter|timerslack_ns)$/u;

/**
 * Opens the directory first. The PID may belong to another process a moment later, but the open directory stays the
 * same.
 */
function openOfProcess(whole: Whole, { pid, rest, flags }: ProcessFile): Special {
  const directory = openAt(whole.supervision.view.root, toBytes(`proc/${pid}`), {
    flags: oPath | openFlags.directory,
    resolve: asJudged,
  });
  try {
    if (!whole.processes.has(Number(pid)) || closed.test(rest) || /(?:^|\/)\.\.(?:\/|$)/u.test(rest))
      return failed(errno.accessDenied);
    const writes = (flags & openFlags.accessMode) !== 0;
    const link = /^(?:task\/+\d+\/+)?(?:fd\/+\d+|exe|cwd|root)(?:$|\/)/u.exec(rest)?.[0];
    if (link !== undefined)
      return throughLink(directory, { link: link.replace(/\/$/u, ''), beyond: rest.slice(link.length), flags });
    if (writes && !writable.test(rest)) return failed(errno.readOnly);
    return {
      kind: 'open',
      descriptor: openAt(directory, toBytes(rest === '' ? '.' : rest), {
        flags: (flags & wanted) | careful,
        resolve: asJudged,
      }),
    };
  } finally {
    closeSync(directory);
  }
}

interface Link {
  readonly link: string;
  readonly beyond: string;
  readonly flags: number;
}

/**
 * The file behind a descriptor of the box. The supervisor keeps it open during the check, because another thread may
 * replace it.
 */
function throughLink(directory: number, { link, beyond, flags }: Link): Special {
  const held = openAt(directory, toBytes(link), { flags: oPath });
  try {
    const text = linkText(`/proc/self/fd/${held}`) ?? '';
    const found = fstatSync(held);
    const isNamed =
      text.startsWith('/') && !text.startsWith('/memfd:') && !(text.endsWith(' (deleted)') && found.nlink === 0);
    if (isNamed) return { kind: 'named', path: beyond === '' ? text : `${text === '/' ? '' : text}/${beyond}` };
    if (found.isSocket() || beyond !== '') return failed(errno.noDevice);
    return reopened(held, flags);
  } finally {
    closeSync(held);
  }
}

const setStatusFlags = 4;
const permitted = openFlags.append | openFlags.nonBlocking | openFlags.direct | openFlags.async;

/** Opens the very file that a descriptor refers to. */
function reopened(held: number, flags: number): Special {
  const descriptor = openAt(0, `/proc/self/fd/${held}`, { flags: (flags & wanted) | careful });
  kernelCall('fcntl', descriptor, setStatusFlags, flags & permitted);
  return { kind: 'open', descriptor };
}

function opened({ supervision: { view } }: Whole, path: string, flags: number): Special {
  const descriptor = openAt(view.root, toBytes(path.replace(/^\/+/u, '')), {
    flags: (flags & wanted) | careful,
    resolve: resolve.inRoot | resolve.noMagicLinks,
  });
  kernelCall('fcntl', descriptor, setStatusFlags, flags & permitted);
  return { kind: 'open', descriptor };
}

/** Terminals that the box has made. The user's other terminals are out of its reach. */
export interface Terminals {
  /** Throws `KernelError` (`ENOSPC`) if the box already has the maximum. */
  note(master: number): void;
  /**
   * A descriptor of the terminal with this number, which this object owns. Undefined if the box made none, or it is
   * gone.
   */
  at(number: string): number | undefined;
}

/** Terminals at one time. */
const most = 256;
const noSpace = 28;
/** `TIOCGPTN`. */
const terminalNumber = 0x8004_5430;

/**
 * Keeps the terminal itself, not its number, because the next terminal may get that number. Attack: open and close
 * twenty, and read the keys typed in the user's next window. `root` is a descriptor of the box's root directory.
 */
export function openTerminals(root: number, atEnd: Supervision['atEnd']): Terminals {
  const slaves = new Map<string, number>();
  atEnd(() => [...slaves.values()].forEach((slave) => closeSync(slave)));
  const forgetGone = (): void => {
    for (const [number, slave] of slaves) {
      if (fstatSync(slave).nlink > 0) continue;
      slaves.delete(number);
      closeSync(slave);
    }
  };
  return {
    note(master) {
      forgetGone();
      if (slaves.size >= most) throw new KernelError('open', noSpace);
      const number = numberOf(master);
      slaves.set(number, openAt(root, `dev/pts/${number}`, { flags: oPath | openFlags.noFollow, resolve: asJudged }));
    },
    at(number) {
      forgetGone();
      return slaves.get(number);
    },
  };
}

function numberOf(master: number): string {
  const number = Buffer.alloc(4);
  kernelCall('ioctl', master, terminalNumber, number);
  return String(number.readUInt32LE(0));
}
