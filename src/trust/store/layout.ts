import { join } from 'node:path';
import process from 'node:process';
import type { TrustLevel } from '../types.ts';

/** Directories of approvals. Boxes see neither. */
export interface TrustPaths {
  /** Holds approvals until they are revoked, and the approved bytes of both levels. */
  readonly trust: string;
  /** Its directory `trust` holds approvals that end with the login. */
  readonly runtime: string;
}

export function recordDirectory({ trust, runtime }: TrustPaths, level: TrustLevel): string {
  return level === 'always' ? trust : join(runtime, 'trust');
}

/** Returns a name of 128 bits for the real path of a workspace. The record itself names its workspace. */
export function recordName(workspace: string): string {
  return `${sha256Of(workspace).slice(0, 32)}.json`;
}

export const recordNamePattern = /^[0-9a-f]{32}\.json$/u;

export function objectsDirectory({ trust }: TrustPaths): string {
  return join(trust, 'objects');
}

export const sha256Pattern = /^[0-9a-f]{64}$/u;

/** Loads `node:crypto` lazily, because that takes 4 ms, and a user without approvals does not need it. */
export function sha256Of(content: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', content);
}
