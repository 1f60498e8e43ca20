import * as fc from 'fast-check';
import { stringify } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { atMost, growth, linear } from '../../scripts/testing/work-time.ts';
import { explanationFor } from './command/explain-command.ts';
import { decide } from './decide.ts';
import { parsePolicy } from './document/parse.ts';
import { compileLayer, userLayer } from './layers/compile-layer.ts';
import { meet, policyOf } from './policy.ts';
import type { PolicyRequest } from './request.ts';
import { layer } from './testing/arbitraries.ts';
import { places, policyFrom } from './testing/policies.ts';
import { rounds } from '../../scripts/testing/extent.ts';

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    '\0',
    '/',
    '//',
    '/..',
    '~',
    '..',
    '.',
    '*',
    '?',
    '\\',
    '\ud800',
    '\u202e',
    '\n',
    '/a\nb',
    '__proto__',
    'constructor',
    'a'.repeat(10_000),
    '/'.repeat(10_000),
    `/${'a/'.repeat(5000)}`,
    '[::1]',
    '::ffff:1.2.3.4',
    '0x7f.1',
    'xn--',
    '%00',
    '@',
    '-',
  ),
);

/** Requests from a broken or hostile caller: valid in shape, with arbitrary fields. */
const request: fc.Arbitrary<PolicyRequest> = fc.oneof(
  fc.record({
    kind: fc.constant('file' as const),
    operation: fc.constantFrom('read', 'write', 'create', 'delete', 'execute'),
    path: nasty,
  }),
  fc.record({
    kind: fc.constant('exec' as const),
    program: nasty,
    argv: fc.array(nasty, { maxLength: 4 }),
    context: fc.constantFrom('direct', 'nested'),
  }),
  fc.record({
    kind: fc.constant('connect' as const),
    host: nasty,
    port: fc.oneof(fc.integer(), fc.double()),
    protocol: fc.constantFrom('tcp', 'udp'),
  }),
  fc.record({
    kind: fc.constant('http' as const),
    method: nasty,
    scheme: fc.constantFrom('http', 'https', 'ws', 'wss'),
    host: nasty,
    port: fc.integer(),
    path: nasty,
  }),
  fc.record({ kind: fc.constant('dns' as const), name: nasty, recordType: nasty }),
  fc.record({
    kind: fc.constant('socket' as const),
    operation: fc.constantFrom('connect', 'bind', 'send'),
    address: nasty,
  }),
  fc.record({
    kind: fc.constant('signal' as const),
    signal: nasty,
    target: fc.constantFrom('self', 'child', 'box', 'supervisor', 'outside'),
  }),
  fc.record({ kind: fc.constant('env' as const), name: nasty }),
  fc.record({ kind: fc.constant('tool' as const), server: nasty, tool: nasty, arguments: nasty }),
  fc.record({ kind: fc.constant('trust' as const), path: nasty, sha256: nasty }),
  fc.record({
    kind: fc.constant('registry' as const),
    operation: fc.constantFrom('read', 'write', 'create', 'delete'),
    key: nasty,
  }),
);

const everything = policyFrom({
  user: '[files]\nwrite = ["/", "**/x"]\n[network]\nhosts = ["any"]\n[sockets]\nallow = ["/", "@*"]\n[environment]\npass = ["*"]\n[tools]\nallow = ["*/*"]\n[registry]\nallow = ["HKCU"]\n[[trust]]\nname = "all"\ndecision = "allow"\npaths = ["/"]\n',
  project:
    '[files]\nwrite = ["**/*"]\ndeny = ["**/secret*", "a/**/b"]\n[network]\nhosts = ["any"]\n[commands]\nask = ["* *"]\n',
});

describe('any request', () => {
  test('an answer comes, in words, and in time', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const verdict = atMost(3000, () => decide(everything, asked));
        expect(['allow', 'audit', 'redirect', 'stage', 'ask', 'deny']).toContain(verdict.decision);
        for (const text of [verdict.message, verdict.remedy]) {
          expect(text).toMatch(/^[^\p{Cc}\p{Cs}]+$/u);
          expect(text.length).toBeLessThan(5000);
        }
      }),
      { numRuns: rounds(3000) },
    );
  });

  test('an explanation comes', () => {
    fc.assert(
      fc.property(request, (asked) => {
        expect(explanationFor(everything, asked).trace).toHaveLength(everything.layers.length);
      }),
      { numRuns: rounds(500) },
    );
  });

  test('an invalid request is denied, under any open policy', () => {
    const none: readonly PolicyRequest[] = [
      { kind: 'file', operation: 'read', path: 'relative' },
      { kind: 'file', operation: 'read', path: '/a\0' },
      { kind: 'exec', program: '', argv: [], context: 'direct' },
      { kind: 'connect', host: 'a b', port: 1, protocol: 'tcp' },
      { kind: 'connect', host: 'a.test', port: 0, protocol: 'tcp' },
      { kind: 'dns', name: '', recordType: 'A' },
      { kind: 'socket', operation: 'connect', address: 'x' },
      { kind: 'env', name: '' },
      { kind: 'tool', server: '', tool: '', arguments: '' },
      { kind: 'trust', path: '/a', sha256: '' },
      { kind: 'registry', operation: 'read', key: '' },
    ];
    for (const asked of none)
      expect(decide(everything, asked)).toMatchObject({ decision: 'deny', code: 'unrepresentable', layer: 'required' });
  });

  test('credential stores stay closed in every spelling of their path', () => {
    const noise = fc.constantFrom('/', '//', '/./', '/x/../', '/a/b/../../');
    const store = fc.constantFrom(
      '.ssh/id_rsa',
      '.aws/credentials',
      '.gnupg/secring.gpg',
      '.config/gh/hosts.yml',
      '.netrc',
    );
    fc.assert(
      fc.property(noise, noise, store, (first, second, path) => {
        const spelled = `${first}home${second}dev${first}${path.split('/').join(second)}`;
        expect(decide(everything, { kind: 'file', operation: 'read', path: spelled }).code).toBe('credential-store');
      }),
    );
  });

  test('a denied host stays denied in every spelling', () => {
    const closed = policyFrom({
      user: '[network]\nhosts = ["any"]\ndeny = ["169.254.169.254", "*.evil.test", "b\u00fccher.test"]',
    });
    const spellings = [
      '169.254.169.254',
      '169.254.169.254.',
      '169.254.43518',
      '0xa9fea9fe',
      '2852039166',
      '0251.0376.0251.0376',
      '0xa9.254.0xa9.254',
      '::ffff:169.254.169.254',
      '[::FFFF:A9FE:A9FE]',
      '0:0:0:0:0:ffff:a9fe:a9fe',
      '\uff11\uff16\uff19.254.169.254',
      'x.evil.test',
      'X.EVIL.TEST.',
      'x.\uff45vil.test',
      'x\u3002evil\u3002test',
      'b\u00fccher.test',
      'B\u00dcCHER.test',
      'xn--bcher-kva.test',
    ];
    for (const host of spellings)
      expect(decide(closed, { kind: 'connect', host, port: 80, protocol: 'tcp' }).decision, host).toBe('deny');
  });
});

describe('any document', () => {
  test('a layer is a layer again when its document is written out and read', () => {
    fc.assert(
      fc.property(layer, request, (compiled, asked) => {
        const [, file, , , value] = JSON.parse(compiled.id) as readonly [
          string,
          string,
          string,
          string,
          Record<string, unknown>,
        ];
        const parsed = parsePolicy(stringify(withNames(value)), { file });
        // Generated documents may contradict themselves. This test ignores those.
        if (parsed.kind === 'problems') return;
        const again =
          compiled.kind === 'user'
            ? userLayer(parsed.document, places)
            : compileLayer(parsed.document, { kind: compiled.kind, ...places });
        const base = userLayer(undefined, places);
        expect(decide(policyOf([base, again]), asked).decision).toBe(
          decide(policyOf([base, compiled]), asked).decision,
        );
      }),
      { numRuns: rounds(500) },
    );
  });

  test('a thousand layers are one policy, and take linear time', async () => {
    const policyWith = (length: number) =>
      Array.from({ length }, (_, index) =>
        compileLayer(
          { file: `${index}.toml`, value: { version: 1, files: { deny: [`d${index}`] } }, lines: new Map() },
          { kind: 'project', ...places },
        ),
      ).reduce((all, one) => meet(all, policyOf([one])), policyOf([userLayer(undefined, places)]));
    const policies = new Map([63, 1000].map((length) => [length, policyWith(length)]));
    const decided = (length: number) =>
      decide(policies.get(length) ?? expect.fail(), {
        kind: 'file',
        operation: 'read',
        path: `${places.workspace}/d${length - 1}`,
      }).decision;
    expect(decided(1000)).toBe('deny');
    expect(await growth(decided, 1000)).toBeLessThan(linear);
  });
});

/** Rules of generated documents all have one name, but a file needs a different name for each. */
function withNames(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      Array.isArray(entry) ? entry.map((rule: object, index) => ({ ...rule, name: `${key}-${index}` })) : entry,
    ]),
  );
}
