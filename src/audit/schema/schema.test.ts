import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { request, verdict } from '../../policy/features/event-parts.ts';
import { textBoundaries } from '../../policy/features/text.ts';
import type { PolicyRequest } from '../../policy/request.ts';
import type { Verdict } from '../../policy/verdict.ts';
import { boundaries, type BoundaryName, type FindingKind } from '../../text/index.ts';
import type { JournalEvent, RefusalEvent } from '../events.ts';
import { appendEvents } from '../journal.ts';
import { readEvents } from '../entries.ts';
import { techniques, techniquesOf } from '../techniques/techniques-of.ts';
import { everyEvent } from '../testing/every-event.ts';
import { freshJournal } from '../testing/scratch.ts';
import { auditJsonSchema, entrySchema, eventSchemas } from '../../../scripts/json-schemas/audit.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const anyEvent = v.variant('type', eventSchemas);
/** An event as the journal holds it: read-only, and without absent fields. */
type Written<Type> = Type extends object
  ? { readonly [Key in keyof Type]: Written<Exclude<Type[Key], undefined>> }
  : Type;
type Request = Written<v.InferOutput<typeof request>>;
type KeptVerdict = Written<v.InferOutput<typeof verdict>>;
type TextEvent = Extract<JournalEvent, { readonly type: 'text' }>;
type Kind = PolicyRequest['kind'];
type Of<Asked, Name> = Extract<Asked, { readonly kind: Name }>;
type Narrower = { [Name in Kind]: Of<PolicyRequest, Name> extends Of<Request, Name> ? never : Name }[Kind];
type Wider = { [Name in Kind]: Of<Request, Name> extends Of<PolicyRequest, Name> ? never : Name }[Kind];

test('docs/audit-events.schema.json is current: node scripts/audit-schema.ts writes it', () => {
  expect(JSON.parse(readFileSync('docs/audit-events.schema.json', 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(auditJsonSchema())),
  );
});

test('requests and decisions have the policy’s types: the compiler checks it', () => {
  expectTypeOf<Narrower>().toBeNever();
  expectTypeOf<Wider>().toBeNever();
  expectTypeOf<KeptVerdict>().toEqualTypeOf<Pick<Verdict, keyof KeptVerdict>>();
  expectTypeOf<RefusalEvent['request']>().toExtend<PolicyRequest>();
  expectTypeOf<TextEvent['boundary']>().toEqualTypeOf<BoundaryName>();
  expectTypeOf<keyof TextEvent['findings']>().toEqualTypeOf<FindingKind>();
  expect(textBoundaries.toSorted()).toEqual(Object.keys(boundaries).toSorted());
});

describe('a real event', () => {
  const events = everyEvent('s-1', 'a <text> ü');
  const file = (): string => {
    const journal = freshJournal();
    appendEvents(journal, events);
    return journal;
  };

  test('of every type is present', () => {
    expect(events.map(({ type }) => type).toSorted()).toEqual(
      eventSchemas.map((schema) => schema.entries.type.literal).toSorted(),
    );
  });

  test('validates, and has no field that the schema does not know', () => {
    for (const entry of readEvents(file())) {
      const { v: version, seq, time, prev, mac, ...event } = entry;
      const common = { v: version, seq, time, prev, mac };
      expect(v.parse(entrySchema, common)).toEqual(common);
      expect(v.parse(anyEvent, event)).toEqual(event);
    }
  });

  test('validates against the published schema as well', () => {
    const schema = JSON.parse(readFileSync('docs/audit-events.schema.json', 'utf8')) as Schema;
    for (const entry of readEvents(file())) {
      expect(problemsIn(schema, entry), entry.type).toEqual([]);
      expect(problemsIn(schema, { ...entry, seq: 'one' }), entry.type).not.toEqual([]);
      expect(problemsIn(schema, { ...entry, type: 'unheard-of' })).not.toEqual([]);
    }
  });
});

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly pattern?: string;
  readonly minimum?: number;
}

/** The subset of JSON Schema that the published schema uses. */
function problemsIn(schema: Schema, value: unknown, path = '$'): readonly string[] {
  const wrong = (what: string): readonly string[] => [`${path}: ${what}`];
  const fitting = (of: readonly Schema[]): number =>
    of.filter((each) => problemsIn(each, value, path).length === 0).length;
  const isType: Readonly<Record<string, boolean>> = {
    string: typeof value === 'string',
    number: typeof value === 'number',
    integer: Number.isInteger(value),
    boolean: typeof value === 'boolean',
    object: typeof value === 'object' && value !== null && !Array.isArray(value),
    array: Array.isArray(value),
  };
  return [
    ...(schema.type === undefined || isType[schema.type] === true ? [] : wrong(`no ${schema.type}`)),
    ...(schema.const === undefined || schema.const === value ? [] : wrong('another constant')),
    ...(schema.enum === undefined || schema.enum.includes(value) ? [] : wrong('none of the values')),
    ...(schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(String(value))
      ? []
      : wrong('another pattern')),
    ...(schema.minimum === undefined || Number(value) >= schema.minimum ? [] : wrong('too small')),
    ...(schema.anyOf === undefined || fitting(schema.anyOf) > 0 ? [] : wrong('none of several')),
    ...(schema.oneOf === undefined || fitting(schema.oneOf) === 1 ? [] : wrong('not exactly one of several')),
    ...(schema.required ?? []).flatMap((name) =>
      Object.hasOwn(Object(value), name) ? [] : wrong(`${name} is missing`),
    ),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
      Object.hasOwn(Object(value), name)
        ? problemsIn(each, (value as Readonly<Record<string, unknown>>)[name], `${path}.${name}`)
        : [],
    ),
    ...(schema.items === undefined || !Array.isArray(value)
      ? []
      : value.flatMap((item: unknown, index) => problemsIn(schema.items ?? {}, item, `${path}[${index}]`))),
  ];
}

describe('techniquesOf', () => {
  const inSession = { session: 's', workspace: '/home/dev/app' } as const;
  const verdict = {
    decision: 'deny',
    code: 'rule',
    rule: 'r',
    layer: 'user',
    file: 'f',
    line: 1,
    message: 'm',
    remedy: 'r',
  } as const;
  const refused = (
    request: Extract<JournalEvent, { readonly type: 'refusal' }>['request'],
    code: (typeof verdict)['code'] | 'credential-store' | 'policy-file' | 'protected-path' = 'rule',
  ): JournalEvent => ({
    type: 'refusal',
    ...inSession,
    request,
    verdict: { ...verdict, code },
    observed: 'enforcement',
  });

  const cases: readonly (readonly [string, JournalEvent, readonly string[]])[] = [
    [
      'a read of credentials',
      refused({ kind: 'file', operation: 'read', path: '/home/dev/.aws/credentials' }, 'credential-store'),
      ['T1552.001', 'T1005'],
    ],
    [
      'a write to the policy',
      refused({ kind: 'file', operation: 'write', path: '/home/dev/.config/holdfast/policy.toml' }, 'policy-file'),
      ['T1562.001', 'T1565.001'],
    ],
    [
      'a hook that is planted',
      refused({ kind: 'file', operation: 'create', path: '/home/dev/app/.git/hooks/pre-commit' }, 'protected-path'),
      ['T1546'],
    ],
    [
      'the metadata service',
      refused({ kind: 'connect', host: '169.254.169.254', port: 80, protocol: 'tcp' }),
      ['T1552.005', 'T1071'],
    ],
    [
      'an upload',
      refused({ kind: 'http', method: 'POST', scheme: 'https', host: 'example.org', port: 443, path: '/' }),
      ['T1567', 'T1071.001'],
    ],
    [
      'a download',
      refused({ kind: 'http', method: 'GET', scheme: 'https', host: 'example.org', port: 443, path: '/' }),
      ['T1071.001'],
    ],
    [
      'the socket of Docker',
      refused({ kind: 'socket', operation: 'connect', address: '/var/run/docker.sock' }),
      ['T1611', 'T1559'],
    ],
    [
      'a signal to the supervisor',
      refused({ kind: 'signal', signal: 'SIGKILL', target: 'supervisor' }),
      ['T1562.001', 'T1489'],
    ],
    [
      'an alarm',
      {
        type: 'alarm',
        ...inSession,
        alarm: 'phantom-unbound',
        credential: 'x',
        host: 'example.org',
        port: 443,
        place: 'body',
      },
      ['T1567', 'T1528'],
    ],
    [
      'hidden text',
      { type: 'text', ...inSession, boundary: 'page', where: 'x', findings: { tag: 3, bidi: 1 } },
      ['T1027', 'T1036.002'],
    ],
    [
      'a request that was let through',
      {
        type: 'request',
        ...inSession,
        method: 'POST',
        scheme: 'https',
        host: 'example.org',
        port: 443,
        path: '/',
        status: 200,
        decision: 'allow',
      },
      [],
    ],
    [
      'the end of a session',
      { type: 'session.end', ...inSession, exitCode: 0, signal: 0, duration: 1, reason: 'exit' },
      [],
    ],
  ];

  test.each(cases)('%s', (_name, event, ids) => {
    expect(techniquesOf(event).map(({ id }) => id)).toEqual(ids);
  });

  test('names each, and where it is described', () => {
    expect(techniquesOf(cases[0]?.[1] as JournalEvent)[0]).toEqual({
      id: 'T1552.001',
      name: 'Unsecured Credentials: Credentials In Files',
      url: 'https://attack.mitre.org/techniques/T1552/001/',
    });
  });

  test('knows no technique twice, and answers for every event and for types that it does not know', () => {
    for (const event of everyEvent('s', 'x'))
      expect(Object.keys(techniques)).toEqual(expect.arrayContaining(techniquesOf(event).map(({ id }) => id)));
    expect(techniquesOf({ type: 'of the future' } as unknown as JournalEvent)).toEqual([]);
  });

  test('takes an entry of any shape', () => {
    const types = fc.constantFrom<unknown>(
      ...eventSchemas.map((schema) => schema.entries.type.literal),
      'constructor',
      'toString',
      '__proto__',
    );
    const shapes = fc.record(
      {
        type: fc.oneof(types, fc.anything()),
        request: fc.oneof(
          fc.record({
            kind: fc.constantFrom<unknown>('file', 'http', 'connect', 'socket', 'toString', {}),
            host: fc.anything(),
            address: fc.anything(),
          }),
          fc.anything(),
        ),
        verdict: fc.anything({ withNullPrototype: true }),
        findings: fc.anything(),
        alarm: fc.anything(),
        host: fc.anything({ withNullPrototype: true }),
        refusal: fc.anything(),
      },
      { requiredKeys: ['type'] },
    );
    fc.assert(
      fc.property(shapes, (event) => {
        for (const { id } of techniquesOf(event as unknown as JournalEvent)) expect(techniques).toHaveProperty([id]);
      }),
      { numRuns: rounds(2000) },
    );
  });
});
