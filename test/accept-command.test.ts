import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Project } from './lib/holdfast.ts';

/** A workspace with `kept` and `gone`, and a layer that changes one, removes the other, and adds `made`. */
function staged(): Project {
  const project = new Project();
  project.write('kept', 'before\n');
  project.write('gone', 'gone\n');
  const { status, stderr } = project.inside('echo after > kept; rm gone; echo new > made', ['--staged']);
  expect(status, stderr).toBe(0);
  return project;
}

const onHost = (project: Project): readonly string[] =>
  readdirSync(project.workspace)
    .filter((name) => name !== '.git')
    .toSorted();
const layers = ({ state }: Project): readonly string[] => readdirSync(join(state, 'staged'));
const events = ({ state }: Project): readonly string[] =>
  readFileSync(join(state, 'journal.jsonl'), 'utf8')
    .split('\n')
    .flatMap((line) => /"type":"(staged\.\w+)"/u.exec(line)?.[1] ?? []);

describe('holdfast accept, discard and undo', () => {
  test('accept puts all changes onto the host, and undo takes them back', () => {
    using project = staged();
    const [id] = layers(project);
    expect(project.holdfast(['accept'])).toMatchObject({
      status: 0,
      stdout: 'accepted 3 changes; `holdfast undo` reverts it\n',
      stderr: '',
    });
    expect(onHost(project)).toEqual(['kept', 'made']);
    expect(readFileSync(join(project.workspace, 'kept'), 'utf8')).toBe('after\n');
    expect(layers(project)).toEqual([]);
    expect(project.holdfast(['undo'])).toMatchObject({
      status: 0,
      stdout: `undone: 3 entries are as before the accept, and staged again: holdfast review ${id}\n`,
      stderr: '',
    });
    expect(onHost(project)).toEqual(['gone', 'kept']);
    expect(readFileSync(join(project.workspace, 'kept'), 'utf8')).toBe('before\n');
    expect(layers(project)).toEqual([id]);
    expect(events(project)).toEqual(['staged.accept', 'staged.undo']);
    expect(project.holdfast(['audit', 'verify']).status).toBe(0);
  });

  test('--json prints one value each, with the accepted and the remaining changes and the reasons', () => {
    using project = staged();
    const [layer = ''] = layers(project);
    const printed = (...words: readonly string[]): unknown => JSON.parse(project.holdfast([...words, '--json']).stdout);
    const root = project.workspace;
    project.write('kept', 'mine\n');
    expect(printed('accept', '--all')).toEqual({
      layer,
      accepted: [
        { kind: 'deleted', root, path: 'gone' },
        { kind: 'added', root, path: 'made' },
      ],
      leftOut: [{ kind: 'modified', root, path: 'kept', reason: expect.any(String) }],
      left: 1,
      noticed: [],
    });
    expect(printed('undo')).toEqual({ layer, entries: 2, conflicts: [] });
    expect(printed('discard', 'made')).toEqual({
      layer,
      discarded: [{ kind: 'added', root, path: 'made' }],
      removed: false,
    });
    expect(printed('discard')).toEqual({ layer, discarded: 'everything', removed: true });
  });

  test('takes paths relative to any directory, and leaves the rest staged', () => {
    using project = staged();
    const [id = ''] = layers(project);
    expect(project.holdfast(['accept', '../made'], { cwd: join(project.workspace, '.git') })).toMatchObject({
      status: 0,
      stdout: `accepted 1 change; 2 changes still staged in ${id}; \`holdfast undo\` reverts it\n`,
    });
    expect(project.holdfast(['discard', id, './gone'])).toMatchObject({ status: 0, stdout: 'discarded 1 change\n' });
    expect(onHost(project)).toEqual(['gone', 'kept', 'made']);
    expect(project.holdfast(['review', '--name-only']).stdout).toBe('kept\n');
    expect(project.holdfast(['discard'])).toMatchObject({ status: 0, stdout: `discarded the layer ${id}\n` });
    expect(layers(project)).toEqual([]);
    expect(readFileSync(join(project.workspace, 'kept'), 'utf8')).toBe('before\n');
    expect(events(project)).toEqual(['staged.accept', 'staged.discard', 'staged.discard']);
  });

  test('accepts nothing with a conflict or a protected name; --all skips those, --overwrite includes the conflict', () => {
    using project = staged();
    project.inside('mkdir .vscode; echo {} > .vscode/tasks.json', ['--into', layers(project)[0] ?? '']);
    project.write('kept', 'mine\n');
    const refused = project.holdfast(['accept']);
    expect(refused).toMatchObject({ status: 125, stdout: '' });
    expect(refused.stderr).toMatch(/\.vscode[^]*\[HF_STAGED_REFUSED\]/u);
    expect(project.holdfast(['accept', 'kept'])).toMatchObject({
      status: 125,
      stderr: expect.stringMatching(/kept[^]*\[HF_STAGED_CONFLICT\]/u),
    });
    expect(onHost(project)).toEqual(['gone', 'kept']);
    const some = project.holdfast(['accept', '--all']);
    expect(some).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^accepted 2 changes; 3 changes still staged/u),
    });
    expect(some.stderr.match(/left staged: "[^"]+"/gu)).toHaveLength(3);
    expect(readFileSync(join(project.workspace, 'kept'), 'utf8')).toBe('mine\n');
    expect(project.holdfast(['accept', '--overwrite', 'kept']).status).toBe(0);
    expect(readFileSync(join(project.workspace, 'kept'), 'utf8')).toBe('after\n');
    expect(project.holdfast(['undo']).status).toBe(0);
    expect(readFileSync(join(project.workspace, 'kept'), 'utf8')).toBe('mine\n');
    expect(existsSync(join(project.workspace, '.vscode'))).toBe(false);
  });

  test.each([['accept'], ['discard'], ['undo'], ['accept', 'no-such-path'], ['undo', 'a', 'b']])(
    '%s %s without staged changes: one clear error',
    (...words) => {
      using project = words.length === 2 ? staged() : new Project();
      const before = onHost(project);
      const { status, stdout, stderr } = project.holdfast(words);
      expect([status, stdout]).toEqual([125, '']);
      expect(stderr).toMatch(/^holdfast: [^\n]+\nholdfast: to fix it: [^\n]+ \[HF_(?:USAGE|STAGED_INVALID)\]\n$/u);
      expect(onHost(project)).toEqual(before);
    },
  );
});
