import { describe, expect, test } from 'vitest';
import { filteredParams } from './filter-result.ts';

const hidden = '\u{e0061}\u{e0062}';

describe('the agent’s view of a result', () => {
  test.each([
    ['a text', { content: [{ type: 'text', text: `a${hidden}` }] }],
    ['an embedded resource', { content: [{ type: 'resource', resource: { uri: `file:///${hidden}`, text: hidden } }] }],
    ['a name', { tools: [{ name: `x${hidden}` }] }],
    ['a key', { structuredContent: { [hidden]: 1 } }],
    [
      'data of its own',
      { structuredContent: { data: hidden, blob: hidden, uri: hidden, _meta: hidden, icons: hidden } },
    ],
    ['bytes that are none', { content: [{ type: 'image', data: hidden, mimeType: `image/${hidden}` }] }],
    ['bytes beside a type that says nothing', { content: [{ type: 'text', data: hidden }] }],
  ])('%s has nothing hidden in it', (_name, value) => {
    expect(JSON.stringify(filteredParams('tool-result', value))).not.toMatch(/[\u{e0000}-\u{e007f}]/u);
  });

  test('a mark of ours that it forged is written out', () => {
    const forged = 'a ⟦U+200B×3⟧ b';
    expect(
      JSON.stringify(
        filteredParams('tool-result', {
          content: [{ type: 'text', text: forged }],
          structuredContent: { [forged]: forged },
        }),
      ),
    ).not.toContain('⟦U+200B');
  });

  test('arguments keep their names, whatever those are', () => {
    const tool = {
      inputSchema: {
        type: 'object',
        properties: { icons: { type: 'string' }, _meta: { type: 'string', description: 'm' }, uri: { type: 'string' } },
        required: ['icons'],
      },
    };
    expect(filteredParams('tool-description', tool)).toEqual(tool);
  });

  test('keeps bytes, addresses and types', () => {
    const value = {
      content: [
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'file:///a?b=%20', blob: 'AAAA', mimeType: 'x/y' } },
      ],
      nextCursor: 'abc',
      isError: false,
      structuredContent: { n: 1, _meta: 'mine', icons: [], list: [null, true] },
    };
    expect(filteredParams('tool-result', value)).toEqual(value);
  });

  test('omits parts that a client would fetch by itself, and those not meant for a model', () => {
    expect(
      filteredParams('tool-description', {
        serverInfo: { name: 's', icons: [{ src: 'https://evil.example/?x' }] },
        _meta: { a: 1 },
      }),
    ).toEqual({ serverInfo: { name: 's' } });
  });
});
