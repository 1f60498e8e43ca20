import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { acceptShown, discardShown, reviewOf } from '../src/dashboard/server/api.ts';
import { statePaths } from '../src/place/host/state-paths.ts';
import type { LayerPaths } from '../src/staged/session/layer-work.ts';
import { Project } from './lib/holdfast.ts';

/** More lines than a review shows. */
const long = Array.from({ length: 6000 }, (_, index) => `line ${index}\n`).join('');

function staged(command: string): { readonly project: Project; readonly ground: LayerPaths; readonly id: string } {
  const project = new Project();
  project.write('kept', 'before\n');
  project.write('gone', 'gone\n');
  project.write('long', long);
  stage(project, command);
  const [id = ''] = layers(project);
  return {
    project,
    id,
    ground: { paths: statePaths(project.home, project.environment), environment: project.environment },
  };
}

function stage(project: Project, command: string, args: readonly string[] = ['--staged']): void {
  const { status, stderr } = project.inside(command, args);
  expect(status, stderr).toBe(0);
}

function layers({ state }: Project): readonly string[] {
  return readdirSync(join(state, 'staged')).toSorted();
}

test('the shown changes are accepted, and none of them remains', () => {
  const { project, ground, id } = staged('echo after > kept; rm gone');
  using _ = project;
  const { digest, lines, changes } = reviewOf(id, ground);
  expect(changes).toBe(2);
  expect(lines.map(({ text }) => text)).toContain('+after');
  expect(reviewOf(id, ground).digest).toBe(digest);
  expect(acceptShown(id, digest, ground)).toEqual({ accepted: 2, left: 0 });
  expect([
    readFileSync(join(project.workspace, 'kept'), 'utf8'),
    existsSync(join(project.workspace, 'gone')),
    layers(project),
  ]).toEqual(['after\n', false, []]);
});

describe('changes made after the page was shown are neither accepted nor discarded', () => {
  const rows: readonly (readonly [string, (given: { readonly project: Project; readonly id: string }) => void])[] = [
    ['another file in the layer', ({ project, id }) => stage(project, 'echo new > made', ['--into', id])],
    ['other words in the layer', ({ project, id }) => stage(project, 'echo other > kept', ['--into', id])],
    [
      'words of the same length, after the displayed part',
      ({ project, id }) => stage(project, "sed -i 's/^line 5998$/LINE 5998/' copy", ['--into', id]),
    ],
    ['the mode of a file', ({ project, id }) => stage(project, 'chmod +x copy', ['--into', id])],
    ['the file of the host', ({ project }) => project.write('kept', 'mine\n')],
    ['the time of the file of the host', ({ project }) => utimesSync(join(project.workspace, 'kept'), 1, 1)],
    ['a file of the host that the layer adds', ({ project }) => project.write('copy', 'mine\n')],
  ];
  test.each(rows)('%s', (_name, change) => {
    const { project, ground, id } = staged('echo after > kept; cp long copy');
    using _ = project;
    const { digest, omitted } = reviewOf(id, ground);
    expect(omitted).toBeGreaterThan(900);
    change({ project, id });
    for (const decide of [acceptShown, discardShown])
      expect(() => decide(id, digest, ground)).toThrow(
        expect.objectContaining({ code: 'HF_STAGED_CONFLICT', remedy: expect.stringMatching(/./u) }),
      );
    expect(layers(project)).toEqual([id]);
    expect(readFileSync(join(project.workspace, 'kept'), 'utf8')).not.toBe('after\n');
    discardShown(id, reviewOf(id, ground).digest, ground);
    expect(layers(project)).toEqual([]);
  });
});

test('a conflicting file of the host may not change again', () => {
  const { project, ground, id } = staged('echo after > kept');
  using _ = project;
  const kept = join(project.workspace, 'kept');
  utimesSync(kept, 1, 1);
  const { digest, lines, conflicts } = reviewOf(id, ground);
  expect(conflicts).toBe(1);
  utimesSync(kept, 2, 2);
  expect(reviewOf(id, ground).lines).toEqual(lines);
  expect(() => discardShown(id, digest, ground)).toThrow(expect.objectContaining({ code: 'HF_STAGED_CONFLICT' }));
});

test('an approval of one layer does not cover another with the same changes', () => {
  const { project, ground } = staged('rm gone');
  using _ = project;
  stage(project, 'rm gone');
  const [one = '', other = ''] = layers(project);
  expect(() => acceptShown(other, reviewOf(one, ground).digest, ground)).toThrow(
    expect.objectContaining({ code: 'HF_STAGED_CONFLICT' }),
  );
  expect(acceptShown(other, reviewOf(other, ground).digest, ground)).toEqual({ accepted: 1, left: 0 });
});
