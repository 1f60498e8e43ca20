import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { binary, has, Project } from './lib/holdfast.ts';

if (!has('script'))
  console.warn('SKIPPED: progress at a terminal, because script is not installed (Debian: apt-get install bsdutils)');

/** The terminal's output. */
function seen(project: Project, words: string, environment: Readonly<Record<string, string>> = {}): string {
  const { stdout } = spawnSync('script', ['-qec', `${binary} ${words}`, '/dev/null'], {
    cwd: project.workspace,
    env: { ...project.environment, TERM: 'xterm', ...environment },
    encoding: 'utf8',
    input: '',
  });
  return stdout;
}

const shownFirst = '\rholdfast: reading the workspace: 1 entries\u001B[K';
const dimmed = '\r\u001B[2mholdfast: reading the workspace: 1 entries\u001B[m\u001B[K';
/** The ID of the checkpoint, which starts with its year, replaces the line. */
const cleared = '\r\u001B[K2';

describe.skipIf(!has('script'))('the progress of long work', () => {
  test('is one line of a terminal, and disappears before the result', () => {
    using project = new Project();
    const shown = seen(project, 'checkpoint create');
    expect(shown).toContain(dimmed);
    expect(shown).toContain(cleared);
    expect(shown.split('\n')).toHaveLength(2);
  });

  test('has no colour with NO_COLOR, and is absent on a terminal that cannot clear a line, and beside JSON', () => {
    using project = new Project();
    const plain = seen(project, 'checkpoint create', { NO_COLOR: '1' });
    expect(plain).toContain(shownFirst);
    expect(plain).not.toContain('\u001B[2m');
    for (const shown of [
      seen(project, 'checkpoint create', { TERM: 'dumb' }),
      seen(project, 'checkpoint create --json'),
    ])
      expect([shown.includes('reading'), shown.includes('\u001B')]).toEqual([false, false]);
    expect(JSON.parse(seen(project, 'checkpoint list --json'))).toMatchObject({ total: 3 });
  });

  test('is not written into pipes', () => {
    using project = new Project();
    expect(project.holdfast(['checkpoint', 'create'])).toMatchObject({ status: 0, stderr: '' });
  });
});
