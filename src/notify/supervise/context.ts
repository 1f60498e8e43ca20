import type { Mount } from '../../plan/mount.ts';
import type { DeniedProgram, NotifyGroup, Protection } from '../../plan/types.ts';
import type { Policy } from '../../policy/policy.ts';
import type { ExecRequest } from '../../policy/request.ts';
import type { KeepRequest } from '../../trash/entry-file.ts';
import type { CallerMemory } from '../listener/caller-memory.ts';
import type { Listener } from '../listener/listener.ts';
import type { HostSide, PerformSide } from '../perform/side.ts';
import type { AllowOrDeny, AskedRequest, Enforced, PinnedProgram, AccessQuestion } from '../types.ts';
import type { BoxView } from '../view/box-view.ts';

export interface SupervisorOptions {
  readonly policy: Policy;
  readonly mounts: readonly Mount[];
  readonly groups: readonly NotifyGroup[];
  /** Programs that the plan refuses with any arguments. Default: none. */
  readonly programs?: readonly DeniedProgram[];
  /** Programs that are refused if their file was replaced. Default: none. */
  readonly pinned?: readonly PinnedProgram[];
  /** Whether a person was asked about the command when it entered. Default: nobody was. */
  readonly wasApproved?: (request: ExecRequest) => boolean;
  /** The arguments to judge a command by, if it replaced another command when that one entered. Default: its own. */
  readonly judgedAs?: (command: Pick<ExecRequest, 'program' | 'argv'>) => readonly string[] | undefined;
  readonly home: string;
  /** Real path of the writable root. */
  readonly workspace: string;
  readonly session: string;
  /** Asks a person. `answers` returns the answer. */
  readonly ask: (question: AccessQuestion) => void;
  /** Returns the answers since the last call. Call it after a write to the listener's wake descriptor. */
  readonly answers: () => Woken;
  readonly report: (event: Enforced) => void;
  /**
   * For a box without mounts: the supervisor refuses or performs all of its calls. Default: the box's mounts refuse
   * ungranted paths.
   */
  readonly whole?: WholeOptions;
  /** Keeps a file that is about to be lost, and returns its ID. Throws if it cannot, and then the call is refused. */
  readonly keep?: (request: KeepRequest) => string;
}

export interface WholeOptions {
  readonly protection: Protection;
  /** Protected paths that the launcher found below the roots when the box started. */
  readonly found: readonly HeldPath[];
  /** The destinations of connections. Default: only the box's own servers. */
  readonly network?: WholeNetwork;
}

/** A protected path with everything below it: also another name of a file, or the target of a protected symlink. */
export interface HeldPath {
  /** Bytes as latin1. */
  readonly path: string;
  /** `DEVICE:INODE`. */
  readonly identity: string;
  readonly how: 'hidden' | 'fixed';
  readonly symlink: 'symlink' | 'none';
}

/** The network of a box without a network namespace: every connection goes to a listener of the session instead. */
export interface WholeNetwork {
  /** Port at 127.0.0.1. */
  readonly listener: number;
  /** Address of the DNS resolver. */
  readonly resolver: string;
  /** Ports of the host's loopback interface that the box may reach. */
  readonly loopbackPorts: readonly number[];
  /** Announces the destination of the connection from a local end (`ADDRESS:PORT`) before it is made. */
  readonly announce: (source: string, dialled: { readonly address: string; readonly port: number }) => void;
}

export interface Woken {
  readonly answers: readonly { readonly id: number; readonly answer: AllowOrDeny }[];
  /**
   * `end`: the box is over, and no further call comes. `again`: the facts about the box have changed, and its command
   * has not begun.
   */
  readonly next: 'continue' | 'again' | 'end';
}

/** The shared state of all handlers of notifications. */
export interface Supervision {
  readonly options: SupervisorOptions;
  readonly listener: Listener;
  readonly memory: CallerMemory;
  readonly view: BoxView;
  readonly box: PerformSide;
  readonly host: HostSide;
  /** Registers a function to call when no process of the box is left. The supervisor may then get another box. */
  readonly atEnd: (letGo: () => void) => void;
  /** Keeps the caller waiting until every request is allowed. A denial ends its call with EACCES. */
  readonly askFor: (waiting: WaitingCall) => void;
}

export interface WaitingCall {
  /** ID of the notification. */
  readonly id: bigint;
  readonly thread: number;
  readonly asked: readonly AskedRequest[];
  readonly allowed: () => void;
  /** Called on a denial, before the caller gets its answer. */
  readonly denied?: () => void;
}
