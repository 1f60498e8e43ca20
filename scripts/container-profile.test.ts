import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { containerProfile, dockerRefuses, launcherCalls } from './container/profile.ts';
import { renderContainerProfile } from './container-profile.ts';

test('the published profile equals the tables', () => {
  const published = readFileSync(new URL('../docs/seccomp-container.json', import.meta.url), 'utf8');
  expect(published).toBe(renderContainerProfile());
});

test('the profile allows what Docker allows and the calls of the launcher, and nothing else', () => {
  const [dockers, ours] = [containerProfile([]), containerProfile(launcherCalls)].map(
    ({ syscalls }) => new Set(syscalls[0]?.names),
  );
  expect([...(ours ?? [])].filter((name) => dockers?.has(name) !== true).toSorted()).toEqual(launcherCalls.toSorted());
  const refused = new Set(dockerRefuses);
  expect(launcherCalls.filter((name) => !refused.has(name))).toEqual([]);
});
