import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { rounds } from '../../scripts/testing/extent.ts';
import { decide } from '../policy/decide.ts';
import { networkPlan } from '../policy/settings/network-plan.ts';
import { buildPolicy } from './build-policy.ts';
import { type Place, readPlace } from './place.ts';
import { policyOfPlace } from './planner.ts';

function place(): Place {
  const cwd = mkdtempSync(join(tmpdir(), 'holdfast-memory-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  return readPlace({ cwd, workspace: cwd, environment: { XDG_CONFIG_HOME: cwd, XDG_STATE_HOME: cwd } });
}

const line = fc.constantFrom(
  '[files]\ndeny = ["/data/a"]',
  '[files]\nread = ["/data"]',
  '[files]\nread = ["/data/a"]',
  '[files]\nread = ["/data/b"]',
  '[files]\nread = ["/data/b"] # same length',
  '',
);
const kind = fc.constantFrom('managed' as const, 'user' as const);
const source = fc
  .tuple(kind, line)
  .map(([of, text]) => ({ kind: of, file: `/${of}.toml`, text: `version = 1\n${text}\n` }));
const wish = fc.record({ source: fc.option(source), grant: fc.constantFrom(undefined, '/data/a', '/data/b') });

test('decides for each place as a policy that is made again does, whatever was asked before', () => {
  const at = place();
  fc.assert(
    fc.property(fc.array(wish, { minLength: 2, maxLength: 8 }), (wishes) => {
      for (const each of wishes) {
        const asked = {
          ...at,
          sources: each.source === null ? [] : [each.source],
          grants: each.grant === undefined ? {} : { read: [each.grant] },
        };
        for (const path of ['/data/a', '/data/b']) {
          const request = { kind: 'file', operation: 'read', path } as const;
          expect(decide(policyOfPlace(asked), request).decision).toBe(decide(again(asked), request).decision);
        }
      }
    }),
    { numRuns: rounds(60) },
  );
});

test('makes a policy once for a place that is the same', () => {
  const at = place();
  const first = policyOfPlace(at);
  expect(policyOfPlace({ ...at })).toBe(first);
  expect(policyOfPlace({ ...at, grants: { read: ['/data'] } })).not.toBe(first);
});

function again(at: Place): ReturnType<typeof buildPolicy> {
  return buildPolicy({ ...at, visible: at.installation.visible, userFile: at.paths.userPolicy });
}

test('shows the ports of the policy files and of the command line, or none', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'holdfast-ports-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  mkdirSync(join(cwd, 'holdfast'));
  const text = 'version = 1\n[network]\nhosts = ["api.test"]\nforward = [8080]\n';
  writeFileSync(join(cwd, 'holdfast/policy.toml'), text, { mode: 0o600 });
  const environment = { XDG_CONFIG_HOME: cwd, XDG_STATE_HOME: cwd };
  const shown = (...forward: readonly string[]) =>
    networkPlan(policyOfPlace(readPlace({ cwd, workspace: cwd, environment, grants: { forward } })));
  expect(shown('3000')).toMatchObject({ forward: [{ host: 8080 }, { host: 3000 }] });
  expect(shown('none')).toMatchObject({ kind: 'open', forward: [] });
  expect(shown('3000', 'none')).toMatchObject({ kind: 'open', forward: [] });
});
