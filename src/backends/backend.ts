/**
 * The backends room: everything that renders a `Plan` into a running box, and what each can promise.
 *
 * Policy may not enter: a backend sees the plan only. Adding one means a folder with a `Backend`, the attacks passing
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

/** What a backend's promises depend on. */
export interface BackendFacts {
  readonly uid: number;
  readonly cgroups: CgroupFacts;
}

export type Descriptor = 'inherit' | 'pipe' | 'ignore' | number;

export interface BackendStart {
  /** Absolute path of `holdfast-launch`. */
  readonly launcher: string;
  /** Descriptors 0, 1 and 2 of the command. */
  readonly stdio: readonly [Descriptor, Descriptor, Descriptor];
  /** `tail` keeps the last 64 KiB of stderr for the explanation of refusals; a terminal is always direct. */
  readonly stderr: 'direct' | 'tail';
  /** `own`: descriptor 0 is a terminal made for this command, which becomes its controlling one. Default: `callers`. */
  readonly terminal?: 'callers' | 'own';
  /** Takes the listeners of an open network; required for one. */
  readonly network?: NetworkSink;
  /**
   * Takes the seccomp listener of a plan with `notify: supervisor`; required for one. `descriptor` is its number in the
   * process `pid` (a child of this one, so `pidfd_getfd` may fetch it), which closes it when the promise resolves.
   * `found` are the names that were there when the box began. Only then
   * does the command start. A rejection, or none within 5 seconds, ends the box.
   */
  readonly listener?: (pid: number, descriptor: number, found: readonly FoundName[]) => Promise<void>;
  /**
   * Hears of all names again when there are more of them, after the listener and before the command; required where
   * that can be.
   */
  readonly known?: (found: readonly FoundName[]) => Promise<void>;
  /** Launchers that are there already, for a command whose streams are pipes. Default: each is started. */
  readonly launchers?: { take(): LauncherProcess | undefined } | undefined;
  /**
   * A process that has become the launcher already, for this box alone; `stdio` are its own descriptors. Default: one
   * is started.
   */
  readonly adopted?: AdoptedLauncher | undefined;
  /** From `encodeBox` of an equal plan, to spare encoding it again. */
  readonly box?: Uint8Array;
  /**
   * `held` builds the box and waits for `LaunchedBox.begin`; `later` for `LaunchedBox.run`, only where `Backend.warm`
   * says so. Default `now`.
   */
  readonly command?: 'now' | 'held' | 'later';
}

/** Takes what the launcher opened inside the box's network namespace. */
export interface NetworkSink {
  /** A listening TCP handle, for `net.Server.listen`. */
  tcp(handle: object): void;
  /** The bound socket of the resolver. */
  dns(socket: DatagramSocket): void;
  /** The connected TCP handle that was asked for by `LaunchedBox.forward`, or nothing when nobody listens there. */
  forwarded(id: number, handle: object | undefined): void;
  /** All listeners have come. `listed-ports` where the kernel has no transparent proxying. */
  complete(reach: 'every-port' | 'listed-ports'): void;
}

/** Renders plans. A backend reads no policy and takes no decision. */
export interface Backend {
  readonly name: BackendName;
  /** Whether a box can be built before its command is known. */
  readonly warm: 'possible' | 'impossible';
  guarantees(facts: BackendFacts): GuaranteeVector;
  /** Whether its programs are here; says what to install when they are not. Starts nothing. */
  presence(): BackendPresence;
  /**
   * The plan as this backend carries it out for one box, before anything starts: pure. Throws `HF_GUARANTEE_MISSING`,
   * naming the guarantee, for a part that it cannot enforce. Default: the plan as it is.
   */
  adapt?(plan: Plan, box: BoxPlace): Plan;
  start(plan: Plan, options: BackendStart): LaunchedBox;
}

/** Where a box may have what is its own on the host. */
export interface BoxPlace {
  /** Absolute; nothing is there yet, and no other box has the same. */
  readonly scratch: string;
}

export type BackendPresence =
  | { readonly kind: 'present'; readonly version: string }
  | { readonly kind: 'absent'; readonly remedy: string };

/** A launcher that is no child of this process: it was the front that a person started. */
export interface AdoptedLauncher {
  readonly process: LauncherProcess;
  /**
   * Takes what a child would have sent as a handle. Throws `KernelError` where it cannot be taken, and `SyntaxError`
   * for what no launcher says.
   */
  take(handle: LentHandle, sink: NetworkSink): void;
}

export interface LentHandle {
  /** Its number in the launcher's process; absent for a message without one. */
  readonly descriptor?: number;
  /** JSON, as Node's own children send it. */
  readonly text: string;
}

/** The process of a launcher, which Node, a nursery or a person has started. */
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
  /** PID of the box's first process on the host; 0 while it is not known. */
  readonly initPid: () => number;
  /**
   * Asks for a connection to a port of the box's loopback; `NetworkSink.forwarded` gives it. Only where the plan shows
   * ports.
   */
  readonly forward: (port: number, id: number) => void;
  /** Lets the command of a box begin that holds it. */
  readonly begin: () => void;
  /** Brings the command of a box that was started without one. */
  readonly run: (command: PlannedCommand) => void;
  /** Settles when the box and everything in it has ended. Rejects only when the launcher cannot be started. */
  readonly outcome: Promise<LaunchOutcome>;
}

export interface LaunchFailure {
  /** Step of the launcher, e.g. `create namespaces`. */
  readonly stage: string;
  readonly path: string;
  /** Number, 0 when there was none. */
  readonly errno: number;
}

/**
 * A protected or hidden name that was there when a box began: also another name of its file, or a socket of the host.
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
  /** Nanoseconds in decimal digits, since numbers of inodes are used again; 0 where the file system keeps no births. */
  readonly born: string;
}

export interface LaunchOutcome {
  /** 0 to 255; 128+n when a signal ended the command. */
  readonly exitCode: number;
  /** Number of the signal that ended the command, or 0. */
  readonly signal: number;
  readonly failure: LaunchFailure | undefined;
  /** 0 when Landlock is absent. */
  readonly landlockAbi: number;
  /** PID of the box's first process on the host; 0 when it did not start. */
  readonly initPid: number;
  /** Protected names at the start: absolute paths as raw bytes, with device and inode. */
  readonly protectedBefore: readonly ProtectedPath[];
  /** Protected names that are new after the run, as raw bytes of absolute paths. */
  readonly appeared: readonly Buffer[];
  /**
   * Protected names whose creation was refused while the box ran: absolute paths as raw bytes, without doubles, at most
   * 256.
   */
  readonly refused: readonly Buffer[];
  readonly stderrTail: Buffer;
  readonly ending: 'exited' | 'timed-out';
}

/**
 * What namespaces, mounts, Landlock and seccomp together hold, in both backends that use the launcher. Staging needs
 * mounts of the launcher's own.
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
    'net.closed': 'kernel',
    'net.names': 'kernel',
    pid: 'kernel',
    ipc: 'kernel',
    'unix-sockets': 'kernel',
    'abstract-sockets': 'kernel',
    signals: 'kernel',
    syscalls: 'kernel',
    'limits.memory': limited('memory'),
    // RLIMIT_NPROC counts per user namespace since Linux 5.14, but never stops uid 0.
    'limits.processes': facts.uid === 0 ? limited('pids') : 'kernel',
    'limits.cpu': limited('cpu'),
    // Private memory is bounded; a writable workspace of the host is not.
    'limits.disk': 'partial',
    'kernel.separate': 'none',
    'hardware.separate': 'none',
  };
}

/** What a plan demands and a backend does not hold, in the plan's order. */
export function missingGuarantees(
  plan: Pick<Plan, 'requires' | 'expects'>,
  vector: GuaranteeVector,
): readonly Guarantee[] {
  return [
    ...plan.requires.filter((guarantee) => vector[guarantee] !== 'kernel'),
    ...(plan.expects ?? []).filter((guarantee) => vector[guarantee] === 'none'),
  ];
}

/** What a person has accepted that a backend holds with gaps. */
export function partlyHeld({ expects = [] }: Pick<Plan, 'expects'>, vector: GuaranteeVector): readonly Guarantee[] {
  return expects.filter((guarantee) => vector[guarantee] === 'partial');
}
