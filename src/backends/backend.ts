/**
 * The backends room: it renders a `Plan` into a running box, and says what each backend can promise.
 *
 * Policy may not enter: a backend sees the plan only. A new backend needs a folder with a `Backend`, attacks that pass
 * on it, and a row in `docs/guarantees.md`.
 */
import type { ChildProcess } from 'node:child_process';
import type { Socket as DatagramSocket } from 'node:dgram';
import type { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { CgroupFacts } from '../plan/facts.ts';
import type { Guarantee, Plan, PlannedCommand } from '../plan/types.ts';

export const backendNames = ['native', 'bubblewrap', 'landlock', 'gvisor', 'microvm'] as const;
export type BackendName = (typeof backendNames)[number];

export type Strength = 'kernel' | 'partial' | 'none';
export type GuaranteeVector = Readonly<Record<Guarantee, Strength>>;

/** Facts on which a backend's promises depend. */
export interface BackendFacts {
  readonly uid: number;
  readonly cgroups: CgroupFacts;
}

export type Descriptor = 'inherit' | 'pipe' | 'ignore' | number;

export interface BackendStart {
  /** Absolute path of `holdfast-launch`. */
  readonly launcher: string;
  /** For descriptors 0, 1 and 2 of the command. */
  readonly stdio: readonly [Descriptor, Descriptor, Descriptor];
  /** `tail`: keeps the last 64 KiB of stderr to explain refusals. A terminal is always direct. */
  readonly stderr: 'direct' | 'tail';
  /**
   * `own`: descriptor 0 is a terminal made for this command, and becomes its controlling one. `none`: the command has no
   * controlling terminal, so it cannot open the caller's as `/dev/tty`. Default: `callers`.
   */
  readonly terminal?: 'callers' | 'own' | 'none';
  /** Receives the listeners of an open network; required for one. */
  readonly network?: NetworkSink;
  /**
   * Receives the seccomp listener of a plan with `notify: supervisor`; required for one. `descriptor` is its number in
   * the process `pid`, a child of this one, so `pidfd_getfd` may fetch it. That process closes it once the promise
   * resolves. `found` holds names that existed when the box began. The command starts only after that. A rejection, or
   * no answer within 5 seconds, ends the box.
   */
  readonly listener?: (pid: number, descriptor: number, found: readonly FoundName[]) => Promise<void>;
  /**
   * Receives all names again if there are more, after the listener and before the command. Required if that can happen.
   */
  readonly known?: (found: readonly FoundName[]) => Promise<void>;
  /** Launchers that already run, for a command whose streams are pipes. Default: each is started. */
  readonly launchers?: { take(): LauncherProcess | undefined } | undefined;
  /**
   * A process that has already become the launcher, for this box alone; `stdio` are its own descriptors. Default: one
   * is started.
   */
  readonly adopted?: AdoptedLauncher | undefined;
  /** From `encodeBox` of an equal plan, to avoid encoding it again. */
  readonly box?: Uint8Array;
  /**
   * `held`: builds the box and waits for `LaunchedBox.begin`. `later`: waits for `LaunchedBox.run`; only if
   * `Backend.warm` allows it. Default: `now`.
   */
  readonly command?: 'now' | 'held' | 'later';
}

/** Receives the sockets that the launcher opened inside the box's network namespace. */
export interface NetworkSink {
  /** A listening TCP handle, for `net.Server.listen`. */
  tcp(handle: object): void;
  /** The bound socket of the resolver. */
  dns(socket: DatagramSocket): void;
  /** The connected TCP handle requested by `LaunchedBox.forward`. Undefined if nobody listens there. */
  forwarded(id: number, handle: object | undefined): void;
  /** All listeners have come. `listed-ports` if the kernel has no transparent proxying. */
  complete(reach: 'every-port' | 'listed-ports'): void;
}

/** Renders plans. A backend reads no policy and takes no decision. */
export interface Backend {
  readonly name: BackendName;
  /** Whether a box can be built before its command is known. */
  readonly warm: 'possible' | 'impossible';
  guarantees(facts: BackendFacts): GuaranteeVector;
  /** Reports whether its programs are installed, and what to install otherwise. Starts nothing. */
  presence(): BackendPresence;
  /**
   * Returns the plan as this backend carries it out for one box, before anything starts. Pure. Throws
   * `HF_GUARANTEE_MISSING`, with the guarantee, for a part that it cannot enforce. Default: the plan unchanged.
   */
  adapt?(plan: Plan, box: BoxPlace): Plan;
  start(plan: Plan, options: BackendStart): LaunchedBox;
}

/** A place on the host for a box's own files. */
export interface BoxPlace {
  /** Absolute path. Nothing exists there yet, and no other box has the same. */
  readonly scratch: string;
}

export type BackendPresence =
  | { readonly kind: 'present'; readonly version: string }
  | { readonly kind: 'absent'; readonly remedy: string };

/** A launcher that is not a child of this process: the front that a person started became it. */
export interface AdoptedLauncher {
  readonly process: LauncherProcess;
  /**
   * Receives a handle that a child would have sent. Throws `KernelError` if it cannot be taken, and `SyntaxError` for a
   * message that no launcher sends.
   */
  take(handle: LentHandle, sink: NetworkSink): void;
}

export interface LentHandle {
  /** Its number in the launcher's process. Undefined for a message without one. */
  readonly descriptor?: number;
  /** JSON, as Node's own children send it. */
  readonly text: string;
}

/** The process of a launcher, started by Node, a nursery or a person. */
export type LauncherProcess = EventEmitter &
  Pick<
    ChildProcess,
    'pid' | 'stdin' | 'stdout' | 'stderr' | 'exitCode' | 'signalCode' | 'connected' | 'kill' | 'ref' | 'unref'
  > & {
    readonly stdio: readonly (Readable | Writable | null | undefined)[];
    readonly channel?: ChildProcess['channel'];
  };

export interface LaunchedBox {
  readonly process: LauncherProcess;
  /** Ends everything in the box at once; `outcome` still settles in order. */
  readonly end: () => void;
  /** PID of the box's first process on the host; 0 while unknown. */
  readonly initPid: () => number;
  /**
   * Requests a connection to a port of the box's loopback; `NetworkSink.forwarded` returns it. Only if the plan shows
   * ports.
   */
  readonly forward: (port: number, id: number) => void;
  /** Starts the command of a box that holds it. */
  readonly begin: () => void;
  /** Gives a command to a box that was started without one. */
  readonly run: (command: PlannedCommand) => void;
  /** Settles when the box and everything in it has ended. Rejects only if the launcher cannot be started. */
  readonly outcome: Promise<LaunchOutcome>;
}

export interface LaunchFailure {
  /** Step of the launcher, e.g. `create namespaces`. */
  readonly stage: string;
  readonly path: string;
  /** Errno, or 0 for none. */
  readonly errno: number;
}

/**
 * A protected or hidden name that existed when a box began. May be another name of its file, or a socket of the host.
 */
export interface FoundName {
  readonly path: Buffer;
  /** `DEVICE:INODE`. */
  readonly identity: string;
  readonly effect: 'pinned' | 'read-only' | 'hidden';
  readonly symlink: 'symlink' | 'none';
}

export interface ProtectedPath {
  readonly path: Buffer;
  /** `DEVICE:INODE`. */
  readonly identity: string;
  /** Nanoseconds in decimal digits, because inode numbers are reused. 0 if the file system does not record births. */
  readonly born: string;
}

/** A protected or hidden file that a program outside put there while the box ran. The launcher covered it then. */
export interface CoveredName {
  readonly path: Buffer;
  readonly effect: 'pinned' | 'read-only' | 'hidden';
  /** `replaced`: the name was covered before. */
  readonly change: 'replaced' | 'appeared';
}

export interface LaunchOutcome {
  /** 0 to 255; 128+n if signal n ended the command. */
  readonly exitCode: number;
  /** Number of the signal that ended the command, or 0. */
  readonly signal: number;
  readonly failure: LaunchFailure | undefined;
  /** 0 if Landlock is absent. */
  readonly landlockAbi: number;
  /** PID of the box's first process on the host; 0 if it did not start. */
  readonly initPid: number;
  /** Protected names at the start: absolute paths as raw bytes, with device and inode. */
  readonly protectedBefore: readonly ProtectedPath[];
  /** Protected names that are new after the run: absolute paths as raw bytes. */
  readonly appeared: readonly Buffer[];
  /**
   * Reports of the guard of new names and connections that it refused, as raw bytes, without duplicates, at most 256.
   */
  readonly refused: readonly Buffer[];
  /** At most 256. */
  readonly covered: readonly CoveredName[];
  readonly stderrTail: Buffer;
  readonly ending: 'exited' | 'timed-out';
}

/**
 * Returns guarantees that namespaces, mounts, Landlock and seccomp hold together, in both backends that use the
 * launcher. Staging needs mounts of the launcher's own. RLIMIT_NPROC counts per user namespace since Linux 5.14, but
 * never stops uid 0. Private memory is bounded; a writable workspace of the host is not.
 */
export function namespaceGuarantees(facts: BackendFacts, staging: 'kernel' | 'none' = 'none'): GuaranteeVector {
  const controllers =
    facts.cgroups.kind === 'none'
      ? []
      : facts.cgroups.kind === 'v2'
        ? facts.cgroups.controllers
        : Object.keys(facts.cgroups.directories);
  const limited = (controller: string) => (controllers.includes(controller) ? 'kernel' : 'partial');
  return {
    'fs.read': 'kernel',
    'fs.write': 'kernel',
    'fs.deny-in-allow': 'kernel',
    'fs.stage': staging,
    'fs.exec': 'none',
    'net.closed': 'kernel',
    'net.names': 'kernel',
    pid: 'kernel',
    ipc: 'kernel',
    'unix-sockets': 'kernel',
    'abstract-sockets': 'kernel',
    signals: 'kernel',
    syscalls: 'kernel',
    'limits.memory': limited('memory'),
    'limits.processes': facts.uid === 0 ? limited('pids') : 'kernel',
    'limits.cpu': limited('cpu'),
    'limits.disk': 'partial',
    'kernel.separate': 'none',
    'hardware.separate': 'none',
  };
}

/** Returns guarantees that a plan demands and a backend does not hold, in the plan's order. */
export function missingGuarantees(
  plan: Pick<Plan, 'requires' | 'expects'>,
  vector: GuaranteeVector,
): readonly Guarantee[] {
  return [
    ...plan.requires.filter((guarantee) => vector[guarantee] !== 'kernel'),
    ...(plan.expects ?? []).filter((guarantee) => vector[guarantee] === 'none'),
  ];
}

/** Returns guarantees with gaps that a person has accepted. */
export function partlyHeld({ expects = [] }: Pick<Plan, 'expects'>, vector: GuaranteeVector): readonly Guarantee[] {
  return expects.filter((guarantee) => vector[guarantee] === 'partial');
}
