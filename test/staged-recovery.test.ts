import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Sandbox } from '../src/sandbox/index.ts';
import { applyLayer } from '../src/staged/apply/accept.ts';
import { Crash, crashes } from '../src/staged/apply/testing/crash.ts';
import { openLayer } from '../src/staged/store/open-layer.ts';
import { Project } from './lib/holdfast.ts';

const names = ['a', 'b', 'c', 'd'];

/** A layer that changes four files, and whose accept died with some of them on the host. */
function interrupted(project: Project): string {
  for (const name of names) project.write(name, 'before\n');
  const staged = project.holdfast([
    'run',
    '--staged',
    '--',
    'sh',
    '-c',
    'for name in a b c d; do echo after > $name; done',
  ]);
  const id = /holdfast review (\S+)$/mu.exec(staged.stderr)?.[1] ?? '';
  let entered = 0;
  const pace = (moment: string): void => {
    if (moment === 'entered') entered++;
    if (entered > 2) throw new Crash(moment);
  };
  expect(crashes(() => applyLayer(openLayer(project.state, id), { state: project.state, pace }))).toBe(true);
  return id;
}

const contents = (project: Project): readonly string[] =>
  names.map((name) => readFileSync(join(project.workspace, name), 'utf8').trim());
const untouched = ['before', 'before', 'before', 'before'];

describe('an interrupted accept is completed or undone before anyone looks at its layer', () => {
  test('the control: it left changes on the host', () => {
    using project = new Project();
    interrupted(project);
    expect(new Set(contents(project))).toEqual(new Set(['before', 'after']));
  });

  test('by staged list', () => {
    using project = new Project();
    const id = interrupted(project);
    const { status, stdout, stderr } = project.holdfast(['staged', 'list']);
    expect([status, stderr]).toEqual([
      0,
      `holdfast: layer ${id}: an accept was interrupted: all of it is staged again\n`,
    ]);
    expect(stdout).toMatch(new RegExp(`^${id} .* 4 changed `, 'u'));
    expect(contents(project)).toEqual(untouched);
  });

  test('by run --into, which then shows the staged changes', () => {
    using project = new Project();
    const id = interrupted(project);
    const { status, stdout, stderr } = project.holdfast(['run', '--into', id, '--', 'cat', ...names]);
    expect([status, stdout]).toEqual([0, 'after\nafter\nafter\nafter\n']);
    expect(stderr).toContain(`holdfast: layer ${id}: an accept was interrupted: all of it is staged again\n`);
    expect(contents(project)).toEqual(untouched);
  });

  test('by a sandbox that continues in it', async () => {
    using project = new Project();
    const id = interrupted(project);
    await using sandbox = await Sandbox.create({
      workspace: project.workspace,
      environment: project.libraryEnvironment,
      staged: { into: id },
    });
    expect(sandbox.recovered).toMatchObject([{ layer: id, outcome: 'rolled-back', conflicts: [] }]);
    expect(String((await sandbox.commands.run(['cat', ...names])).stdout)).toBe('after\nafter\nafter\nafter\n');
    expect(contents(project)).toEqual(untouched);
    expect((await sandbox.accept()).left).toBe(0);
    expect(contents(project)).toEqual(['after', 'after', 'after', 'after']);
  });

  test('not by a sandbox of a new layer, or a live one', async () => {
    using project = new Project();
    interrupted(project);
    const before = contents(project);
    for (const staged of [{ staged: 'new' }, {}] as const) {
      await using sandbox = await Sandbox.create({
        workspace: project.workspace,
        environment: project.libraryEnvironment,
        ...staged,
      });
      expect(sandbox.recovered).toEqual([]);
    }
    expect(contents(project)).toEqual(before);
  });
});

test('a damaged record does not block a list, and is named', () => {
  using project = new Project();
  const id = interrupted(project);
  const [record = ''] = readdirSync(join(project.state, 'accepted'));
  writeFileSync(join(project.state, 'accepted', record, 'journal'), 'garbage\n');
  const { status, stdout, stderr } = project.holdfast(['staged', 'list']);
  expect([status, stdout]).toEqual([1, expect.stringContaining(id)]);
  expect(stderr).toMatch(/\[HF_STAGED_INVALID\]\n$/u);
  expect(project.holdfast(['run', '--into', id, '--', 'true'])).toMatchObject({
    status: 125,
    stderr: expect.stringContaining('[HF_STAGED_INVALID]'),
  });
  expect(existsSync(join(project.state, 'accepted', record))).toBe(true);
});
