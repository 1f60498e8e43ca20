import { describe, expect, test } from 'vitest';
import { policyFrom } from '../testing/policies.ts';
import { isLookedInto, looksInto } from './looked-into.ts';

const dlp = (hosts: string) => `[[dlp]]\nname = "d"\ndecision = "block"\nfinds = ["keys"]\n${hosts}`;
const server = '[[llm.servers]]\nname = "own"\nhosts = ["localhost:11434"]\nstyle = "ollama"\n';

describe.each([
  ['nothing', '', []],
  ['[llm]', '[llm]', ['api.anthropic.com:443', 'API.OpenAI.com.:8443', 'x.openai.azure.com:443']],
  ['a server of its own', server, ['api.anthropic.com:443', '127.0.0.1:11434', 'localhost:11434']],
  ['a gateway that is off', '[llm]\ngateway = "off"', []],
  ['a rule for models', dlp(''), ['api.anthropic.com:443']],
  ['a gateway that is off, and a rule for a host', `[llm]\ngateway = "off"\n${dlp('hosts = ["*.example.com:443"]\n')}`, ['a.example.com:443']],
] as const)('%s', (_what, text, looked: readonly string[]) => {
  const policy = policyFrom(text === '' ? {} : { user: text });
  const all = ['api.anthropic.com:443', 'API.OpenAI.com.:8443', 'x.openai.azure.com:443', '127.0.0.1:11434', 'localhost:11434', 'a.example.com:443', 'a.example.com:80', 'api.anthropic.com.example.org:443', 'example.com:443'];

  test.each(all)('%s', (name) => {
    const [host = '', port] = name.split(':');
    const expected = looked.includes(name) || (looked.includes('api.anthropic.com:443') && /openai/iu.test(name));
    expect(isLookedInto(policy, { host, port: Number(port) })).toBe(expected);
  });
  test('at all', () => expect(looksInto(policy)).toBe(looked.length > 0));
});
