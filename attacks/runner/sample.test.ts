import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadAttacks, selectTrials } from './catalogue.ts';
import { sampleOf } from './sample.ts';

const all = selectTrials(loadAttacks(join(import.meta.dirname, '..')), { only: [], users: ['root', 'user'] });
const both = { backends: ['native', 'bubblewrap'], users: ['root', 'user'] } as const;
const cases = new Set(all.map(({ attack, variant }) => `${attack.name} ${variant ?? ''}`));

test('every case is in it once, the same one each time', () => {
  const sample = sampleOf(all, both);
  expect(sample.map(({ attack, variant }) => `${attack.name} ${variant ?? ''}`)).toEqual([...cases]);
  expect(sampleOf(all, both)).toEqual(sample);
});

test('each user and backend has a good share, and no attack one that it is not for', () => {
  const sample = sampleOf(all, both);
  for (const user of both.users) for (const backend of both.backends) expect(sample.filter((trial) => trial.user === user && trial.attack.backends[0] === backend).length).toBeGreaterThan(cases.size / 8);
  for (const { attack, user } of sample) {
    const whole = all.find((trial) => trial.attack.name === attack.name)?.attack;
    expect(whole?.users).toContain(user);
    expect(whole?.backends).toContain(attack.backends[0]);
    expect(attack.backends).toHaveLength(1);
  }
});

test('who is not root tries everything as the user that he is', () => {
  const sample = sampleOf(all, { ...both, users: ['user'] });
  expect(new Set(sample.map(({ user }) => user))).toEqual(new Set(['user']));
  expect(sample).toHaveLength(new Set(all.filter(({ user }) => user === 'user').map(({ attack, variant }) => `${attack.name} ${variant ?? ''}`)).size);
});
