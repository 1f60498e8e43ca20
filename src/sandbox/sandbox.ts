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
import type { AcceptReport } from '../staged/session/accept-by-policy.ts';
import type { DiscardReport } from '../staged/apply/discard.ts';
import type { UndoReport } from '../staged/apply/undo.ts';
import type { Recovered } from '../staged/apply/unmake.ts';
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
  /** Writable root. Default: the top of the git work tree around `cwd`, or `cwd`. */
  readonly workspace?: string;
  /** Directory in which commands start. Default: the workspace if given, else the working directory of this process. */
  readonly cwd?: string;
  /** Default: `auto`, which never chooses to run without a sandbox. */
  readonly backend?: BackendName | 'auto';
  /** Grants beyond the user's policy file, like the flags of `holdfast run`. Relative paths start at `cwd`. */
  readonly grants?: Grants;
  /** Keeps every write in a staged layer, which `holdfast review` shows. Default: writes go to the host. */
  readonly staged?: StagedChoice;
  /**
   * `true` adds the strict policy: staged writes, tight limits, no secrets in variables, TLS ended for every host, and
   * no box with gaps. Default: as the policy files say.
   */
  readonly strict?: boolean;
  /**
   * Answers approvals while the requesting process waits. Default: `approvals` or another program of this user answers.
   * If nobody does, the request is denied.
   */
  readonly approve?: Approve;
  /** Environment that the policy's allow-list applies to. Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Labels to distinguish sandboxes, also in the journal. At most 32 of at most 256 characters. Default: none. */
  readonly metadata?: Metadata;
}

/**
 * One policy over one workspace. Any number of commands run in it, each in its own box. Sandboxes are independent: a
 * process may hold several with different policies.
 *
 * @example await using sandbox = await Sandbox.create({ workspace: '/home/me/project' }); const { exitCode, stdout } =
 * await sandbox.commands.run(['npm', 'test']);
 */
export class Sandbox {
  readonly commands: Commands;
  /** Files as the sandbox's commands see them. */
  readonly files: Files;
  /** The same files, as text for a model. Invisible characters are made visible. */
  readonly filesForModel: FilesForModel;
  /** Files that the sandbox's commands made, as bytes with their types. */
  readonly artifacts: Artifacts;
  /** Runs code in JavaScript, TypeScript, Python and shell, and returns its results. */
  readonly code: SandboxCode;
  /** Phantoms in the sandbox's boxes. */
  readonly credentials: SandboxCredentials;
  /** States of the workspace on the host, past and present. */
  readonly checkpoints: WorkspaceCheckpoints;
  /** Files that boxes deleted or overwrote under a `stage` rule. */
  readonly trash: UserTrash;
  /** The sandbox's policy, which can become stricter. */
  readonly policy: SandboxPolicy;
  /** Pending approvals. */
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

  /** Creates a sandbox. Throws `HoldfastError` if the policy is invalid or this host cannot enforce its guarantees. */
  static async create(options: SandboxOptions = {}): Promise<Sandbox> {
    const { workspace, cwd = workspace ?? process.cwd(), environment = process.env } = options;
    const metadata = options.metadata === undefined ? {} : { metadata: checkedMetadata(options.metadata) };
    const session = await openSession({
      ...options,
      ...metadata,
      whenStrict: 'carries-out',
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

  /** ID, unique among sessions and named in the journal. */
  get id(): string {
    return this.session.id;
  }

  /** Labels from its creation. */
  get metadata(): Metadata {
    return this.session.metadata ?? {};
  }

  /**
   * Yields the journal events of this sandbox from now on: starts and ends of commands, refusals, connections,
   * approvals. Ends when the loop is left, the signal is aborted or the sandbox has closed. A slow reader loses the
   * oldest events, and `missing` counts them. Throws `HF_USAGE` for a queue below 1.
   *
   * @example for await (const { event, missing } of sandbox.events()) console.log(event.type, missing);
   */
  events(options: EventsOptions = {}): AsyncGenerator<SandboxEvent, void> {
    return sessionEvents(
      { id: this.session.id, journal: this.session.place.paths.journal, closed: this.closing.signal },
      options,
    );
  }

  /**
   * Returns metrics of the sandbox since its creation, and the current use of its commands.
   *
   * @example for (const { id, memoryBytes } of sandbox.metrics().running) console.log(id, memoryBytes);
   */
  metrics(): SandboxMetrics {
    return metricsOf(this.commands.list(), this.commands.counts(), this.created);
  }

  /** Real path of the writable root. */
  get workspace(): string {
    return this.session.place.workspace.root;
  }

  /**
   * ID of the layer that receives writes now. Undefined without `staged`. Changes when all changes were accepted or
   * discarded.
   */
  get layer(): string | undefined {
    return this.session.staging?.layer.id;
  }

  /**
   * Interrupted accepts and undos of this user. They were completed or rolled back before this sandbox took the layer
   * of `staged.into`.
   */
  get recovered(): readonly Recovered[] {
    return this.session.staging?.recovered ?? [];
  }

  /**
   * Returns the changes of the layer, or those in `paths`, against the host as it is now. Commands may run meanwhile.
   * Throws `HF_USAGE` for a sandbox that is not staged, and for a path without changes.
   *
   * @example for (const { kind, path } of (await sandbox.review()).changes) console.log(kind, path.toString());
   */
  review(paths?: readonly FilePath[]): Promise<Review> {
    return reviewOwn(this.parts, paths);
  }

  /**
   * Applies the staged changes, or those in `paths`, to the host: all of them or none. Ends the files worker first.
   * Commands continue in the remaining layer, or in a new layer. Throws `HF_STAGED_BUSY` while a command runs, and the
   * errors of `acceptLayer`.
   *
   * @example await sandbox.accept(['src'], { conflicts: 'overwrite' });
   */
  accept(paths?: readonly FilePath[], choice: AcceptChoice = {}): Promise<AcceptReport> {
    return acceptOwn(this.parts, paths, choice);
  }

  /**
   * Drops the staged changes, or those in `paths`, for good. Otherwise like `accept`.
   *
   * @example await sandbox.discard(['coverage']);
   */
  discard(paths?: readonly FilePath[]): Promise<DiscardReport> {
    return discardOwn(this.parts, paths);
  }

  /**
   * Undoes the last accept of the workspace. The sandbox continues in the layer that holds these changes again, unless
   * its own layer has newer work. Throws `HF_STAGED_BUSY` while a command runs, and the errors of `undoAccept`.
   *
   * @example await sandbox.undo();
   */
  undo(): Promise<UndoReport> {
    return undoOwn(this.parts);
  }

  /**
   * Creates sandboxes with the same options. Each has its own layer, which begins as a copy of this one's. Later writes
   * and accepts affect only their own sandbox. The layers outlive their sandboxes until they are accepted or discarded.
   *
   * Throws `HF_USAGE` for a sandbox that is not staged, and `HF_STAGED_BUSY` while a command runs. Throws
   * `HF_STAGED_CONFLICT` if the host changed something that the layer changed too, and `HF_STAGED_INVALID` for content
   * that cannot be copied unchanged. After an error there is no fork.
   *
   * @example const [first, second] = await sandbox.fork(2);
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
   * Fetches a URL under the policy of this sandbox. The policy decides, every hop is vetted, sizes are bounded, and
   * pages become text. A refusal is a result, not an error.
   */
  async fetch(url: string, options?: FetchOptions): Promise<FetchResult> {
    return (await this.session.network.egress()).fetch(url, options);
  }

  /**
   * Opens a proxy on a loopback port of the host, for programs that cannot run in a box. `environment` holds its
   * secret. Default: a free port.
   */
  async proxy(port = 0): Promise<SessionProxy> {
    return (await this.session.network.egress()).proxy(port);
  }

  /** Ends every running command and the files worker, and waits for them. */
  async close(): Promise<void> {
    const { approvals, threads, network, credentials, staging } = this.session;
    const steps: readonly (() => unknown)[] = [
      // Otherwise callers would continue to wait for an answer.
      () => approvals.close(),
      () => allDone([this.commands.killAll(), this.files.close(), this.tools.close()]),
      () => threads?.close(),
      () => network.close(),
      () => credentials?.close(),
      () => staging?.close(),
      () => this.closing.abort(),
    ];
    // Each step runs, even if an earlier one fails.
    const failures: unknown[] = [];
    for (const step of steps) await (async () => step())().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }

  private get parts(): Holder {
    return { session: this.session, commands: this.commands, files: this.files };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Waits for all of them, then rejects with the first error. */
async function allDone(work: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
