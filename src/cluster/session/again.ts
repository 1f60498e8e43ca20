import { setTimeout as sleep } from 'node:timers/promises';
import { isHoldfastError } from '../../errors/index.ts';
import type { ClusterConnection } from './connection.ts';

const mostTries = 4;

/**
 * Repeats work after a lost connection, or a busy server. Only for work that may happen twice: a command of the user
 * may not.
 */
export async function again<Value>({ target }: ClusterConnection, work: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      target.signal.throwIfAborted();
      if (tries >= mostTries || !mayPass(error)) throw error;
    }
    await sleep(200 * 2 ** tries, undefined, { signal: target.signal });
  }
}

function mayPass(error: unknown): boolean {
  if (!isHoldfastError(error)) return false;
  const status = Number(error.details['status'] ?? 0);
  return error.code === 'HF_CLUSTER_UNREACHABLE' || status === 429 || status >= 500;
}
