import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOfLayer } from './decide.ts';
import type { PolicyValue } from './document/types.ts';
import { compileLayer } from './layers/compile-layer.ts';
import type { PolicyRequest } from './request.ts';
import { places } from './testing/policies.ts';
import { rounds } from '../../scripts/testing/extent.ts';

/** Rules of one kind, more than an index would try one by one. */
type Rules = Readonly<Record<string, readonly object[]>>;

const layerOf = (rules: Rules) =>
  compileLayer(
    { file: 'a.toml', value: { version: 1, ...rules } as PolicyValue, lines: new Map() },
    { kind: 'project', ...places },
  );

/** The rule that an index of all of them finds. */
const indexed = (rules: Rules, request: PolicyRequest) => said(answerOfLayer(layerOf(rules), request));

/** The first rule that answers when it is asked alone, without an index. */
function linear(rules: Rules, request: PolicyRequest): ReturnType<typeof said> {
  for (const [table, list] of Object.entries(rules)) {
    for (const rule of list) {
      const answer = answerOfLayer(layerOf({ [table]: [rule] }), request);
      if (answer !== undefined) return said(answer);
    }
  }
  return said(undefined);
}

function said(answer: ReturnType<typeof answerOfLayer>) {
  return { decision: answer?.decision, rule: answer?.rule, code: answer?.code };
}

const decision = fc.constantFrom('allow', 'audit', 'ask', 'deny');

function rulesOf<Parts extends object>(table: string, parts: fc.Arbitrary<Parts>): fc.Arbitrary<Rules> {
  const rule = fc.tuple(decision, parts);
  return fc
    .array(rule, { minLength: 7, maxLength: 14 })
    .map((all) => ({ [table]: all.map(([decides, part], n) => ({ name: `r${n}`, decision: decides, ...part })) }));
}

function agrees(rules: fc.Arbitrary<Rules>, request: fc.Arbitrary<PolicyRequest>): void {
  fc.assert(
    fc.property(rules, request, (all, asked) => {
      expect(indexed(all, asked)).toEqual(linear(all, asked));
    }),
    { numRuns: rounds(400) },
  );
}

describe('many rules in an index decide as they do one by one', () => {
  const name = fc.constantFrom(
    'a',
    'A',
    'ab',
    '.git',
    '.GIT',
    'x.pem',
    'X.PEM',
    '\u0130d',
    'id',
    '\u017fh',
    'sh',
    '\u212aey',
    'key',
    'a'.repeat(40),
    '\u00e9',
  );
  const globs = fc.constantFrom('*', '**', 'a*', '*.pem', '?', '.?it');

  test('files, in every spelling of a path', () => {
    const start = fc.constantFrom('', '/', '~/', '**/', './');
    const pattern = fc
      .tuple(start, fc.array(fc.oneof({ weight: 3, arbitrary: name }, globs), { minLength: 1, maxLength: 3 }))
      .map(([from, parts]) => from + parts.join('/'))
      .filter((source) => source !== '**');
    const part = fc.oneof({ weight: 6, arbitrary: name }, fc.constantFrom('', '.', '..', '*', '\0', 'b\n', '\ud800'));
    const path = fc
      .tuple(
        fc.constantFrom('/', '//', '/home/dev/', '/home/dev/app/', '/home//dev/./app/', '', '/../'),
        fc.array(part, { maxLength: 4 }),
      )
      .map(([from, parts]) => from + parts.join('/'));
    const operations = fc.constantFrom(['write', 'create'], ['read'], ['delete']);
    agrees(
      rulesOf(
        'file',
        fc.record(
          { paths: fc.array(pattern, { minLength: 1, maxLength: 2 }), operations },
          { requiredKeys: ['paths'] },
        ),
      ),
      fc.record({
        kind: fc.constant('file' as const),
        operation: fc.constantFrom('read', 'write', 'create', 'delete', 'execute'),
        path,
      }),
    );
  });

  test('commands, with any words in any place', () => {
    const word = fc.constantFrom(
      'push',
      'install',
      'i',
      'ns-1',
      'ns-2',
      '-f',
      '--force',
      '-rf',
      '-C',
      'x',
      '--',
      'get',
      'delete',
    );
    const program = fc.constantFrom('git', 'npm', 'kubectl', 'mytool');
    const command = fc
      .tuple(
        fc.oneof({ weight: 6, arbitrary: program }, fc.constantFrom('*', '/usr/bin/git', 'g*')),
        fc.array(fc.oneof({ weight: 5, arbitrary: word }, fc.constant('*'), fc.constant('ns-*')), { maxLength: 3 }),
      )
      .map((words) => words.flat().join(' '));
    const argv = fc
      .tuple(
        program,
        fc.array(fc.oneof({ weight: 6, arbitrary: word }, fc.constantFrom('', '\0', 'PUSH')), { maxLength: 5 }),
        fc.constantFrom(1, 1, 12),
      )
      .map(([first, rest, times]) => [first, ...Array.from({ length: times }, () => rest).flat()]);
    const request = fc.tuple(argv, fc.constantFrom('', '/usr/bin/', '/tmp/', '/home/dev/app/'), program).map(
      ([words, directory, other]): PolicyRequest => ({
        kind: 'exec',
        program: `${directory}${directory === '/tmp/' ? other : (words[0] ?? '')}`,
        argv: words,
        context: 'direct',
      }),
    );
    agrees(rulesOf('exec', fc.record({ commands: fc.array(command, { minLength: 1, maxLength: 2 }) })), request);
  });

  test('commands that are meant to the last word', () => {
    const words = fc.array(fc.constantFrom('push', '-f', 'x', ''), { maxLength: 3 }).map((rest) => ['git', ...rest]);
    agrees(
      rulesOf('exec', fc.record({ exactly: words })),
      words.map((argv) => ({ kind: 'exec', program: '/usr/bin/git', argv, context: 'direct' })),
    );
  });

  test('hosts, in every spelling of a name and of an address', () => {
    const pattern = fc.constantFrom(
      'a.test',
      '*.a.test',
      '*.b.a.test',
      '*.test',
      'any',
      '10.1.2.3',
      '10.0.0.0/8',
      'localhost',
      '[::1]',
      '*.a.test:443',
      'a.test:80-90',
      '\u00e9.test',
    );
    const host = fc.constantFrom(
      'a.test',
      'A.Test.',
      'b.a.test',
      'c.b.a.test',
      'xa.test',
      'test',
      '.a.test',
      'a..test',
      '10.1.2.3',
      '010.1.2.3',
      '0x0a010203',
      '10.1.515',
      '10.1.2.3.',
      '10.1.2.300',
      '127.0.0.1',
      '[::1]',
      '::ffff:10.1.2.3',
      'localhost',
      '\u00c9.test',
      'a.test\0',
      '',
    );
    agrees(
      rulesOf('connect', fc.record({ hosts: fc.array(pattern, { minLength: 1, maxLength: 2 }) })),
      fc.record({
        kind: fc.constant('connect' as const),
        host,
        port: fc.constantFrom(80, 443, 0),
        protocol: fc.constantFrom('tcp', 'udp'),
      }),
    );
  });
});
