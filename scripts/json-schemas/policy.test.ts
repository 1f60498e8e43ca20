import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { policyJsonSchema } from './policy.ts';

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly enum?: readonly string[];
}

const schema = policyJsonSchema() as Schema;

test('docs/policy.schema.json is current: node scripts/policy-schema.ts writes it', () => {
  expect(JSON.parse(readFileSync('docs/policy.schema.json', 'utf8'))).toEqual(JSON.parse(JSON.stringify(schema)));
});

describe('the schema', () => {
  test('knows every section and needs only the version', () => {
    expect(Object.keys(schema.properties ?? {})).toEqual([
      'version',
      'files',
      'network',
      'sockets',
      'commands',
      'environment',
      'tools',
      'registry',
      'limits',
      'process',
      'require',
      'backend',
      'strict',
      'resident',
      'approvals',
      'llm',
      'mcp',
      'dlp',
      'file',
      'exec',
      'connect',
      'http',
      'dns',
      'socket',
      'signal',
      'env',
      'tool',
      'trust',
      'registry_rule',
      'credentials',
      'propose',
    ]);
    expect(schema.required).toEqual(['version']);
  });

  test('is strict at every depth', () => {
    const open = objectsIn(schema, '').filter(
      ({ path, schema: object }) =>
        object.properties !== undefined &&
        object.additionalProperties !== false &&
        !['.environment.set', '.exec[].env'].includes(path),
    );
    expect(open).toEqual([]);
  });

  test('describes every list, so that editors can', () => {
    const lists = objectsIn(schema, '').filter(
      ({ schema: each }) => each.type === 'array' && each.items?.type === 'string' && each.items.enum === undefined,
    );
    expect(lists.length).toBeGreaterThan(30);
    expect(
      lists.filter(({ schema: list, path }) => list.description === undefined && !path.endsWith('.sha256')),
    ).toEqual([]);
  });

  test('names the draft that it is written in', () => {
    expect(schema).toHaveProperty('$schema', 'https://json-schema.org/draft/2020-12/schema');
  });
});

function objectsIn(value: Schema, path: string): readonly { readonly path: string; readonly schema: Schema }[] {
  const below = Object.entries(value.properties ?? {}).flatMap(([key, property]) =>
    objectsIn(property, `${path}.${key}`),
  );
  return [{ path, schema: value }, ...below, ...(value.items === undefined ? [] : objectsIn(value.items, `${path}[]`))];
}
