import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { directory } from './testing/scene.ts';

const keepOut = `import { keepOutOfCoreDumps } from ${JSON.stringify(join(import.meta.dirname, 'keep-out-of-core-dumps.ts'))};`;
// In no program's text in one piece, so that it is in memory only because it was put together there.
const canary = ['EXAMPLE', 'canary', 'in', 'memory'];

/** With the filter that Linux begins with: tests that ran before in this process may have changed its own. */
function run(cwd: string, script: string) {
  return spawnSync(
    'sh',
    [
      '-c',
      'echo 0x33 > /proc/self/coredump_filter; ulimit -c 4000000 && exec "$0" --no-warnings --input-type=module -e "$1"',
      process.execPath,
      script,
    ],
    { cwd, encoding: 'utf8', timeout: 60_000 },
  );
}

/** Whether the core of a process that aborts holds what was in its memory; undefined where this machine writes none. */
function coreHolds(before: string): boolean | undefined {
  const cwd = mkdtempSync('/var/tmp/holdfast-core-');
  run(cwd, `${before} globalThis.bytes = Buffer.alloc(4096, ${JSON.stringify(canary)}.join('-')); process.abort();`);
  const core = readdirSync(cwd).find((name) => name.startsWith('core'));
  const holds =
    core === undefined ? undefined : spawnSync('grep', ['-aqF', canary.join('-'), join(cwd, core)]).status === 0;
  rmSync(cwd, { recursive: true });
  return holds;
}

const control = process.platform === 'linux' ? coreHolds('') : undefined;
if (control === undefined)
  console.warn(
    'SKIPPED: a real core dump, because this machine writes none into the working directory (sysctl kernel.core_pattern=core)',
  );

describe('a core dump', () => {
  test.skipIf(control === undefined)(
    'holds the memory of a process (the control), and nothing of it afterwards',
    { timeout: 120_000 },
    () => {
      expect(control).toBe(true);
      expect(coreHolds(`${keepOut} keepOutOfCoreDumps();`)).toBe(false);
    },
  );

  test.skipIf(!existsSync('/proc/self/coredump_filter'))(
    'is told by the kernel to hold nothing, in what the process starts as well',
    () => {
      const filter = "execFileSync('cat', ['/proc/self/coredump_filter'], { encoding: 'utf8' }).trim()";
      expect(
        run(
          directory(),
          `${keepOut} import { execFileSync } from 'node:child_process'; console.log(keepOutOfCoreDumps(), ${filter});`,
        ).stdout,
      ).toBe('kept-out 00000000\n');
    },
  );
});
