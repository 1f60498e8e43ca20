import { randomBytes } from 'node:crypto';

/** The clients' keys for cancel requests. The server's own keys never reach a box. */
export interface CancelKeys {
  /**
   * Issues a key. `cancel` is called for cancel requests with this key. The process ID is the server's, because clients
   * compare it.
   */
  issue(processId: number, cancel: () => Promise<void>): { readonly key: Buffer; revoke(): void };
  /** Returns the action for a key. Undefined if the key is unknown or its connection is gone. */
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
