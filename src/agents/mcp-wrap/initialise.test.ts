import { describe, expect, test } from 'vitest';
import { policyFrom } from '../../policy/testing/policies.ts';
import { defused } from './initialise.ts';

const policy = policyFrom({ user: '[network]\nhosts = ["docs.example:443"]' });

describe('a server’s description of itself', () => {
  test.each([
    ['an image', '![x](https://evil.example/?q=1)', 'https://evil.example'],
    ['a link', '[x](https://evil.example/)', 'https://evil.example'],
    ['an address', 'see https://evil.example/', 'https://evil.example'],
    ['a tag', '<img src=https://evil.example/>', 'https://evil.example'],
    ['another port', '![x](https://docs.example:8443/)', 'https://docs.example:8443'],
    ['another protocol', '![x](http://docs.example:8080/)', 'http://docs.example'],
  ])('%s reaches no host that the server may not reach', (_name, text, address) => {
    const told = JSON.stringify(
      defused(policy, {
        instructions: text,
        tools: [{ name: 'a', description: text, inputSchema: { properties: { a: { description: text } } } }],
      }),
    );
    expect(told).not.toContain(address);
  });

  test('keeps plain parts, reachable addresses, and data that is not text', () => {
    const value = {
      tools: [
        {
          name: 'a',
          description: 'does *this*, see https://docs.example/x and `code`',
          inputSchema: {
            $schema: 'https://json-schema.org/draft/2020-12/schema',
            default: 'https://evil.example/',
            description: 7,
            list: [null, true],
          },
        },
      ],
    };
    expect(defused(policy, value)).toEqual(value);
  });
});
