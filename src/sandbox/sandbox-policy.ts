import { appendEvents } from '../audit/index.ts';
import { type ShownCredentials, shownCredentials } from '../credentials/session/shown-credentials.ts';
import { HoldfastError } from '../errors/index.ts';
import type { Files } from '../files/index.ts';
import type { PolicyText } from '../place/policy-texts.ts';
import { groupOf } from '../policy/credentials/group-of.ts';
import type { PolicyRequest } from '../policy/request.ts';
import type { Verdict } from '../policy/verdict.ts';
import type { Commands } from '../session/commands.ts';
import { otherParts, planBox, type Session } from '../session/session.ts';
import type { SandboxTools } from '../tools/session/sandbox-tools.ts';

export interface CurrentPolicy {
  /** Every text that holds, in the order of authority; `session` for what was narrowed. */
  readonly texts: readonly PolicyText[];
  /** SHA-256 of texts and grants, as the journal has it. */
  readonly digest: string;
  readonly backend: string;
}

export interface NarrowOptions {
  /**
   * What becomes of commands that run: their boxes cannot be made smaller. `end` ends them with SIGKILL. Default:
   * `keep`.
   */
  readonly running?: 'keep' | 'end';
}

export interface Narrowed {
  /**
   * IDs of commands that go on with the files, variables and programs that they had. What they send and connect to
   * obeys the new policy.
   */
  readonly wider: readonly string[];
  /** IDs of commands that were ended. */
  readonly ended: readonly string[];
  /** `cut`: connections that were open were reset; those that are still allowed can be made again. */
  readonly connections: 'cut' | 'kept';
}

interface Holder {
  readonly session: Session;
  readonly commands: Commands;
  readonly files: Files;
  readonly tools: Pick<SandboxTools, 'rest'>;
}

/** The policy of one sandbox, which can become stricter and never looser. */
export class SandboxPolicy {
  readonly #holder: Holder;
  #last: Promise<unknown> = Promise.resolve();

  constructor(holder: Holder) {
    this.#holder = holder;
  }

  current(): CurrentPolicy {
    const { place, plan, backend } = this.#holder.session;
    return { texts: place.sources, digest: plan.digest, backend: backend.name };
  }

  /**
   * What the policy says to a request, and which rule of which layer says so.
   *
   * @example
   * const { decision, message } = await sandbox.policy.decide({ kind: 'connect', host: 'example.com', port: 443, protocol: 'tcp' });
   */
  async decide(request: PolicyRequest): Promise<Verdict> {
    const [{ decide }, { policyOfPlace }] = await Promise.all([
      import('../policy/decide.ts'),
      import('../place/planner.ts'),
    ]);
    return decide(policyOfPlace(this.#holder.session.place), request);
  }

  /**
   * Adds a layer of policy, as TOML, that every later command, file, fetch and connection obeys too. It can only take
   * away: a list of it is a ceiling. Throws
   * `HF_POLICY_INVALID`, `HF_USAGE` for what it lists and the policy does not allow and for a staged sandbox, and
   * `HF_GUARANTEE_MISSING`; then everything is as before.
   *
   * @example
   * const { wider } = await sandbox.policy.narrow('version = 1\nnetwork.hosts = []', { running: 'end' });
   */
  narrow(toml: string, options: NarrowOptions = {}): Promise<Narrowed> {
    // Two at once would each start from what the other has not narrowed.
    const narrowed = this.#last.then(() => this.#narrow(toml, options));
    this.#last = narrowed.catch(() => undefined);
    return narrowed;
  }

  async #narrow(toml: string, { running = 'keep' }: NarrowOptions): Promise<Narrowed> {
    const { session, commands, files, tools } = this.#holder;
    if (session.staging !== undefined)
      throw new HoldfastError(
        'HF_USAGE',
        'the policy of a staged sandbox cannot be narrowed: its layer covers the roots that it started with',
        { remedy: 'accept or discard its changes, and create another sandbox' },
      );
    const { narrowedPlace } = await import('./narrow-policy.ts');
    const { place, plan, text, network } = narrowedPlace(session, toml);
    // For what it throws: a guarantee that is missing here.
    planBox({ ...session, place, plan }, { argv: [''] });
    const replace = await otherParts(session, place, plan);
    const held = commands
      .list()
      .filter(({ state }) => state === 'running')
      .map(({ id }) => id);
    const told = { wider: running === 'keep' ? held : [], ended: running === 'end' ? held : [] };
    // In one turn: nothing starts that is half of the old policy.
    appendEvents(place.paths.journal, [
      { type: 'policy.narrow', session: session.id, workspace: place.workspace.root, policy: plan.digest, ...told },
    ]);
    replace();
    session.ceilings.push(text);
    session.threads?.forget();
    const replanned = commands.replan(running);
    if (network === 'touched') await session.network.cut();
    await Promise.all([replanned, files.rest(), tools.rest()]);
    return { ...told, connections: network === 'touched' ? 'cut' : 'kept' };
  }
}

/** The phantoms in the boxes of a sandbox. */
export class SandboxCredentials {
  readonly #session: Pick<Session, 'credentials'>;

  constructor(session: Pick<Session, 'credentials'>) {
    this.#session = session;
  }

  /**
   * What a box sees, and where each credential is good. Never a secret.
   *
   * @example
   * for (const notice of sandbox.credentials.show().notices) console.warn(notice);
   */
  show(): ShownCredentials {
    return shownCredentials(this.#session);
  }

  /**
   * Makes what stands for a credential good nowhere, from the next request of any box on, for as long as the sandbox
   * lives. All of them where no name is given. A request that is under way ends as it would. Throws `HF_USAGE` for a
   * name that the sandbox has nothing of.
   *
   * @example
   * sandbox.credentials.revoke('github');
   */
  revoke(name?: string): void {
    const { credentials } = this.#session;
    const isKnown =
      name === undefined ||
      credentials?.credentials.some((credential) => credential.name === name || groupOf(credential) === name) === true;
    if (!isKnown)
      throw new HoldfastError('HF_USAGE', `this sandbox has no credential ${JSON.stringify(name)}`, {
        remedy: 'call `sandbox.credentials.show()` to see its credentials',
      });
    credentials?.revoke(name);
  }
}
