import { join } from 'node:path';
import process from 'node:process';
import type { TrustLevel } from '../types.ts';

/** Where approvals are kept. Boxes see neither. */
export interface TrustPaths {
  /** What holds until it is revoked, and the approved bytes of both levels. */
  readonly trust: string;
  /** What lasts no longer than a login is in `trust` below it. */
  readonly runtime: string;
}

export function recordDirectory({ trust, runtime }: TrustPaths, level: TrustLevel): string {
  return level === 'always' ? trust : join(runtime, 'trust');
}

/** `workspace` is a real path. A name of 128 bits: the record says itself which workspace it is of. */
export function recordName(workspace: string): string {
  return `${sha256Of(workspace).slice(0, 32)}.json`;
}

export const recordNamePattern = /^[0-9a-f]{32}\.json$/u;

export function objectsDirectory({ trust }: TrustPaths): string {
  return join(trust, 'objects');
}

export const sha256Pattern = /^[0-9a-f]{64}$/u;

/** Loading `node:crypto` takes 4 ms, which nobody pays who has approved nothing. */
export function sha256Of(content: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', content);
}
