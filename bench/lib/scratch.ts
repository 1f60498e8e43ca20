import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Directories of one bench run, removed when it ends. */
export interface Scratch {
  readonly workspace: string;
  /** Codex refuses a home below the temporary directory, so this one lies in the user's cache. */
  readonly codexHome: string;
  /** The environment for every contestant: Holdfast's policy and journal of the user stay out of it. */
  readonly environment: NodeJS.ProcessEnv;
}

export async function withScratch<Value>(use: (scratch: Scratch) => Promise<Value>): Promise<Value> {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  const cache = join(homedir(), '.cache');
  mkdirSync(cache, { recursive: true });
  const codexHome = mkdtempSync(join(cache, 'holdfast-bench-'));
  try {
    return await use({ workspace: makeDirectory(root, 'workspace'), codexHome, environment: environmentFor(root, codexHome) });
  } finally {
    rmSync(root, { recursive: true, force: true });
    rmSync(codexHome, { recursive: true, force: true });
  }
}

function environmentFor(root: string, codexHome: string): NodeJS.ProcessEnv {
  const own = { XDG_CONFIG_HOME: makeDirectory(root, 'config'), XDG_STATE_HOME: makeDirectory(root, 'state') };
  return { ...process.env, ...own, CODEX_HOME: codexHome };
}

function makeDirectory(root: string, name: string): string {
  const path = join(root, name);
  mkdirSync(path);
  return path;
}
