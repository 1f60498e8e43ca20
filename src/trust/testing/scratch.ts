import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { TrustGrant } from '../store/change-trust.ts';
import type { TrustPaths } from '../store/layout.ts';
import type { TrustEntry } from '../types.ts';
import { sha, trustEntry } from './values.ts';

/** A separate state directory without approvals. */
export function scratchPaths(): TrustPaths & { readonly root: string } {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), 'holdfast-trust-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return { root, trust: join(root, 'state/trust'), runtime: join(root, 'run') };
}

export const workspace = '/home/dev/app';

/** An approval of a file with this text. */
export function approval(text: string, parts: Partial<TrustEntry> = {}): TrustGrant {
  return { entry: trustEntry({ sha256: sha(text), ...parts }), contents: new Map([[sha(text), Buffer.from(text)]]) };
}
