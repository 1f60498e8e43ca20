import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * A page's proof: a cookie, which scripts cannot read, and a key, which only pages of this origin have. A browser sends
 * cookies of 127.0.0.1 to every port of it, where another user's server may listen. So the cookie alone opens nothing.
 */
export interface EntrancePass {
  readonly cookie: string;
  readonly key: string;
}

/** Gives one pass for each token, and accepts each token once. Keeps only digests. */
export class Entrance {
  #token: Buffer | undefined;
  #passes: readonly { readonly cookie: Buffer; readonly key: Buffer }[] = [];

  /** Returns a new token of 256 bits in hexadecimal. An unused earlier token becomes invalid. */
  mint(): string {
    const token = secret();
    this.#token = digest(token);
    return token;
  }

  /** Undefined for an invalid or outdated token. */
  exchange(token: string): EntrancePass | undefined {
    if (this.#token === undefined || !timingSafeEqual(digest(token), this.#token)) return undefined;
    this.#token = undefined;
    const pass = { cookie: secret(), key: secret() };
    this.#passes = [...this.#passes, { cookie: digest(pass.cookie), key: digest(pass.key) }].slice(-most);
    return pass;
  }

  admits({ cookie, key }: EntrancePass): boolean {
    const shown = { cookie: digest(cookie), key: digest(key) };
    return this.#passes.some(
      (pass) => timingSafeEqual(pass.cookie, shown.cookie) && timingSafeEqual(pass.key, shown.key),
    );
  }
}

/** Pages that may be open at the same time. */
const most = 16;

function secret(): string {
  return randomBytes(32).toString('hex');
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
