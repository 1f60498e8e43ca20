import { describe, expect, test } from 'vitest';
import { definitionLines, definitionOfSaid, foreignReference, listedKeys, type Said } from './said.ts';

const said = (value: Said['value']): Said => ({ kind: 'tool', id: String(value['name']), value });
const toolDefinition = (value: Said['value']): ReturnType<typeof definitionOfSaid> => definitionOfSaid(said(value));

const plain = {
  name: 'send',
  description: 'does it',
  inputSchema: { type: 'object', properties: { a: { type: 'string' }, b: {} } },
};

describe('the hash of a tool', () => {
  test('covers exactly the parts that an agent gets', () => {
    const more = { ...plain, icons: [{ src: 'https://x.example/' }], _meta: { a: 1 }, execution: {}, note: 'an order' };
    expect(listedKeys(said(more))).toEqual(plain);
    expect(toolDefinition(more).sha256).toBe(toolDefinition(plain).sha256);
    expect(JSON.parse(toolDefinition(more).text)).toEqual(plain);
  });

  test('does not depend on the order of members', () => {
    const { inputSchema, description, name } = plain;
    expect(
      toolDefinition({
        inputSchema: { properties: { b: {}, a: { type: 'string' } }, type: inputSchema.type },
        name,
        description,
      }).sha256,
    ).toBe(toolDefinition(plain).sha256);
  });

  test.each([
    ['the name', { name: 'sent' }],
    ['the title', { title: '' }],
    ['the description', { description: 'does it ' }],
    ['a schema', { inputSchema: { ...plain.inputSchema, required: ['a'] } }],
    ['the output schema', { outputSchema: { type: 'object' } }],
    ['a hint', { annotations: { readOnlyHint: true } }],
  ])('changes with %s', (_name, change) => {
    expect(toolDefinition({ ...plain, ...change }).sha256).not.toBe(toolDefinition(plain).sha256);
  });
});

describe('a schema', () => {
  test.each(['$ref', '$dynamicRef', '$recursiveRef'])(
    'that refers by %s to another document differs from one that refers to itself',
    (key) => {
      for (const address of ['http://169.254.169.254/x', '//evil.example/x', 'x.json', ''])
        expect(foreignReference({ outputSchema: { anyOf: [{ properties: { a: { [key]: address } } }] } })).toBe(
          address,
        );
      expect(
        foreignReference({
          inputSchema: {
            $id: 'https://a.example/',
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            properties: { [key]: { type: 'string' }, b: { [key]: '#/$defs/b' } },
          },
        }),
      ).toBeUndefined();
    },
  );
});

describe('the definition that a person sees', () => {
  test('is complete for a new tool', () => {
    expect(definitionLines('tool', undefined, toolDefinition({ name: 'a', description: 'b' }))).toEqual([
      'name: a',
      'description: b',
    ]);
  });

  test('lists each changed part, with hidden characters escaped', () => {
    const after = toolDefinition({
      ...plain,
      description: 'does it\u{e0061}\u{e0062}',
      annotations: { readOnlyHint: true },
    });
    const lines = definitionLines('tool', toolDefinition(plain), after);
    expect(lines.map((line) => line.split(':')[0])).toEqual([
      'description was',
      'description is',
      'annotations was',
      'annotations is',
    ]);
    expect(lines.join('\n')).not.toMatch(/[\u{e0000}-\u{e007f}]/u);
    expect(lines[1]).toContain('⟦');
  });
});
