import { HoldfastError } from '../errors/index.ts';
import { groupOf } from '../policy/credentials/group-of.ts';
import type { Session } from '../session/session.ts';
import { type ShownCredentials, shownCredentials } from '../credentials/session/shown-credentials.ts';

/** What stands for secrets in the boxes of a sandbox. */
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
        remedy: 'see `sandbox.credentials.show()` for what it has',
      });
    credentials?.revoke(name);
  }
}
