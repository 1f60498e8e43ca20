import { expect, test } from 'vitest';
import { policyFrom } from '../../policy/testing/policies.ts';
import { lookedIntoText, modelLines } from './sources.ts';

const lines = (user: string): Readonly<Record<string, string>> => Object.fromEntries(modelLines(policyFrom({ user })));
const open = '[network]\nhosts = ["api.anthropic.com:443", "localhost:8080", "api.example.com:443"]\n';
const builtin = 'built-in: tokenize keys, private-keys, tokens; audit payment to servers of models';

test('nothing is said where no model could be reached', () => {
  expect(lines('[network]\nhosts = ["example.com:443"]')).toEqual({});
});

test.each([
  ['', { models: 'looked into, answers filtered, what is said is not kept', dlp: builtin }],
  [
    '[llm]\noutput = "as-is"\nlog = "bodies"\nlog_keep = "1s"\nlog_most = "1 MB"',
    {
      models: 'looked into, answers as they are, what is said is kept for 1000 ms, at most 1000000 bytes',
      dlp: builtin,
    },
  ],
  [
    '[[dlp]]\nname = "d"\ndecision = "audit"\nfinds = ["keys"]',
    { models: 'looked into, answers filtered, what is said is not kept' },
  ],
  ['[llm]\ngateway = "off"', {}],
  [
    '[llm]\ngateway = "off"\n[[dlp]]\nname = "d"\ndecision = "audit"\nfinds = ["keys"]\nhosts = ["api.example.com"]',
    { models: 'not looked into' },
  ],
])('of %j it says %j', (text, said) => {
  expect(lines(`${open}${text}`)).toEqual(said);
});

test.each([
  ['api.anthropic.com:443', '', /the provider "anthropic", in the style "anthropic"/u],
  ['api.anthropic.com:443', '[llm]\ngateway = "off"', /^$/u],
  [
    'localhost:8080',
    '[[llm.servers]]\nname = "own"\nhosts = ["localhost:8080"]\nstyle = "ollama"',
    /the provider "own", in the style "ollama"/u,
  ],
  ['localhost:8080', '', /^$/u],
  [
    'api.example.com:443',
    '[[dlp]]\nname = "d"\ndecision = "audit"\nfinds = ["keys"]\nhosts = ["api.example.com"]',
    /by \[\[dlp\]\] rules/u,
  ],
] as const)('requests to %s with %j', (authority, text, said) => {
  const [host = '', port] = authority.split(':');
  expect(lookedIntoText(policyFrom({ user: `${open}${text}` }), { host, port: Number(port) })).toMatch(said);
});

test('what passes unseen is not looked into', () => {
  expect(
    lookedIntoText(
      policyFrom({ user: '[network]\nhosts = ["api.openai.com:443"]\npassthrough = ["api.openai.com"]' }),
      { host: 'api.openai.com', port: 443 },
    ),
  ).toBe('');
});
