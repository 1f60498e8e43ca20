import { appendEvents } from '../audit/index.ts';
import { type ShownCredentials, shownCredentials } from '../credentials/session/shown-credentials.ts';
import { HoldfastError } from '../errors/index.ts';
import type { Files } from '../files/index.ts';
import type { PolicyText } from '../place/policy-texts.ts';
import { groupOf } from '../policy/credentials/types.ts';
import type { PolicyRequest } from '../policy/request.ts';
import type { Verdict } from '../policy/verdict.ts';
import type { Commands } from '../session/commands.ts';
import { otherParts, planBox, type Session } from '../session/session.ts';
import type { SandboxTools } from '../tools/session/sandbox-tools.ts';

export interface CurrentPolicy {
  /** All policy texts in force, in the order of authority. The kind `session` marks layers of `narrow`. */
  readonly texts: readonly PolicyText[];
  /** SHA-256 of texts and grants, as in the journal. */
  readonly digest: string;
  readonly backend: string;
  /** `strict`: a policy says `strict = true`. */
  readonly manner: 'usual' | 'strict';
}

export interface NarrowOptions {
  /** The effect on running commands, whose boxes cannot shrink. `end` ends them with SIGKILL. Default: `keep`. */
  readonly running?: 'keep' | 'end';
}

export interface Narrowed {
  /**
   * IDs of commands that continue with their old files, variables and programs. The new policy covers their requests
   * and connections.
   */
  readonly wider: readonly string[];
  /** IDs of the ended commands. */
  readonly ended: readonly string[];
  /** `cut`: open connections were reset. Boxes can reopen allowed ones. */
  readonly connections: 'cut' | 'kept';
}

interface Holder {
  readonly session: Session;
  readonly commands: Commands;
  readonly files: Files;
  readonly tools: Pick<SandboxTools, 'rest'>;
}

/** The policy of one sandbox. It can become stricter, never looser. */
export class SandboxPolicy {
  readonly #holder: Holder;
  #last: Promise<unknown> = Promise.resolve();

  constructor(holder: Holder) {
    this.#holder = holder;
  }

  current(): CurrentPolicy {
    const { place, plan, backend } = this.#holder.session;
    return { texts: place.sources, digest: plan.digests.policy, backend: backend.name, manner: plan.manner };
  }

  /**
   * Returns the decision on a request, with the rule and layer that made it.
   *
   * @example const { decision, message } = await sandbox.policy.decide({ kind: 'connect', host: 'example.com', port:
   * 443, protocol: 'tcp' });
   */
  async decide(request: PolicyRequest): Promise<Verdict> {
    const [{ decide }, { policyOfPlace }] = await Promise.all([
      import('../policy/decide.ts'),
      import('../place/planner.ts'),
    ]);
    return decide(policyOfPlace(this.#holder.session.place), request);
  }

  /**
   * Adds a layer of policy, as TOML. Every later command, file, fetch and connection obeys it too. The layer can only
   * restrict: its lists are ceilings. Throws `HF_POLICY_INVALID` for an invalid layer. Throws `HF_USAGE` for entries
   * that the policy does not allow, and for a staged sandbox. Throws `HF_GUARANTEE_MISSING` for a guarantee that this
   * host cannot enforce. After an error, the policy is unchanged.
   *
   * @example const { wider } = await sandbox.policy.narrow('version = 1\nnetwork.hosts = []', { running: 'end' });
   */
  narrow(toml: string, options: NarrowOptions = {}): Promise<Narrowed> {
    // Two concurrent calls would each start from the policy before the other.
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
    // Throws for a guarantee that this host cannot enforce.
    planBox({ ...session, place, plan }, { argv: [''] });
    const replace = await otherParts(session, place, plan);
    const held = commands
      .list()
      .filter(({ state }) => state === 'running')
      .map(({ id }) => id);
    const told = { wider: running === 'keep' ? held : [], ended: running === 'end' ? held : [] };
    // All in one turn of the event loop, so that nothing starts under a half-changed policy.
    appendEvents(place.paths.journal, [
      {
        type: 'policy.narrow',
        session: session.id,
        workspace: place.workspace.root,
        policy: plan.digests.policy,
        ...told,
      },
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
   * Returns the view of a box: its phantoms, and the hosts where each credential is valid. Never contains a secret.
   *
   * @example
   * for (const notice of sandbox.credentials.show().notices) console.warn(notice);
   */
  show(): ShownCredentials {
    return shownCredentials(this.#session);
  }

  /**
   * Revokes the phantom of a credential, from the next request of any box until the sandbox ends. Without a name it
   * revokes all phantoms. A request in progress continues. Throws `HF_USAGE` for a name without a phantom in this
   * sandbox.
   *
   * @example sandbox.credentials.revoke('github');
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
