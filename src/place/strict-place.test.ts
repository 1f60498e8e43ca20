import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { strictGuarantees } from '../policy/builtin/strict.ts';
import { requirementsOf } from '../policy/settings/requirements.ts';
import { chooseBackend } from './choose-backend.ts';
import { type Place, readPlace } from './place.ts';
import { policyOfPlace } from './planner.ts';

function place(strict: boolean): Place {
  const cwd = mkdtempSync(join(tmpdir(), 'holdfast-strict-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  return readPlace({ cwd, workspace: cwd, strict, environment: { XDG_CONFIG_HOME: cwd, XDG_STATE_HOME: cwd } });
}

test('a strict policy requires every strict guarantee', () => {
  expect(requirementsOf(policyOfPlace(place(true)))).toEqual(expect.arrayContaining([...strictGuarantees]));
});

// As root without control groups, the number of processes has no limit. Everything else is enforced.
test('a machine where one of them has gaps has no strict box', () => {
  const root = { uid: 0, cgroups: { kind: 'none', reason: 'a test' } } as const;
  const chosen = (strict: boolean) => {
    const at = { ...place(strict), ...root, backend: 'native' } as const;
    return chooseBackend(at, policyOfPlace(at)).backend.name;
  };
  expect(chosen(false)).toBe('native');
  expect(() => chosen(true)).toThrow(/limits\.processes/u);
});
