import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs `work` in a fresh directory, and removes the directory afterwards. */
export async function withEmptyWorkspace<T>(work: (workspace: string) => Promise<T>): Promise<T> {
  const workspace = mkdtempSync(join(tmpdir(), 'holdfast-'));
  try {
    return await work(workspace);
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}
