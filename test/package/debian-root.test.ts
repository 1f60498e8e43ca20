import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { has, repository } from '../lib/holdfast.ts';

const root = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'holdfast/debian-root');
const missing =
  process.env['HOLDFAST_EXTENT'] !== 'whole'
    ? 'SKIPPED: it takes a minute, at night'
    : process.getuid?.() !== 0
      ? 'SKIPPED: only root can enter another root'
      : existsSync(root)
        ? ''
        : 'SKIPPED: scripts/debian-root.sh has not made one';
if (missing !== '') console.warn(`a clean Debian: ${missing}`);

const fixtures = join(repository, 'test/fixtures/debian-root');
const npm = (...words: readonly string[]): string =>
  execFileSync('npm', words, { cwd: repository, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

test.skipIf(missing !== '' || !has('npm'))(
  `on a clean Debian without compiler and network the package installs, confines and stops an attack ${missing}`,
  { timeout: 900_000 },
  () => {
    const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-debian-')));
    try {
      const [, tarball = ''] =
        /"filename": "([^"]+)"/u.exec(npm('pack', '--json', '--pack-destination', scratch)) ?? [];
      renameSync(join(scratch, tarball), join(scratch, 'holdfast.tgz'));
      // From then on, npm's cache has every answer of the registry that it needs.
      npm(
        'install',
        '-g',
        '--prefix',
        join(scratch, 'prefix'),
        '--cache',
        join(scratch, 'cache'),
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
        join(scratch, 'holdfast.tgz'),
      );
      const [node, npmDirectory] = [
        process.execPath,
        dirname(dirname(realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim()))),
      ];
      const words = [
        join(fixtures, 'enter.sh'),
        root,
        scratch,
        node,
        npmDirectory,
        join(fixtures, 'install-and-try.sh'),
        npm('config', 'get', 'registry'),
      ];
      // A network namespace without an interface: npm and Holdfast cannot fetch anything.
      const { status, stdout, stderr } = spawnSync(
        'unshare',
        ['--mount', '--net', '--propagation', 'private', 'sh', ...words],
        { encoding: 'utf8' },
      );
      expect({ status, stderr, lines: stdout.trim().split('\n') }).toEqual({
        status: 0,
        stderr: '',
        lines: [
          'inside',
          'the guarantees of the default policy hold',
          'control: 192.0.2.1 control',
          'attack: status 2, 192.0.2.1 control',
          'it is known why',
        ],
      });
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  },
);
