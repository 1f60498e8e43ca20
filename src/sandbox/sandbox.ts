import { resolve } from 'node:path';
import process from 'node:process';
import type { BackendName } from '../backends/index.ts';
import { Commands } from './commands.ts';
import type { FetchOptions, FetchResult } from '../egress/index.ts';
import { Files } from '../files/index.ts';
import { sessionFiles } from './files/session-files.ts';
import type { Approve } from './notify/approve.ts';
import type { SessionProxy } from './network/session-egress.ts';
import type { Grants } from './place.ts';
import { openSession, type Session } from './session.ts';
import type { StagedChoice } from './staged/staging.ts';

export interface SandboxOptions {
  /** The writable root. Default: the top of the git work tree around `cwd`, or `cwd`. */
  readonly workspace?: string;
  /** Where commands start. Default: the workspace when it is given, else the process's working directory. */
  readonly cwd?: string;
  /** Default: `auto`, which never means none. */
  readonly backend?: BackendName | 'auto';
  /** What is granted beyond the user's policy file, as by the flags of `holdfast run`; relative paths start at `cwd`. */
  readonly grants?: Grants;
  /** Keeps every write in a staged layer, which `holdfast review` shows. Default: writes go to the host. */
  readonly staged?: StagedChoice;
  /** Decides what rules ask about, while the process that wants it waits. Default: denies it. */
  readonly approve?: Approve;
  /** What the policy's allow-list is applied to. Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * One policy over one workspace, in which any number of commands run, each in a box of its own. Instances are independent:
 * a process may hold several with different policies.
 *
 * @example
 * await using sandbox = await Sandbox.create({ workspace: '/home/me/project' });
 * const { exitCode, stdout } = await sandbox.commands.run(['npm', 'test']);
 */
export class Sandbox {
  readonly commands: Commands;
  /** Files as its commands see them. */
  readonly files: Files;

  private readonly session: Session;

  private constructor(session: Session) {
    this.session = session;
    this.commands = new Commands(session);
    this.files = new Files(sessionFiles(session));
  }

  /** Throws `HoldfastError` when the policy is invalid or this host cannot hold what it requires. */
  static async create(options: SandboxOptions = {}): Promise<Sandbox> {
    const { workspace, cwd = workspace ?? process.cwd(), environment = process.env } = options;
    const session = await openSession({ ...options, stagedBoxes: 'many', cwd: resolve(cwd), environment, ...(workspace === undefined ? {} : { workspace: resolve(workspace) }) });
    return new Sandbox(session);
  }

  /** Unique among sessions; it stands in the journal. */
  get id(): string {
    return this.session.id;
  }

  /** Real path of the writable root. */
  get workspace(): string {
    return this.session.place.workspace.root;
  }

  /** The layer that writes go to; absent without `staged`. */
  get layer(): string | undefined {
    return this.session.staging?.layer.id;
  }

  /** Fetches a URL by the policy of this sandbox: decided, vetted on every hop, bounded, pages as text. What was refused is a result. */
  async fetch(url: string, options?: FetchOptions): Promise<FetchResult> {
    return (await this.session.network.egress()).fetch(url, options);
  }

  /** A proxy on a loopback port of the host, for programs that cannot run in a box. `environment` holds its secret. Default: a free port. */
  async proxy(port = 0): Promise<SessionProxy> {
    return (await this.session.network.egress()).proxy(port);
  }

  /** Ends every command that still runs and the files worker, and waits for them. */
  async close(): Promise<void> {
    const ends = await Promise.allSettled([this.commands.killAll(), this.files.close()]);
    await this.session.network.close();
    await this.session.staging?.close();
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
