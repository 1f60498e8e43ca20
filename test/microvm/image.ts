import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { binary } from '../lib/holdfast.ts';

/** A state directory with an image for microVMs, or the reason for its absence. */
export interface StateWithImage {
  readonly directory: string;
  readonly problem: string | undefined;
  remove(): void;
}

/** Builds one from the distribution's package, as the test's user does. Takes about ten seconds. */
export function buildState(): StateWithImage {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-microvm-state-'));
  const { PATH } = process.env;
  const { status, stderr } = spawnSync(binary, ['microvm', 'build'], {
    env: { PATH, HOME: directory, XDG_STATE_HOME: directory },
    encoding: 'utf8',
    timeout: 240_000,
  });
  return {
    directory,
    problem: status === 0 ? undefined : stderr,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
