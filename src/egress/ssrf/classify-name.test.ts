import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { normaliseHost } from '../../policy/index.ts';
import { classifyName } from './classify-name.ts';
import { specialNames } from './special-names.ts';

test.each([
  ['localhost', '*.localhost'],
  ['a.b.localhost', '*.localhost'],
  ['metadata.google.internal', '*.metadata.google.internal'],
  ['other.google.internal', '*.internal'],
  ['kubernetes.default.svc.cluster.local', '*.cluster.local'],
  ['kubernetes.default.svc', '*.svc'],
  ['a.kubernetes.default', '*.kubernetes.default'],
  ['printer.local', '*.local'],
  ['intranet', 'single label'],
  ['x1', 'single label'],
])('%s is special as %s', (name, pattern) => {
  expect(classifyName(name)).toMatchObject({ kind: 'special', pattern });
});

test.each(['example.com', 'localhost.example', 'local.example', 'mylocal.de', 'a.mylocalhost', 'internal.example', 'home.arpa.example', 'arpa.home', 'metadata.google.com', 'in-addr.arpa'])('%s is ordinary', (name) => {
  expect(classifyName(name)).toEqual({ kind: 'ordinary' });
});

test.each(specialNames)('$name and what is below it, with a source', ({ name, extent, source }) => {
  expect(normaliseHost(name)?.text).toBe(name);
  expect(source.length).toBeGreaterThan(3);
  expect(classifyName(name).kind).toBe('special');
  if (extent === 'tree') expect(classifyName(`a.b.${name}`).kind).toBe('special');
  expect(classifyName(`x${name}.example.com`).kind).toBe('ordinary');
});

test('whatever is below a special tree is special', () => {
  const label = fc.stringMatching(/^[a-z0-9]{1,8}$/);
  fc.assert(
    fc.property(fc.array(label, { maxLength: 4 }), fc.constantFrom(...specialNames), (labels, { name }) => {
      expect(classifyName([...labels, name].join('.')).kind).toBe('special');
    }),
  );
});
