import * as v from 'valibot';
import { expect, test } from 'vitest';
import { eventSchemas } from '../../../scripts/json-schemas/audit.ts';
import type { HookAnswer, JudgedRequest } from './types.ts';
import { decisionEvents } from './open-host.ts';
import { settled } from './journal/settled.ts';

const long = '\u{1F600}'.repeat(10_000);
const requests: readonly JudgedRequest['request'][] = [
  { kind: 'file', operation: 'write', path: `/${long}` },
  {
    kind: 'exec',
    program: 'bash',
    argv: ['bash', '-c', ...Array.from({ length: 1000 }, () => long)],
    context: 'direct',
  },
  { kind: 'connect', host: long, port: 443, protocol: 'tcp' },
  { kind: 'tool', server: '', tool: long, arguments: `{"secret":"PASSWORD","${long}":1}` },
  { kind: 'tool', server: 'docs', tool: 'search', arguments: '{"query":"PASSWORD"}' },
];
const answers: readonly HookAnswer[] = [
  { kind: 'pass' },
  { kind: 'deny', reason: 'no' },
  { kind: 'ask', reason: 'perhaps' },
  { kind: 'rewrite', input: {} },
];

test.each(answers)(
  'an answer that is $kind gives entries that the journal knows, without contents and of no great length',
  (answer) => {
    const judged = requests.map((request) => ({ request, verdict: settled('deny', long, long) }));
    const events = decisionEvents({ answer, judged }, { agent: 'claude', workspace: '/ws' });
    expect(events.map(({ type }) => type)).toEqual(
      requests.map(() => (answer.kind === 'deny' ? 'refusal' : 'enforcement')),
    );
    for (const event of events) {
      expect(v.safeParse(v.variant('type', [...eventSchemas]), event).issues).toBeUndefined();
      const text = JSON.stringify(event);
      expect(text).not.toContain('PASSWORD');
      expect(Buffer.byteLength(text)).toBeLessThan(200_000);
      expect(text.isWellFormed()).toBe(true);
    }
    expect(
      events.map((event) => ('request' in event && 'server' in event.request ? event.request.server : '')),
    ).toEqual(['', '', '', 'claude', 'docs']);
  },
);
