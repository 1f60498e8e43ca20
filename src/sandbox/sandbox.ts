import { resolve } from 'node:path';
import process from 'node:process';
import type { Approve } from '../approvals/session/approve.ts';
import { SandboxApprovals } from '../approvals/session/session-approvals.ts';
import type { BackendName } from '../backends/backend.ts';
import { WorkspaceCheckpoints } from '../checkpoints/session/workspace-checkpoints.ts';
import { Artifacts } from '../code/artifacts.ts';
import { SandboxCode } from '../code/sandbox-code.ts';
import type { FetchOptions, FetchResult } from '../egress/fetch/types.ts';
import type { SessionProxy } from '../egress/session/session-egress.ts';
import { type FilePath, Files } from '../files/index.ts';
import { FilesForModel } from '../files/session/for-models.ts';
import { sessionFiles } from '../files/session/session-files.ts';
import type { Grants } from '../place/grants.ts';
import { Commands } from '../session/commands.ts';
import { checkedMetadata, type Metadata } from '../session/session-options.ts';
import { openSession, type Session } from '../session/session.ts';
import type { AcceptReport, DiscardReport, Recovered, UndoReport } from '../staged/apply/index.ts';
import type { AcceptChoice } from '../staged/session/layers.ts';
import type { Review } from '../staged/session/review-layer.ts';
import type { StagedChoice } from '../staged/session/staging.ts';
import { SandboxTools } from '../tools/session/sandbox-tools.ts';
import { UserTrash } from '../trash/session/user-trash.ts';
import { metricsOf, type SandboxMetrics } from './metrics.ts';
import { SandboxCredentials, SandboxPolicy } from './sandbox-policy.ts';
import { type EventsOptions, type SandboxEvent, sessionEvents } from './session-events.ts';
import { acceptOwn, discardOwn, dropForks, forkOwn, type Holder, reviewOwn, undoOwn } from './staged-sandbox.ts';

export interface SandboxOptions {
  /** The writable root. Default: the top of the git work tree around `cwd`, or `cwd`. */
  readonly workspace?: string;
  /** Where commands start. Default: the workspace when it is given, else the process's working directory. */
  readonly cwd?: string;
  /** Default: `auto`, which never means none. */
  readonly backend?: BackendName | 'auto';
  /**
   * What is granted beyond the user's policy file, as by the flags of `holdfast run`; relative paths start at `cwd`.
   */
  readonly grants?: Grants;
  /** Keeps every write in a staged layer, which `holdfast review` shows. Default: writes go to the host. */
  readonly staged?: StagedChoice;
  /**
   * Decides what rules ask about, while the process that wants it waits. Default: `approvals` or another program of
   * this user does, and where nobody is there it is denied.
   */
  readonly approve?: Approve;
  /** What the policy's allow-list is applied to. Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /**
   * Labels, for anyone who has many sandboxes; the journal has them. At most 32 of at most 256 characters. Default:
   * none.
   */
  readonly metadata?: Metadata;
}

/**
 * One policy over one workspace, in which any number of commands run, each in a box of its own. Instances are
 * independent: a process may hold several with different policies.
 *
 * @example
 * await using sandbox = await Sandbox.create({ workspace: '/home/me/project' });
 * const { exitCode, stdout } = await sandbox.commands.run(['npm', 'test']);
 */
export class Sandbox {
  readonly commands: Commands;
  /** Files as its commands see them. */
  readonly files: Files;
  /** The same as a model may read them: what does not show is written out. */
  readonly filesForModel: FilesForModel;
  /** What its commands have made, as bytes with their types. */
  readonly artifacts: Artifacts;
  /** Code in JavaScript, TypeScript, Python and shell, with what it comes to. */
  readonly code: SandboxCode;
  /** The phantoms in its boxes. */
  readonly credentials: SandboxCredentials;
  /** The workspace on the host, as it was and as it is. */
  readonly checkpoints: WorkspaceCheckpoints;
  /** What boxes deleted or overwrote under a `stage` rule. */
  readonly trash: UserTrash;
  /** What it may do, which can become less. */
  readonly policy: SandboxPolicy;
  /** What waits for someone's yes. */
  readonly approvals: SandboxApprovals;
  /** Tools in JavaScript and WebAssembly. */
  readonly tools: SandboxTools;

  private readonly session: Session;
  private readonly options: SandboxOptions;
  private readonly created = performance.now();
  private readonly closing = new AbortController();

  private constructor(session: Session, options: SandboxOptions) {
    this.session = session;
    this.options = options;
    this.commands = new Commands(session);
    this.files = new Files(sessionFiles(session));
    this.filesForModel = new FilesForModel(session, this.files, this.commands);
    this.artifacts = new Artifacts(this.files);
    this.code = new SandboxCode({ session, commands: this.commands, files: this.files });
    this.credentials = new SandboxCredentials(session);
    this.checkpoints = new WorkspaceCheckpoints(session.place);
    this.trash = new UserTrash(session.place);
    this.tools = new SandboxTools(session);
    this.policy = new SandboxPolicy({ session, commands: this.commands, files: this.files, tools: this.tools });
    this.approvals = new SandboxApprovals(session.approvals);
  }

  /** Throws `HoldfastError` when the policy is invalid or this host cannot hold what it requires. */
  static async create(options: SandboxOptions = {}): Promise<Sandbox> {
    const { workspace, cwd = workspace ?? process.cwd(), environment = process.env } = options;
    const metadata = options.metadata === undefined ? {} : { metadata: checkedMetadata(options.metadata) };
    const session = await openSession({
      ...options,
      ...metadata,
      stagedBoxes: 'many',
      commands: 'many',
      cwd: resolve(cwd),
      environment,
      ...(workspace === undefined ? {} : { workspace: resolve(workspace) }),
    });
    return new Sandbox(session, {
      ...options,
      workspace: session.place.workspace.root,
      cwd: session.place.workspace.cwd,
      environment,
    });
  }

  /** Unique among sessions; it stands in the journal. */
  get id(): string {
    return this.session.id;
  }

  /** The labels that it was created with. */
  get metadata(): Metadata {
    return this.session.metadata ?? {};
  }

  /**
   * What the journal has of this sandbox from now on: starts and ends of commands, refusals, connections, approvals. It
   * goes on until the loop is left, the signal is aborted or the sandbox has closed. A reader that is too slow loses
   * the oldest, and `missing` tells how many. Throws `HF_USAGE` for a queue of nothing.
   *
   * @example
   * for await (const { event, missing } of sandbox.events()) console.log(event.type, missing);
   */
  events(options: EventsOptions = {}): AsyncGenerator<SandboxEvent, void> {
    return sessionEvents(
      { id: this.session.id, journal: this.session.place.paths.journal, closed: this.closing.signal },
      options,
    );
  }

  /**
   * What it has done, and what its commands use now.
   *
   * @example
   * for (const { id, cpuSeconds, memoryBytes } of sandbox.metrics().running) console.log(id, cpuSeconds, memoryBytes);
   */
  metrics(): SandboxMetrics {
    return metricsOf(this.commands.list(), this.commands.counts(), this.created);
  }

  /** Real path of the writable root. */
  get workspace(): string {
    return this.session.place.workspace.root;
  }

  /** The layer that writes go to now; absent without `staged`. Another one when all of it was accepted or discarded. */
  get layer(): string | undefined {
    return this.session.staging?.layer.id;
  }

  /**
   * Accepts and undos of this user that had been killed, and were ended before this sandbox took the layer of
   * `staged.into`.
   */
  get recovered(): readonly Recovered[] {
    return this.session.staging?.recovered ?? [];
  }

  /**
   * What the layer would change on the host as it is now, or what it changed in `paths`. Commands may run meanwhile.
   * Throws
   * `HF_USAGE` for a sandbox that is not staged and for a path in which nothing was changed.
   *
   * @example
   * const { changes } = await sandbox.review();
   * for (const { kind, path } of changes) console.log(kind, path.toString());
   */
  review(paths?: readonly FilePath[]): Promise<Review> {
    return reviewOwn(this.parts, paths);
  }

  /**
   * Puts what is staged, or what was changed in `paths`, onto the host: everything that is asked for or nothing. Ends
   * the files worker first; commands go on in what is left, or in a new layer. Throws `HF_STAGED_BUSY` while a command
   * runs, and what `acceptLayer` throws.
   *
   * @example
   * await sandbox.accept(['src'], { conflicts: 'overwrite' });
   */
  accept(paths?: readonly FilePath[], choice: AcceptChoice = {}): Promise<AcceptReport> {
    return acceptOwn(this.parts, paths, choice);
  }

  /**
   * Drops what is staged, or what was changed in `paths`, for good. Otherwise as `accept`.
   *
   * @example
   * await sandbox.discard(['coverage']);
   */
  discard(paths?: readonly FilePath[]): Promise<DiscardReport> {
    return discardOwn(this.parts, paths);
  }

  /**
   * Takes back the last accept of the workspace, and goes on in the layer that has it again, unless there is newer work
   * in its own. Throws `HF_STAGED_BUSY` while a command runs, and what `undoAccept` throws.
   *
   * @example
   * await sandbox.undo();
   */
  undo(): Promise<UndoReport> {
    return undoOwn(this.parts);
  }

  /**
   * Sandboxes with the same options, each with a layer of its own that begins as a copy of this one's. What one of
   * them, or this one, writes or accepts later is its own. Their layers stay when they are closed, until they are
   * accepted or discarded. Throws `HF_USAGE` for a sandbox that is not staged, `HF_STAGED_BUSY` while a command runs,
   * `HF_STAGED_CONFLICT` where the host has changed what the layer has changed too, and `HF_STAGED_INVALID` for what
   * cannot be copied as it is; then there is none.
   *
   * @example
   * const [first, second] = await sandbox.fork(2);
   */
  async fork(count = 1): Promise<Sandbox[]> {
    const ids = await forkOwn(this.parts, count);
    const created = await Promise.allSettled(
      ids.map((id) => Sandbox.create({ ...this.options, staged: { into: id } })),
    );
    const forks = created.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const failed = created.find((each) => each.status === 'rejected');
    if (failed === undefined) return forks;
    await Promise.all(forks.map((fork) => fork.close()));
    await dropForks(this.parts, ids);
    throw failed.reason;
  }

  /**
   * Fetches a URL by the policy of this sandbox: decided, vetted on every hop, bounded, pages as text. What was refused
   * is a result.
   */
  async fetch(url: string, options?: FetchOptions): Promise<FetchResult> {
    return (await this.session.network.egress()).fetch(url, options);
  }

  /**
   * A proxy on a loopback port of the host, for programs that cannot run in a box. `environment` holds its secret.
   * Default: a free port.
   */
  async proxy(port = 0): Promise<SessionProxy> {
    return (await this.session.network.egress()).proxy(port);
  }

  /** Ends every command that still runs and the files worker, and waits for them. */
  async close(): Promise<void> {
    const { approvals, threads, network, credentials, staging } = this.session;
    const steps: readonly (() => unknown)[] = [
      // Anyone who waits for an answer would wait on.
      () => approvals.close(),
      () => allDone([this.commands.killAll(), this.files.close(), this.tools.close()]),
      () => threads?.close(),
      () => network.close(),
      () => credentials?.close(),
      () => staging?.close(),
      () => this.closing.abort(),
    ];
    // Each is taken, whatever became of those before it.
    const failures: unknown[] = [];
    for (const step of steps) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  private get parts(): Holder {
    return { session: this.session, commands: this.commands, files: this.files };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Waits for all of them, and then rejects as the first that failed. */
async function allDone(work: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
