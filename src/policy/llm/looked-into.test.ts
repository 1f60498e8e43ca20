import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { policyFrom } from '../testing/policies.ts';
import { knownServers } from './known-servers.ts';
import { isLookedInto, looksInto } from './looked-into.ts';

const dlp = (hosts: string) => `[[dlp]]\nname = "d"\ndecision = "block"\nfinds = ["keys"]\n${hosts}`;
const server = '[[llm.servers]]\nname = "own"\nhosts = ["localhost:11434"]\nstyle = "ollama"\n';

describe.each([
  ['nothing', '', ['api.anthropic.com:443', 'API.OpenAI.com.:8443', 'x.openai.azure.com:443']],
  ['[llm]', '[llm]', ['api.anthropic.com:443']],
  ['a server of its own', server, ['api.anthropic.com:443', '127.0.0.1:11434', 'localhost:11434']],
  ['a gateway that is off', '[llm]\ngateway = "off"', []],
  ['a rule for models', dlp(''), ['api.anthropic.com:443']],
  [
    'a gateway that is off, and a rule for a host',
    `[llm]\ngateway = "off"\n${dlp('hosts = ["*.example.com:443"]\n')}`,
    ['a.example.com:443'],
  ],
] as const)('%s', (_what, text, looked: readonly string[]) => {
  const policy = policyFrom(text === '' ? {} : { user: text });
  const all = [
    'api.anthropic.com:443',
    'API.OpenAI.com.:8443',
    'x.openai.azure.com:443',
    '127.0.0.1:11434',
    'localhost:11434',
    'a.example.com:443',
    'a.example.com:80',
    'api.anthropic.com.example.org:443',
    'example.com:443',
  ];

  test.each(all)('%s', (name) => {
    const [host = '', port] = name.split(':');
    const expected = looked.includes(name) || (looked.includes('api.anthropic.com:443') && /openai/iu.test(name));
    expect(isLookedInto(policy, { host, port: Number(port) })).toBe(expected);
  });
});

describe('whether anything is looked into', () => {
  const network = (hosts: string) => `[network]\nhosts = [${hosts}]\n`;

  test.each([
    ['nothing is granted', '', false],
    ['another host is', network('"example.com:443"'), false],
    ['a server of models is', network('"api.anthropic.com:443"'), true],
    ['one on another port', network('"API.Anthropic.com:8443"'), true],
    ['one by a rule about requests', '[[http]]\nname = "r"\ndecision = "allow"\nhosts = ["api.openai.com"]\n', true],
    ['one by a rule that asks', '[[connect]]\nname = "r"\ndecision = "ask"\nhosts = ["api.openai.com"]\n', true],
    ['one is granted and denied', `${network('"*.openai.com"')}deny = ["api.openai.com", "*.api.openai.com"]\n`, false],
    ['all hosts are', network('"any"'), true],
    ['all names below one are', network('"*.anthropic.com"'), true],
    ['names below one that holds none', network('"*.example.com"'), false],
    ['names above the pattern of a server', network('"*.azure.com"'), true],
    ['names within what a wildcard stands for', network('"*.us-east-1.amazonaws.com"'), true],
    ['names below what a wildcard stands for', network('"*.mine.openai.azure.com"'), true],
    ['this machine is', network('"localhost:11434"'), false],
    ['addresses are', network('"203.0.113.0/24"'), false],
    ['this machine is, as a server of models', `${network('"localhost:11434"')}${server}`, true],
    ['a server is, and the gateway is off', `${network('"api.anthropic.com"')}[llm]\ngateway = "off"\n`, false],
    [
      'the gateway is off, and a rule names a host',
      `[llm]\ngateway = "off"\n${dlp('hosts = ["*.example.com:443"]\n')}`,
      true,
    ],
  ])('%s', (_what, user, expected) => {
    expect(looksInto(policyFrom({ user }))).toBe(expected);
  });

  test('a project that narrows the hosts narrows this as well', () => {
    expect(
      looksInto(policyFrom({ user: network('"api.anthropic.com", "example.com"'), project: network('"example.com"') })),
    ).toBe(false);
  });

  test('no name that is looked into is reached where it says no', () => {
    const label = fc.constantFrom(
      'x',
      'us-east-1',
      'openai',
      'azure',
      'com',
      'bedrock-runtime',
      'amazonaws',
      'aiplatform',
      'googleapis',
      'rep',
      'vpce',
      'eu-aiplatform',
      'anthropic',
      'api',
    );
    const name = fc.array(label, { minLength: 2, maxLength: 6 }).map((labels) => labels.join('.'));
    const known = fc
      .constantFrom(...knownServers.flatMap(({ hosts }) => hosts))
      .chain((pattern) =>
        fc
          .array(label, { minLength: 4, maxLength: 4 })
          .map((labels) => labels.reduce((text, each) => text.replace('*', each), pattern)),
      );
    fc.assert(
      fc.property(known, fc.oneof(fc.constant(undefined), name), fc.nat({ max: 6 }), (host, other, cut) => {
        const suffix =
          other ??
          host
            .split('.')
            .slice(cut % host.split('.').length)
            .join('.');
        fc.pre(host.endsWith(`.${suffix}`));
        expect(looksInto(policyFrom({ user: network(`"*.${suffix}"`) }))).toBe(true);
      }),
    );
  });
});
