import { randomBytes } from 'node:crypto';

/** What clients know as their keys for cancel requests. The server's own never reach a box. */
export interface CancelKeys {
  /**
   * A key for a client whose cancel requests are answered by `cancel`. The process is the server's, which clients
   * compare.
   */
  issue(processId: number, cancel: () => Promise<void>): { readonly key: Buffer; revoke(): void };
  /** What the key is for; undefined for one that was never given, or whose connection is gone. */
  find(processId: number, key: Buffer): (() => Promise<void>) | undefined;
}

export function createCancelKeys(): CancelKeys {
  const issued = new Map<string, () => Promise<void>>();
  const nameOf = (processId: number, key: Buffer): string => `${processId} ${key.toString('hex')}`;
  return {
    issue(processId, cancel) {
      let key = randomBytes(4);
      while (issued.has(nameOf(processId, key))) key = randomBytes(4);
      const name = nameOf(processId, key);
      issued.set(name, cancel);
      return { key, revoke: () => void issued.delete(name) };
    },
    find: (processId, key) => issued.get(nameOf(processId, key)),
  };
}
