import * as fc from 'fast-check';
import { stringify } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { providerNames } from '../builtin/providers/index.ts';
import { checkPolicy } from '../check-policy.ts';
import { parsePolicy } from '../document/parse.ts';
import { userLayer } from '../layers/compile-layer.ts';
import { policyOf } from '../policy.ts';
import { tlsTreatment } from '../settings/tls-treatment.ts';
import { places } from '../testing/policies.ts';
import { credentialsOf } from './credentials-of.ts';
import { injectionKinds } from './injection-kinds.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const canary = 'ghp_EXAMPLEcanary0123456789EXAMPLE';
const nasty = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    '',
    canary,
    `x ${canary}`,
    'A',
    'A={phantom}',
    '{phantom}',
    '=',
    '/',
    '//',
    '~',
    '~/.x',
    '../x',
    '*',
    'any',
    '*.com',
    'a.test',
    'a.test:0',
    'localhost',
    '10.0.0.0/8',
    'op://a/b/c',
    'a/b',
    'a#b',
    '-x/y',
    'https://any/',
    'https://a.test/token',
    'LD_PRELOAD',
    'constructor',
    '9'.repeat(400),
    '/'.repeat(5000),
    '%zz',
  ),
);
const few = fc.array(nasty, { maxLength: 3 });

function maybe<Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(value, { nil: undefined });
}

const source = fc.record({
  env: maybe(nasty),
  file: maybe(nasty),
  format: maybe(fc.constantFrom('netrc', 'text')),
  command: maybe(few),
  timeout: maybe(fc.constantFrom('1s', '0s', '9h')),
  keyring: maybe(nasty),
  onepassword: maybe(nasty),
  bitwarden: maybe(nasty),
  vault: maybe(nasty),
});
const inject = fc.record({
  kind: fc.constantFrom(...injectionKinds),
  name: maybe(nasty),
  user: maybe(nasty),
  parameter: maybe(nasty),
  token_url: maybe(nasty),
  client_id: maybe(fc.constantFrom('x', 'a b')),
  api: maybe(nasty),
  scopes: maybe(few),
  max_bytes: maybe(fc.constantFrom('0B', '1MiB')),
  commands: maybe(few),
});
const shape = fc.record({
  prefix: maybe(nasty),
  alphabet: maybe(fc.constantFrom('uuid', 'hex')),
  length: maybe(fc.integer({ min: 0, max: 100 })),
});

/** Mostly valid values, so that an invalid one stands alone. */
function usually(sound: unknown, otherwise: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: fc.constant(sound) }, { weight: 1, arbitrary: otherwise });
}

/** Tables of the right form with arbitrary values. */
const table = fc.record({
  name: fc.constantFrom('a', 'b'),
  provider: usually(undefined, fc.constantFrom(...providerNames)),
  source: usually({ env: 'A' }, fc.oneof(source, nasty)),
  hosts: usually(['a.test'], few),
  methods: usually(undefined, few),
  paths: usually(['/a/*'], few),
  inject: usually({ kind: 'bearer' }, inject),
  environment: usually(['TOKEN'], few),
  files: usually(
    undefined,
    fc.array(fc.record({ path: nasty, format: fc.constantFrom('text', 'npmrc') }), { maxLength: 2 }),
  ),
  base_urls: usually(undefined, few),
  use: usually(undefined, fc.constantFrom('phantom', 'always')),
  transport: usually(undefined, fc.constantFrom('tls', 'plain')),
  shape: usually(undefined, shape),
});

const text = fc
  .array(table, { minLength: 1, maxLength: 2 })
  .map((credentials) =>
    stringify(
      JSON.parse(JSON.stringify({ version: 1, network: { hosts: ['any', 'localhost:443'] }, credentials })) as Record<
        string,
        unknown
      >,
    ),
  );

describe('any text in tables of credentials', () => {
  test('is understood, or every problem is reported without the pasted secret', () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(text, (content) => {
        const parsed = parsePolicy(content, { file: 'policy.toml', kind: 'user' });
        outcomes.add(parsed.kind);
        if (parsed.kind === 'document') {
          expect(content).not.toContain(canary);
          return;
        }
        expect(parsed.problems.length).toBeGreaterThan(0);
        for (const { message, remedy, line } of parsed.problems) {
          expect(`${message}${remedy}`).not.toContain('canary');
          expect(`${message}${remedy}`).toMatch(/^[^\p{Cc}]+$/u);
          expect(line).toBeGreaterThan(0);
        }
      }),
      { numRuns: rounds(3000) },
    );
    expect(outcomes).toEqual(new Set(['document', 'problems']));
  });

  test('is understood the same way everywhere, and completely', () => {
    let understood = 0;
    fc.assert(
      fc.property(text, (content) => {
        const parsed = parsePolicy(content, { file: 'policy.toml', kind: 'user' });
        if (parsed.kind === 'problems') return;
        understood += 1;
        const policy = policyOf([userLayer(parsed.document, places)]);
        for (const problem of checkPolicy(policy, {
          approver: 'absent',
          mechanisms: new Set(['credential.allow', 'connect.allow']),
        }))
          expect(problem.message).toMatch(/^[^\p{Cc}]+$/u);
        for (const { binding, delivery, use, injection, source: from } of credentialsOf(policy)) {
          expect(binding.hosts.length).toBeGreaterThan(0);
          for (const { host, ports } of binding.hosts) {
            expect(['exact', 'subdomains', 'localhost']).toContain(host.kind);
            expect(ports).toBeDefined();
            if (host.kind === 'exact')
              expect(['intercept', 'splice']).toContain(
                tlsTreatment(policy, { host: host.text, port: ports?.from ?? 0 }),
              );
          }
          for (const { template } of delivery.environment) expect(template).toContain('{phantom');
          for (const { path } of delivery.files) expect(path).toMatch(/^\/[^/]/);
          if (from.kind === 'capture') expect(injection.kind).toBe('oauth2-login');
          if (injection.kind === 'path') expect(use).toBe('phantom');
        }
      }),
      { numRuns: rounds(2000) },
    );
    expect(understood).toBeGreaterThan(rounds(200));
  });
});
