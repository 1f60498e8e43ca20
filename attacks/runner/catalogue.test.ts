import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attackPath, families, trialName } from './attack.ts';
import type { AttackFile } from './attack-text.ts';
import { loadAttacks, selectTrials } from './catalogue.ts';
import { attackMarkdown } from './testing/attack-markdown.ts';

const attacks = loadAttacks(resolve(import.meta.dirname, '..'));

describe('the attacks of this repository', () => {
  test('are complete, many, and of every family', () => {
    expect(attacks.length).toBeGreaterThanOrEqual(65);
    expect(new Set(attacks.map(({ family }) => family))).toEqual(new Set(families));
  });

  test('have names and titles of their own', () => {
    expect(new Set(attacks.map(({ title }) => title)).size).toBe(attacks.length);
    const trials = selectTrials(attacks, { only: [], users: ['root', 'user'] });
    expect(new Set(trials.map((trial) => `${trialName(trial)} ${trial.user}`)).size).toBe(trials.length);
  });
});

describe('selectTrials', () => {
  test('makes one trial for each case and user, and keeps to the users of the attack', () => {
    const own = attacks.filter(({ name }) => name === 'procfs-sysctl' || name === 'fs-device-node');
    expect(
      selectTrials(own, { only: ['fs-device-*'], users: ['root', 'user'] }).map(
        (trial) => `${trialName(trial)} ${trial.user}`,
      ),
    ).toEqual([
      'fs-device-node[null] root',
      'fs-device-node[null] user',
      'fs-device-node[whiteout] root',
      'fs-device-node[whiteout] user',
    ]);
    expect(selectTrials(own, { only: ['procfs-sysctl'], users: ['user'] })).toEqual([]);
    expect(selectTrials(own, { only: ['fs-device-*'], users: ['user'], cases: 1 }).map(trialName)).toEqual([
      'fs-device-node[null]',
    ]);
  });
});

describe('an attack that is not complete', () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'attacks-'));
  });
  afterAll(() => {
    rmSync(root, { recursive: true });
  });

  const whole = { title: 't', family: 'fs', source: 's', expect: 'blocked' };
  const scripts = ['setup.sh', 'attack.sh', 'verify.sh'];
  const markdown = (json: string, files: readonly string[]): string => {
    const prose: AttackFile = { name: 'README.md', text: '# t\n', mode: 'plain' };
    return attackMarkdown([
      prose,
      { name: 'attack.json', text: `${json}\n`, mode: 'plain' },
      ...files.map((name): AttackFile => ({ name, text: '', mode: 'plain' })),
    ]);
  };
  const make = (name: string, content: string | Buffer): string => {
    const place = join(root, `${name}-place`);
    mkdirSync(dirname(join(place, attackPath(name))), { recursive: true });
    writeFileSync(join(place, attackPath(name)), content);
    return place;
  };

  test('is loaded when it is complete after all', () => {
    expect(loadAttacks(make('fs-good', markdown(JSON.stringify(whole), scripts)))).toMatchObject([
      { name: 'fs-good', runs: 1, users: ['root', 'user'], flags: [] },
    ]);
  });

  test.each([
    ['fs-not-json', '{', scripts],
    ['fs-unknown-key', JSON.stringify({ ...whole, exepct: 'x' }), scripts],
    ['fs-no-users', JSON.stringify({ ...whole, users: [] }), scripts],
    ['fs-expects-success', JSON.stringify({ ...whole, expect: 'succeeds' }), scripts],
    ['fs-no-verify', JSON.stringify(whole), scripts.slice(0, 2)],
    ['fs-no-second', JSON.stringify({ ...whole, runs: 2 }), scripts],
    ['git-of-other-family', JSON.stringify(whole), scripts],
  ])('%s is an error that names it', (name, json, files) => {
    const place = make(name, markdown(json, files));
    expect(() => loadAttacks(place)).toThrow(
      expect.objectContaining({ code: 'HF_USAGE', message: expect.stringContaining(name) }),
    );
  });

  test.each([
    ['fs-no-block', '# t\n'],
    ['fs-no-text', Buffer.from('# t\n\n```sh setup.sh\n\xff\n```\n', 'latin1')],
  ])('%s is one, too', (name, content) => {
    const place = make(name, content);
    expect(() => loadAttacks(place)).toThrow(
      expect.objectContaining({ code: 'HF_USAGE', message: expect.stringContaining(name) }),
    );
  });
});
