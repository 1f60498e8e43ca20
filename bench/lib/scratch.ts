import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Directories of one bench run, removed when the process ends. */
export interface Scratch {
  readonly workspace: string;
  /** For any other files of a bench. A box sees them only by a grant. */
  readonly beside: string;
  /** The environment for every contestant. It excludes the user's policy and journal of Holdfast. */
  readonly environment: NodeJS.ProcessEnv;
}

export function makeScratch(): Scratch {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const root = temporary(tmpdir());
  const cache = join(homedir(), '.cache');
  mkdirSync(cache, { recursive: true });
  // Codex refuses a home below the temporary directory.
  const codexHome = temporary(cache);
  const own = {
    XDG_CONFIG_HOME: directory(root, 'config'),
    XDG_STATE_HOME: directory(root, 'state'),
    CODEX_HOME: codexHome,
  };
  return {
    workspace: directory(root, 'workspace'),
    beside: directory(root, 'beside'),
    environment: { ...process.env, ...own },
  };
}

function temporary(parent: string): string {
  const path = mkdtempSync(join(parent, 'holdfast-bench-'));
  process.once('exit', () => rmSync(path, { recursive: true, force: true }));
  return path;
}

function directory(root: string, name: string): string {
  const path = join(root, name);
  mkdirSync(path);
  return path;
}
