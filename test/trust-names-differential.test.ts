import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withheldPlace } from '../src/place/withheld-place.ts';
import { discover } from '../src/trust/discover/discover.ts';
import { notEntered } from '../src/trust/discover/listing.ts';
import { hiddenSurfaceNames } from '../src/trust/surfaces/hidden-surface-names.ts';
import { backends, Project } from './lib/holdfast.ts';

const names = hiddenSurfaceNames();
/** Parts of names, exact and almost exact. */
const words = [...new Set(names.flat().map((word) => word.replaceAll('*', 'x').replaceAll('?', 'q')))];
const word = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...words).map((each) => each) },
  { weight: 2, arbitrary: fc.constantFrom(...words).map((each) => each.toUpperCase()) },
  { weight: 1, arbitrary: fc.constantFrom(...words).map((each) => `${each}x`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'a',
      'deep',
      'node_modules',
      'Node_Modules',
      'refs',
      'logs',
      '.github',
      '.config',
      '.vim',
      'é',
      'x y',
    ),
  },
);
const path = fc.array(word, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const tree = fc.uniqueArray(path, { minLength: 30, maxLength: 60 });

/** Possible files: none is a directory of another. */
function plant(project: Project, paths: readonly string[]): readonly string[] {
  return paths.filter((each) => {
    const file = join(project.workspace, each);
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${each}\n`, { flag: 'wx' });
      return true;
    } catch {
      return false;
    }
  });
}

const unseen = (project: Project, paths: readonly string[], flags: readonly string[]): readonly string[] => {
  const { stdout } = project.holdfast([
    'run',
    ...flags,
    '--',
    'sh',
    '-c',
    'for f in "$@"; do cat "$f" 2>/dev/null || true; done',
    'sh',
    ...paths,
  ]);
  const seen = new Set(stdout.split('\n'));
  return paths.filter((each) => !seen.has(each));
};

describe.each(backends)('in boxes of the %s backend', (backend) => {
  test('the withheld files are those of withheldPlace, and those in trust status', async () => {
    for (const paths of fc.sample(tree, { numRuns: 6, seed: 661 })) {
      using project = new Project();
      const made = plant(project, paths);
      const withheld = unseen(project, made, ['--backend', backend]);
      expect(withheld).toEqual(made.filter((each) => withheldPlace(names, each) !== undefined));
      const { files } = await discover(project.workspace);
      const shown = new Set(files.filter(({ surface }) => surface.gate === 'hidden').map((file) => file.path));
      expect([...shown].toSorted()).toEqual(
        withheld
          .filter(
            (each) =>
              !each
                .split('/')
                .slice(0, -1)
                .some((part) => notEntered.has(part.toLowerCase())),
          )
          .toSorted(),
      );
    }
  });

  test('behind links to directories too', async () => {
    using project = new Project();
    const made = plant(project, [
      'docs/prompts/a.md',
      'docs/copilot-instructions.md',
      'docs/workflows/x.yml',
      'docs/mise.toml',
      'docs/mise/config.toml',
      'docs/coc-settings.json',
      'other/SKILL.md',
    ]);
    for (const [name, to] of [
      ['.github', 'docs'],
      ['sub/.config', '../docs'],
      ['sub/.vim', '../docs'],
      ['docs/skills', '../other'],
      ['plain', 'docs'],
    ] as const) {
      mkdirSync(dirname(join(project.workspace, name)), { recursive: true });
      symlinkSync(to, join(project.workspace, name));
    }
    const { files } = await discover(project.workspace);
    const shown = new Set(
      files.filter(({ surface }) => surface.gate === 'hidden').map((file) => file.target ?? file.path),
    );
    expect([...shown].toSorted()).toEqual(unseen(project, made, ['--backend', backend]).toSorted());
  });
});
