import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPlace } from '../place.ts';
import { planPlace } from '../planner.ts';
import { git, plant, repository, scratchDirectory } from '../testing/scratch.ts';
import { freshCopies } from './copies.ts';

const url = 'https://bot:s3cret@git.example/a.git';

test('a session that lives on sees a token that comes, in a file that was there or that was not', () => {
  const root = scratchDirectory();
  const workspace = repository(join(root, 'ws'));
  const environment = { PATH: '/usr/bin', XDG_STATE_HOME: join(root, 'state'), XDG_CONFIG_HOME: join(root, 'config') };
  const place = readPlace({ cwd: workspace, environment });
  const { configuration } = planPlace(place, environment);
  expect(configuration.copies).toEqual([]);
  expect(freshCopies(configuration, place)).toBe(configuration.copies);
  git(workspace, 'remote', 'add', 'origin', url);
  plant(workspace, { '.npmrc': '//h/:_authToken=s3cret\n' });
  const copies = freshCopies(configuration, place);
  expect(copies.map(({ label }) => label)).toEqual(['.git/config (remote "origin".url)', '.npmrc (//h/:_authToken)']);
  expect(JSON.stringify(copies)).not.toContain('s3cret');
  git(workspace, 'remote', 'remove', 'origin');
  plant(workspace, { '.npmrc': 'registry=https://h/\n' });
  expect(freshCopies(configuration, place)).toEqual([]);
});

test('a file that is too long to look through is empty in the box', () => {
  const root = scratchDirectory();
  const workspace = repository(join(root, 'ws'));
  plant(workspace, { '.npmrc': `//h/:_authToken=s3cret\n${'#'.repeat(1 << 20)}\n` });
  const environment = { PATH: '/usr/bin', XDG_STATE_HOME: join(root, 'state'), XDG_CONFIG_HOME: join(root, 'config') };
  const { copies } = planPlace(readPlace({ cwd: workspace, environment }), environment).configuration;
  expect(copies).toMatchObject([
    { label: '.npmrc (more than 1 MiB, so it is empty)', mount: { target: join(workspace, '.npmrc'), content: '' } },
  ]);
});
