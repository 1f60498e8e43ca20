import type { DeniedProgram, Mount, NotifyGroup, Protection } from '../../plan/types.ts';
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
  /** Those that the plan refuses as a whole. Default: none. */
  readonly programs?: readonly DeniedProgram[];
  /** Refused when they are other files by now. Default: none. */
  readonly pinned?: readonly PinnedProgram[];
  /** Whether a person has been asked about the command at its entry. Default: nobody. */
  readonly wasApproved?: (request: ExecRequest) => boolean;
  /**
   * The words by which a command is judged that was put in the place of another when that entered. Default: its own.
   */
  readonly judgedAs?: (command: Pick<ExecRequest, 'program' | 'argv'>) => readonly string[] | undefined;
  readonly home: string;
  /** Real path of the writable root. */
  readonly workspace: string;
  readonly session: string;
  /** Puts a question to a person; the answer comes by `answers`. */
  readonly ask: (question: AccessQuestion) => void;
  /** Answers since the last call. Called when something wrote to the listener's wake descriptor. */
  readonly answers: () => Woken;
  readonly report: (event: Enforced) => void;
  /**
   * For a box without mounts: the supervisor refuses or performs its every call. Default: the box's mounts refuse
   * ungranted paths.
   */
  readonly whole?: WholeOptions;
  /** Keeps a file that is about to be lost, and returns its ID. Throws when it cannot, which refuses the call. */
  readonly keep?: (request: KeepRequest) => string;
}

export interface WholeOptions {
  readonly protection: Protection;
  /** The launcher's findings below the roots at the start of the box. */
  readonly found: readonly HeldPath[];
  /** The destinations of connections. Default: only the box's own servers. */
  readonly network?: WholeNetwork;
}

/**
 * A path that stays protected with all beneath it, regardless of names. Includes other names of a file, and targets of
 * a protected symlink.
 */
export interface HeldPath {
  /** Bytes as latin1. */
  readonly path: string;
  /** `DEVICE:INODE`. */
  readonly identity: string;
  readonly how: 'hidden' | 'fixed';
  readonly symlink: 'symlink' | 'none';
}

/** An open network without a namespace: every connection is made to a listener of the session instead. */
export interface WholeNetwork {
  /** Its port at 127.0.0.1. */
  readonly listener: number;
  /** Address of the resolver. */
  readonly resolver: string;
  /** Ports of the host's loopback that may be reached. */
  readonly loopbackPorts: readonly number[];
  /** Announces the purpose of the connection from a local end (`ADDRESS:PORT`) before it is made. */
  readonly announce: (source: string, dialled: { readonly address: string; readonly port: number }) => void;
}

export interface Woken {
  readonly answers: readonly { readonly id: number; readonly answer: AllowOrDeny }[];
  /**
   * `end`: the box is over, and nobody asks again. `again`: the facts about the box have changed, and its command has
   * not begun.
   */
  readonly next: 'continue' | 'again' | 'end';
}

/** The shared parts of everything that answers notifications. */
export interface Supervision {
  readonly options: SupervisorOptions;
  readonly listener: Listener;
  readonly memory: CallerMemory;
  readonly view: BoxView;
  readonly box: PerformSide;
  readonly host: HostSide;
  /** Called once no process of the box is left: its supervisor may have another one then. */
  readonly atEnd: (letGo: () => void) => void;
  /** Lets the caller wait until all of it is allowed; a denial ends its call with EACCES. */
  readonly askFor: (waiting: WaitingCall) => void;
}

export interface WaitingCall {
  /** Of the notification. */
  readonly id: bigint;
  readonly thread: number;
  readonly asked: readonly AskedRequest[];
  readonly allowed: () => void;
  /** Told of a denial, before the caller. */
  readonly denied?: () => void;
}
