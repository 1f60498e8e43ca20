import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const holdfast = join(import.meta.dirname, '../bin/holdfast');
let directory = '';

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'holdfast-output-'));
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('long output reaches a slow reader of a pipe to its end', () => {
  const { stdout } = spawnSync('sh', ['-c', '"$0" plan --json | (sleep 0.6; cat)', holdfast], {
    cwd: directory,
    encoding: 'utf8',
    maxBuffer: 1 << 24,
  });
  // A pipe takes this much before its writer has to wait.
  expect(stdout.length).toBeGreaterThan(65_536);
  expect(JSON.parse(stdout)).toHaveProperty('mounts');
});

const quick = [['--version'], ['help'], ['plan', '--help'], ['completion', 'bash'], ['policy', 'show']] as const;

test.each(quick.map((words) => [words]))('output without a reader is no failure: %j', (words) => {
  const { stdout, stderr } = spawnSync(
    'bash',
    ['-c', '{ sleep 0.5; "$0" "$@"; echo "$?" >&3; } 3>&2 | true', holdfast, ...words],
    { cwd: directory, encoding: 'utf8' },
  );
  expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '0\n' });
});

test.each(quick.map((words) => [words]))('unwritable output is a failure of Holdfast in two lines: %j', (words) => {
  const { status, stderr } = spawnSync('sh', ['-c', '"$0" "$@" > /dev/full', holdfast, ...words], {
    cwd: directory,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: 125,
    stderr:
      'holdfast: its output cannot be written (ENOSPC)\nholdfast: to fix it: make room where it goes, or send it elsewhere [HF_USAGE]\n',
  });
  expect(spawnSync('sh', ['-c', '"$0" "$@" > /dev/full 2>&1', holdfast, ...words], { cwd: directory }).status).toBe(
    125,
  );
});

const shown = [[], ['--show', 'model'], ['--show', 'person']] as const;

/** The first line of `holdfast run`'s output, its exit status, and its stderr. Ends an endless run after 20 seconds. */
function firstLine(flags: readonly string[], script: string): { readonly stdout: string; readonly stderr: string } {
  const { stdout, stderr } = spawnSync(
    'bash',
    [
      '-c',
      'timeout --signal=KILL 20 "$0" run "$@" | head -n 1; echo "${PIPESTATUS[0]}"',
      holdfast,
      ...flags,
      '--',
      'bash',
      '-c',
      script,
    ],
    { cwd: directory, encoding: 'utf8' },
  );
  return { stdout, stderr };
}

test.each(shown.map((flags) => [flags]))('a command ends by SIGPIPE after its reader has left: run %j', (flags) => {
  expect(firstLine(flags, 'exec yes')).toEqual({ stdout: 'y\n141\n', stderr: '' });
});

test.each(shown.map((flags) => [flags]))(
  'a command that continues without a reader ends in its own way, and its stderr is still read: run %j',
  (flags) => {
    expect(firstLine(flags, 'trap "" PIPE; yes 2> /dev/null; echo "yes ended" >&2; exit 7')).toEqual({
      stdout: 'y\n7\n',
      stderr: 'yes ended\n',
    });
  },
);

test.each(['model', 'person'])('hidden characters are reported even after the reader has left: --show %s', (reader) => {
  expect(firstLine(['--show', reader], 'printf "a\\342\\200\\213b\\n"; exec yes')).toEqual({
    stdout: 'a⟦U+200B⟧b\n141\n',
    stderr: expect.stringMatching(/^holdfast: the output has hidden characters: .+\n$/u) as string,
  });
});

test('a command ends after the one reader of both streams has left', () => {
  const { stdout } = spawnSync(
    'bash',
    ['-c', 'timeout --signal=KILL 20 "$0" run --show model -- yes 2>&1 | head -n 1; echo "${PIPESTATUS[0]}"', holdfast],
    { cwd: directory, encoding: 'utf8' },
  );
  expect(stdout).toBe('y\n141\n');
});

test.each([
  ['the same pipe for both', 'exec yes'],
  ['stderr alone', 'yes >&2'],
])('an endless writer ends if the reader of its stderr leaves: %s', (_what, script) => {
  const { stdout } = spawnSync(
    'bash',
    [
      '-c',
      'timeout --signal=KILL 20 "$0" run -- bash -c "$1" 2>&1 | head -n 1; echo "${PIPESTATUS[0]}"',
      holdfast,
      script,
    ],
    { cwd: directory, encoding: 'utf8' },
  );
  expect(stdout).toBe('y\n141\n');
});
