import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backends, type Backend, type Trial } from './attack.ts';
import { loadAttacks, selectTrials } from './catalogue.ts';
import { casesPerAttack, sampleOf, shares } from './sample.ts';

const all = selectTrials(loadAttacks(join(import.meta.dirname, '..')), { only: [], users: ['root', 'user'] });
const both = { backends: ['native', 'bubblewrap'], users: ['root', 'user'] } as const;
const every = { ...both, backends };
const nameOf = ({ attack, variant }: Trial): string => `${attack.name} ${variant ?? ''}`;
const on = (sample: readonly Trial[], backend: Backend): readonly Trial[] =>
  sample.filter(({ attack }) => attack.backends[0] === backend);

const casesOf = (trials: readonly Trial[]): ReadonlyMap<string, number> =>
  new Map(
    [...Map.groupBy(trials, ({ attack }) => attack.name)].map(([name, group]) => [
      name,
      new Set(group.map(nameOf)).size,
    ]),
  );
const taken = [...casesOf(all).values()].reduce((sum, count) => sum + Math.min(casesPerAttack, count), 0);

test('every attack is in it with so many of its cases, each once, the same ones each time', () => {
  const sample = sampleOf(all, both);
  expect(casesOf(sample)).toEqual(
    new Map([...casesOf(all)].map(([name, count]) => [name, Math.min(casesPerAttack, count)])),
  );
  expect(new Set(sample.map(nameOf)).size).toBe(sample.length);
  expect(sampleOf(all, both)).toEqual(sample);
});

test('each user and backend gets a fair share, and no attack that excludes it', () => {
  const sample = sampleOf(all, every);
  for (const user of both.users)
    for (const backend of both.backends)
      expect(on(sample, backend).filter((trial) => trial.user === user).length).toBeGreaterThan(taken / 8);
  for (const { attack, user } of sample) {
    const whole = all.find((trial) => trial.attack.name === attack.name)?.attack;
    expect(whole?.users).toContain(user);
    expect(whole?.backends).toContain(attack.backends[0]);
    expect(attack.backends).toHaveLength(1);
  }
});

test('no attack is dealt to a backend that would only refuse it', () => {
  expect(on(sampleOf(all, both), 'bubblewrap').filter(({ attack }) => attack.flags.includes('--staged'))).toEqual([]);
});

test('slow backends take some cases of the families that are for them, besides', () => {
  const sample = sampleOf(all, every);
  expect(sample.slice(0, taken)).toEqual(sampleOf(all, both));
  expect(sampleOf(all, every)).toEqual(sample);
  for (const backend of ['landlock', 'gvisor', 'microvm'] as const) {
    const share = shares[backend];
    const { perFamily: most, families } = share.kind === 'some' ? share : { perFamily: 0, families: 0 };
    const possible = Map.groupBy(
      all.filter(({ attack }) => attack.backends.includes(backend)),
      ({ attack }) => attack.family,
    );
    const taken = Map.groupBy(on(sample, backend), ({ attack }) => attack.family);
    expect(taken.size).toBe(Math.min(families, possible.size));
    for (const [family, trials] of possible)
      if (taken.has(family)) expect(taken.get(family)?.length).toBe(Math.min(most, new Set(trials.map(nameOf)).size));
    expect(new Set(on(sample, backend).map(nameOf)).size).toBe(on(sample, backend).length);
    expect(new Set(on(sample, backend).map(({ user }) => user))).toEqual(new Set(both.users));
  }
  expect(on(sample, 'microvm').length).toBeLessThan(on(sample, 'gvisor').length);
  expect(on(sample, 'gvisor').length).toBeLessThan(on(sample, 'landlock').length);
});

test('where no namespaces can be had, landlock takes all that is for it', () => {
  const sample = sampleOf(all, { ...both, backends: ['landlock', 'gvisor'] });
  const wanted = casesOf(on(sampleOf(all, { ...both, backends: ['landlock'] }), 'landlock'));
  expect(casesOf(on(sample, 'landlock'))).toEqual(wanted);
  for (const { attack } of all)
    if (attack.backends.includes('landlock')) expect(wanted.get(attack.name)).toBeGreaterThan(0);
  expect(on(sample, 'gvisor').length).toBeLessThan(taken / 5);
  expect(sampleOf(all, { ...both, backends: [] })).toEqual([]);
  expect(sampleOf(all, { ...both, backends: ['gvisor'] })).toEqual(on(sampleOf(all, every), 'gvisor'));
});

test('a runner without root tries everything as its own user', () => {
  const sample = sampleOf(all, { ...both, users: ['user'] });
  expect(new Set(sample.map(({ user }) => user))).toEqual(new Set(['user']));
  expect(new Set(sample.map(({ attack }) => attack.name))).toEqual(
    new Set(all.filter(({ user }) => user === 'user').map(({ attack }) => attack.name)),
  );
});
