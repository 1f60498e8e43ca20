import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { providerProblems } from '../check-policy.ts';
import { parsePolicy } from '../document/parse.ts';
import { meet } from '../policy.ts';
import { policyFrom, problemsIn } from '../testing/policies.ts';
import { llmOf } from './llm-of.ts';
import { readLimit } from './schema.ts';
import type { LlmSettings } from './types.ts';

const settingsOf = (texts: Parameters<typeof policyFrom>[0]): LlmSettings => llmOf(policyFrom(texts));

const day = 86_400_000;
const audited = '[[dlp]]\nname = "x"\ndecision = "audit"\nfinds = ["github-token"]\n';

describe('the layers combined', () => {
  test('by default requests are inspected all the same', () => {
    expect(llmOf(policyFrom())).toEqual({
      gateway: 'on',
      builtinDlp: 'in-force',
      output: 'filter',
      log: { texts: 'not-kept', keep: 7 * day, most: 200e6 },
      tools: { remote: [], local: [] },
      lookInto: [],
      servers: [],
      budgets: [],
      rates: [],
      prices: [],
      dlp: [],
    });
  });

  test.each([
    [{ user: '[llm]' }, 'on'],
    [{ project: '[llm]' }, 'on'],
    [{ user: '[[dlp]]\nname = "d"\ndecision = "block"\nfinds = ["keys"]' }, 'on'],
    [{ user: '[llm]\ngateway = "off"' }, 'off'],
    [{ managed: '[llm]\ngateway = "off"' }, 'off'],
    [{ user: '[llm]\ngateway = "off"', managed: '[llm]\ngateway = "on"' }, 'on'],
    [{ user: '[llm]\ngateway = "off"\n[[llm.budgets]]\nname = "b"\nlimit = "5 USD"' }, 'on'],
    [{ user: '[llm]\ngateway = "off"', managed: '[[llm.rates]]\nrequests_per_minute = 5' }, 'on'],
  ])('%j: the gateway is %s', (texts, gateway) => {
    expect(settingsOf(texts).gateway).toBe(gateway);
  });

  test.each([
    [{ user: '[llm]\noutput = "as-is"' }, 'as-is'],
    [{ user: '[llm]\noutput = "as-is"', managed: '[llm]\noutput = "filter"' }, 'filter'],
  ])('%j: answers are %s', (texts, output) => {
    expect(settingsOf(texts).output).toBe(output);
  });

  test.each([
    [{ user: '[llm]' }, 'not-kept', 7 * day, 200e6],
    [{ user: '[llm]\nlog = "bodies"' }, 'kept', 7 * day, 200e6],
    [{ managed: '[llm]\nlog = "bodies"' }, 'demanded', 7 * day, 200e6],
    [{ user: '[llm]\nlog = "metadata"', managed: '[llm]\nlog = "bodies"' }, 'demanded', 7 * day, 200e6],
    [{ user: '[llm]\nlog = "bodies"', managed: '[llm]\nlog = "metadata"' }, 'not-kept', 7 * day, 200e6],
    [
      { user: '[llm]\nlog = "bodies"\nlog_keep = "30d"\nlog_most = "1GiB"', managed: '[llm]\nlog_keep = "12h"' },
      'kept',
      day / 2,
      2 ** 30,
    ],
    [{ user: '[llm]\nlog = "bodies"\nlog_most = "1GiB"', managed: '[llm]\nlog_most = "1 MB"' }, 'kept', 7 * day, 1e6],
  ])('%j: texts are %s', (texts, ...log) => {
    const [kept, keep, most] = log;
    expect(settingsOf(texts).log).toEqual({ texts: kept, keep, most });
  });

  test('remote tools and inspections add up, and local tools are the user’s to name', () => {
    expect(
      settingsOf({
        user: '[llm]\nremote_tools = ["fetch_*"]\nlocal_tools = ["mcp__files__*"]',
        project: '[llm]\nremote_tools = ["fetch_*", "post"]\nlook_into = ["tool-definitions"]',
      }),
    ).toMatchObject({
      tools: { remote: ['fetch_*', 'post'], local: ['mcp__files__*'] },
      lookInto: ['tool-definitions'],
    });
    expect(problemsIn('version = 1\n[llm]\nlocal_tools = ["*"]', 'project')).toMatchObject([
      {
        message: expect.stringContaining('cannot declare tools as local'),
        remedy: 'move llm.local_tools to the user policy',
      },
    ]);
  });

  test('every entry of each, the same one once', () => {
    const budget = '[[llm.budgets]]\nname = "b"\nlimit = "2M tokens"\nover = "day"\nmodels = ["claude-*"]\n';
    const { budgets, servers, prices, dlp } = settingsOf({
      user: `${budget}[[llm.servers]]\nname = "own"\nhosts = ["localhost:11434"]\nstyle = "ollama"\n[[llm.prices]]\nmodels = ["own-*"]\ninput = 1\noutput = 2.5\n[[dlp]]\nname = "no-keys"\ndecision = "block"\nfinds = ["keys"]\n`,
      managed: `${budget}[[dlp]]\nname = "cards"\ndecision = "redact"\nfinds = ["payment"]\nhosts = ["*.example.com"]\n`,
    });
    expect(budgets).toEqual([
      { name: 'b', limit: { kind: 'tokens', most: 2_000_000 }, over: 'day', providers: [], models: ['claude-*'] },
    ]);
    expect(servers).toMatchObject([
      { name: 'own', style: 'ollama', basePath: '', hosts: [{ source: 'localhost:11434' }] },
    ]);
    expect(prices).toEqual([{ models: ['own-*'], input: 1, output: 2.5 }]);
    expect(
      dlp.map(({ name, decision, hosts }) => [
        name,
        decision,
        hosts === 'models' ? hosts : hosts.map(({ source }) => source),
      ]),
    ).toEqual([
      ['cards', 'redact', ['*.example.com']],
      ['no-keys', 'block', 'models'],
    ]);
  });

  test.each([
    [{ user: '[llm]' }, 'in-force'],
    [{ user: '[llm]', project: audited }, 'in-force'],
    [{ user: '[llm]', session: audited }, 'in-force'],
    [{ user: audited }, 'replaced'],
    [{ managed: audited }, 'replaced'],
  ])('%j: the built-in rules are %s', (texts, builtinDlp) => {
    expect(settingsOf(texts).builtinDlp).toBe(builtinDlp);
  });

  test('a project may narrow: budgets, rates and rules of its own hold', () => {
    const { budgets, rates, dlp } = settingsOf({
      user: '',
      project:
        '[[llm.budgets]]\nname = "b"\nlimit = "500 requests"\n[[llm.rates]]\nproviders = ["openai"]\ntokens_per_minute = 1000\n[[dlp]]\nname = "x"\ndecision = "audit"\npatterns = ["ACME-[0-9]{6}"]\n',
    });
    expect(budgets).toMatchObject([{ limit: { kind: 'requests', most: 500 }, over: 'session' }]);
    expect(rates).toEqual([{ providers: ['openai'], tokensPerMinute: 1000 }]);
    expect(dlp).toEqual([{ name: 'x', decision: 'audit', finds: [], patterns: ['ACME-[0-9]{6}'], hosts: 'models' }]);
  });

  test('meet is commutative and idempotent, and never lets more pass', () => {
    const text = fc
      .record({
        gateway: fc.option(fc.constantFrom('on', 'off')),
        output: fc.option(fc.constantFrom('filter', 'as-is')),
        most: fc.option(fc.integer({ min: 1, max: 9 })),
      })
      .map(
        ({ most, ...said }) =>
          `[llm]\n${Object.entries(said)
            .map(([key, value]) => (value === null ? '' : `${key} = "${value}"\n`))
            .join('')}${most === null ? '' : `[[llm.budgets]]\nname = "b"\nlimit = "${most} USD"\n`}`,
      );
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [a, b] = [policyFrom({ user: one }), policyFrom({ managed: other })];
        const both = llmOf(meet(a, b));
        expect(both).toEqual(llmOf(meet(b, a)));
        expect(llmOf(meet(a, a))).toEqual(llmOf(a));
        for (const text of [one, other]) {
          if (text.includes('gateway = "on"') || text.includes('USD')) expect(both.gateway).toBe('on');
          if (text.includes('"filter"')) expect(both.output).toBe('filter');
        }
        for (const single of [llmOf(a), llmOf(b)])
          expect(both.budgets).toEqual(expect.arrayContaining([...single.budgets]));
      }),
    );
  });
});

test.each(['project', 'session'] as const)('a %s may add inspections', (kind) => {
  expect(parsePolicy('version = 1\n[llm]\ngateway = "on"\noutput = "filter"', { file: 'policy.toml', kind }).kind).toBe(
    'document',
  );
});

describe('mistakes', () => {
  test.each([
    ['[llm]\ngate = "off"', 'gate'],
    ['[llm]\nlog = "everything"', 'log'],
    ['[llm]\nlog_keep = "forever"', 'an age is written'],
    ['[llm]\nlog_keep = "0d"', 'is nothing'],
    ['[llm]\nlog_most = "10%"', 'a size is written'],
    ['[llm]\nlog_most = "0 MB"', 'is nothing'],
    ['[llm]\nlog_most = "2000000 TB"', 'larger than any machine'],
    ['[[dlp]]\nname = "d"\ndecision = "block"\nfinds = ["key"]', 'nothing is called'],
    ['[[dlp]]\nname = "d"\ndecision = "block"\npatterns = ["(a+)+$"]', 'cannot be looked for'],
    ['[[llm.budgets]]\nname = "b"\nlimit = "5 EUR"', 'a limit is written'],
    ['[[llm.budgets]]\nname = "b"\nlimit = "0 USD"', 'not a limit that could be kept'],
    ['[[llm.budgets]]\nname = "b"\nlimit = "1.5 tokens"', 'not a limit that could be kept'],
    [
      '[[llm.budgets]]\nname = "b"\nlimit = "5 USD"\n[[llm.budgets]]\nname = "b"\nlimit = "6 USD"',
      'already used by llm.budgets[0]',
    ],
    ['[[llm.rates]]\nproviders = ["openai"]', 'neither how many requests nor how many tokens'],
    ['[[llm.servers]]\nname = "s"\nhosts = ["http://x"]\nstyle = "openai"', 'is a URL'],
    [
      '[[llm.servers]]\nname = "s"\nhosts = ["x.test"]\nstyle = "openai"\nbase_path = "openai/"',
      'a base path is written',
    ],
    ['[[llm.prices]]\nmodels = ["m"]\ninput = -1\noutput = 1', 'input'],
    ['[[dlp]]\nname = "d"\ndecision = "block"', 'looks for nothing'],
    ['[[dlp]]\nname = "d"\ndecision = "ask"\nfinds = ["keys"]', 'decision'],
    ['[[dlp]]\nname = "d"\ndecision = "block"\nfinds = ["keys"]\nhosts = ["a b"]', 'is not a host name'],
    [
      '[[dlp]]\nname = "d"\ndecision = "block"\nfinds = ["keys"]\n[[dlp]]\nname = "d"\ndecision = "audit"\nfinds = ["keys"]',
      'already used by dlp[0]',
    ],
  ])('%j is refused: %s', (text, words) => {
    expect(JSON.stringify(problemsIn(`version = 1\n${text}`, 'user'))).toContain(JSON.stringify(words).slice(1, -1));
  });

  test.each(['log = "bodies"', 'log = "metadata"', 'log_keep = "1s"', 'log_most = "1 TB"'])(
    '%j belongs to the user: a repository cannot set retention',
    (line) => {
      for (const kind of ['user', 'managed'] as const)
        expect(parsePolicy(`version = 1\n[llm]\n${line}`, { file: 'policy.toml', kind }).kind).toBe('document');
      for (const kind of ['project', 'session'] as const)
        expect(JSON.stringify(problemsIn(`version = 1\n[llm]\n${line}`, kind))).toMatch(
          new RegExp(`a ${kind} policy cannot (?:choose the kept parts|say how long|say how much)`, 'u'),
        );
    },
  );

  test.each([
    '[llm]\ngateway = "off"',
    '[llm]\noutput = "as-is"',
    '[[llm.servers]]\nname = "s"\nhosts = ["x.test"]\nstyle = "openai"',
    '[[llm.prices]]\nmodels = ["m"]\ninput = 1\noutput = 1',
  ])("%j is the user's to say", (text) => {
    for (const kind of ['user', 'managed'] as const)
      expect(parsePolicy(`version = 1\n${text}`, { file: 'policy.toml', kind }).kind).toBe('document');
    expect(JSON.stringify(problemsIn(`version = 1\n${text}`, 'project'))).toContain('a project policy cannot ');
    expect(JSON.stringify(problemsIn(`version = 1\n${text}`, 'session'))).toContain('a session policy cannot ');
  });
});

test.each([
  ['5 USD', { kind: 'usd', most: 5 }],
  ['0.5 USD', { kind: 'usd', most: 0.5 }],
  ['1k requests', { kind: 'requests', most: 1000 }],
  ['2.5M tokens', { kind: 'tokens', most: 2_500_000 }],
  ['0.0001k tokens', undefined],
  ['9999999999999M tokens', undefined],
  ['-5 USD', undefined],
  ['5USD', undefined],
  ['', undefined],
])('the limit %j is %j', (text, limit) => {
  expect(readLimit(text)).toEqual(limit);
});

test('the layers say it line by line', () => {
  const text =
    '[llm]\noutput = "as-is"\n[[llm.budgets]]\nname = "b"\nlimit = "5 USD"\nover = "day"\nproviders = ["anthropic"]\n[[llm.rates]]\nrequests_per_minute = 3\ntokens_per_minute = 9\n[[dlp]]\nname = "d"\ndecision = "block"\nreason = "ours"\nfinds = ["keys"]\npatterns = ["ACME-[0-9]{6}"]\n';
  const said = policyFrom({ user: text })
    .layers.flatMap(({ statements }) => statements())
    .filter(({ subject }) => /^(?:llm\.|dlp)/u.test(subject));
  expect(
    said.map(({ subject, value, reason }) => `${subject}: ${value}${reason === undefined ? '' : `: ${reason}`}`),
  ).toEqual([
    'llm.output: as-is',
    'llm.budgets: b: 5 USD per day, anthropic only',
    'llm.rates: 3 requests and 9 tokens a minute',
    'dlp: block keys, "ACME-[0-9]{6}" to servers of models (d): ours',
  ]);
  expect(said.map(({ origin }) => [origin.rule, origin.line - said[0]!.origin.line])).toEqual([
    ['llm.output', 0],
    ['llm.budgets[0]', 1],
    ['llm.rates[0]', 6],
    ['dlp[0]', 9],
  ]);
});

describe('a provider that no server has', () => {
  const problems = (texts: Parameters<typeof policyFrom>[0]) =>
    providerProblems(policyFrom(texts)).map(({ line, message, remedy }) => ({ line, message, remedy }));
  const rate = (name: string): string =>
    `[[llm.rates]]\nproviders = ["anthropic", "${name}"]\nrequests_per_minute = 1\n`;

  test('is a mistake of the user, with a suggestion', () => {
    expect(problems({ user: rate('gogle') })).toMatchObject([
      {
        line: expect.any(Number),
        message: 'no server of models has the provider "gogle"',
        remedy: 'did you mean "google"?',
      },
    ]);
    expect(
      problems({ user: '[[llm.budgets]]\nname = "b"\nlimit = "1 USD"\nproviders = ["gemini-api"]\n' }),
    ).toMatchObject([{ remedy: expect.stringContaining('google') }]);
  });

  test('may be one that a policy names', () => {
    expect(
      problems({ user: `${rate('own')}[[llm.servers]]\nname = "own"\nhosts = ["localhost:1"]\nstyle = "openai"\n` }),
    ).toEqual([]);
  });

  test('may be known to others, in a project', () => {
    expect(problems({ project: rate('of-others') })).toEqual([]);
  });
});
