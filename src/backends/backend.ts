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

/** Facts that a backend's guarantees depend on. */
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
  /** `tail`: keeps the last 64 KiB of stderr, to explain refusals from it. A terminal is always connected directly. */
  readonly stderr: 'direct' | 'tail';
  /**
   * `own`: descriptor 0 is a terminal that was made for this command, and becomes its controlling terminal. `none`: the
   * command has no controlling terminal, so it cannot open the caller's as `/dev/tty`. Default: `callers`.
   */
  readonly terminal?: 'callers' | 'own' | 'none';
  /** Receives the listeners of an open network. Required if the network is open. */
  readonly network?: NetworkSink;
  /**
   * Receives the seccomp listener. Required for a plan with `notify: supervisor`. `descriptor` is its number in the
   * process `pid`. That process is a child of this one, so `pidfd_getfd` may fetch the descriptor. The child closes it
   * once the promise resolves, and only then starts the command. `found` holds names that existed when the box began. A
   * rejection, or no answer within 5 seconds, ends the box.
   */
  readonly listener?: (pid: number, descriptor: number, found: readonly FoundName[]) => Promise<void>;
  /**
   * Receives all names again if there are more, after the listener and before the command. Required if that can happen.
   */
  readonly known?: (found: readonly FoundName[]) => Promise<void>;
  /**
   * Launchers that already run, for commands whose streams are pipes. Default: each launcher is started when it is
   * needed.
   */
  readonly launchers?: { take(): LauncherProcess | undefined } | undefined;
  /**
   * A process that has already become the launcher, for this box alone. `stdio` are its own descriptors. Default: a
   * launcher is started.
   */
  readonly adopted?: AdoptedLauncher | undefined;
  /** Bytes that `encodeBox` returned for an equal plan, so that it is not encoded again. */
  readonly box?: Uint8Array;
  /**
   * `held`: builds the box and waits for `LaunchedBox.begin`. `later`: waits for `LaunchedBox.run`, which only works if
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
  /** The connected TCP handle that `LaunchedBox.forward` requested. Undefined if nothing listens on the port. */
  forwarded(id: number, handle: object | undefined): void;
  /** All listeners have arrived. `listed-ports` if the kernel has no transparent proxying. */
  complete(reach: 'every-port' | 'listed-ports'): void;
}

/** Turns plans into running boxes. A backend reads no policy and makes no decisions. */
export interface Backend {
  readonly name: BackendName;
  /** Whether a box can be built before its command is known. */
  readonly warm: 'possible' | 'impossible';
  guarantees(facts: BackendFacts): GuaranteeVector;
  /** Reports whether its programs are installed, and otherwise how to install them. Starts nothing. */
  presence(): BackendPresence;
  /**
   * Returns the plan as this backend will carry it out for one box, before anything starts. Pure. Throws
   * `HF_GUARANTEE_MISSING`, which names the guarantee, if the backend cannot enforce a part of the plan. Default: the
   * plan unchanged.
   */
  adapt?(plan: Plan, box: BoxPlace): Plan;
  start(plan: Plan, options: BackendStart): LaunchedBox;
}

/** A path on the host for a box's own files. */
export interface BoxPlace {
  /** Absolute path. Nothing exists at it yet, and no other box has the same path. */
  readonly scratch: string;
}

export type BackendPresence =
  | { readonly kind: 'present'; readonly version: string }
  | { readonly kind: 'absent'; readonly remedy: string };

/** A launcher that is not a child of this process, because the front that a person started has become it. */
export interface AdoptedLauncher {
  readonly process: LauncherProcess;
  /**
   * Receives a handle, as a child would have sent it. Throws `KernelError` if the handle cannot be fetched, and
   * `SyntaxError` for a message that no launcher sends.
   */
  take(handle: LentHandle, sink: NetworkSink): void;
}

export interface LentHandle {
  /** Number of the handle in the launcher's process. Undefined for a message without a handle. */
  readonly descriptor?: number;
  /** JSON, in the form that Node's own children send. */
  readonly text: string;
}

/** The process of a launcher, whether Node, a nursery or a person started it. */
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
  /** Ends everything in the box at once. `outcome` still settles in the usual way. */
  readonly end: () => void;
  /** PID of the box's first process on the host, or 0 while it is unknown. */
  readonly initPid: () => number;
  /**
   * Requests a connection to a port of the box's loopback, which `NetworkSink.forwarded` then receives. Works only if
   * the plan forwards ports.
   */
  readonly forward: (port: number, id: number) => void;
  /** Starts the command of a box that waits with it. */
  readonly begin: () => void;
  /** Sends a command to a box that was started without one. */
  readonly run: (command: PlannedCommand) => void;
  /** Settles when the box and everything in it has ended. Rejects only if the launcher cannot be started. */
  readonly outcome: Promise<LaunchOutcome>;
}

export interface LaunchFailure {
  /** Step of the launcher, such as `create namespaces`. */
  readonly stage: string;
  readonly path: string;
  /** Errno, or 0 for none. */
  readonly errno: number;
}

/**
 * A protected or hidden name that existed when a box began. It may be a hard link to another file, or a socket of the
 * host.
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
  /**
   * Birth time in nanoseconds, as decimal digits. It tells reused inode numbers apart. 0 if the file system does not
   * record births.
   */
  readonly born: string;
  readonly effect: 'pinned' | 'read-only' | 'hidden';
}

/**
 * A protected or hidden file that a program outside the box created while the box ran. The launcher then covered it.
 */
export interface CoveredName {
  readonly path: Buffer;
  readonly effect: 'pinned' | 'read-only' | 'hidden';
  /** `replaced`: the name had been covered before. */
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
  /** Names that were protected at the start: absolute paths as raw bytes, with device and inode. */
  readonly protectedBefore: readonly ProtectedPath[];
  /** Protected names that appeared during the run: absolute paths as raw bytes. */
  readonly appeared: readonly Buffer[];
  /** New names and connections that the guard refused, as raw bytes, without duplicates, at most 256. */
  readonly refused: readonly Buffer[];
  /** At most 256. */
  readonly covered: readonly CoveredName[];
  readonly stderrTail: Buffer;
  readonly ending: 'exited' | 'timed-out';
}

/**
 * Returns the guarantees that namespaces, mounts, Landlock and seccomp provide together, in both backends that use the
 * launcher. Staging needs mounts that the launcher itself makes. RLIMIT_NPROC counts for each user namespace since
 * Linux 5.14. It never stops uid 0. Private memory is bounded, but a writable workspace on the host is not.
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

/** Returns the guarantees that a plan demands and a backend does not provide, in the plan's order. */
export function missingGuarantees(
  plan: Pick<Plan, 'requires' | 'expects'>,
  vector: GuaranteeVector,
): readonly Guarantee[] {
  return [
    ...plan.requires.filter((guarantee) => vector[guarantee] !== 'kernel'),
    ...(plan.expects ?? []).filter((guarantee) => vector[guarantee] === 'none'),
  ];
}

/** Returns guarantees with gaps that the user has accepted. */
export function partlyHeld({ expects = [] }: Pick<Plan, 'expects'>, vector: GuaranteeVector): readonly Guarantee[] {
  return expects.filter((guarantee) => vector[guarantee] === 'partial');
}
