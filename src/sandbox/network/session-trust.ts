import type { FileEntry } from '../../plan/index.ts';

/** What a box needs to believe an authority. */
export interface SessionTrust {
  readonly files: readonly FileEntry[];
  readonly environment: Readonly<Record<string, string>>;
}

export const noTrust: SessionTrust = { files: [], environment: {} };
