import { expect, test } from 'vitest';
import { decide } from '../src/policy/decide.ts';
import { parsePolicy } from '../src/policy/document/parse.ts';
import { compileLayer, userLayer } from '../src/policy/layers/compile-layer.ts';
import { policyOf } from '../src/policy/policy.ts';

const at = { home: '/tmp/home', workspace: '/srv/project' };
const granted = policyOf([
  userLayer(undefined, at, [{ name: '--read', file: 'command line', grants: { files: { read: ['/tmp/data'] } } }]),
]);

test.each([
  ['/tmp/data/file', 'read', 'allow'],
  ['/tmp/data/file', 'write', 'deny'],
  ['/tmp/home/.gitconfig', 'write', 'deny'],
  ['/tmp/anything-else', 'write', 'allow'],
] as const)('a named path below a private place is the host’s: %s, %s: %s', (path, operation, decision) => {
  expect(decide(granted, { kind: 'file', operation, path }).decision).toBe(decision);
});

test('a denial below a private place holds', () => {
  const parsed = parsePolicy('version = 1\n[files]\ndeny = ["/tmp/data"]', { file: 'holdfast.toml' });
  if (parsed.kind !== 'document') throw new Error('the policy of this test is broken');
  const layer = compileLayer(parsed.document, { kind: 'project', ...at });
  expect(
    decide(policyOf([granted.layers[0] ?? layer, layer]), { kind: 'file', operation: 'read', path: '/tmp/data/file' })
      .decision,
  ).toBe('deny');
});
