import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readEvents } from '../../audit/index.ts';
import { policyFrom } from '../../policy/testing/policies.ts';
import type { Place } from '../../place/place.ts';
import { knownSecrets } from './content-rules.ts';
import { cachedContentRules, hider, isAllowed, type SessionGateway, sessionGateway } from './session-gateway.ts';
import { create, openThrough, settled } from './socket/testing/socket.ts';
import { answerOf, anthropic, key, requestOf, ruleOf, said, textOf } from './testing/gateway.ts';

describe('a URL in an answer', () => {
  const asked: unknown[] = [];
  const authority = {
    decide: (request: unknown) => (asked.push(request), { decision: 'allow' }),
  } as unknown as Parameters<typeof isAllowed>[1];

  test.each([
    '',
    'x',
    '//',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://',
    'https://[',
    'https://a b/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    '\ud800',
    'http://%00/',
    'https://example.com:99999/',
  ])('%j leads nowhere, whatever the policy allows', (url) => {
    asked.length = 0;
    expect([isAllowed(url, authority), asked]).toEqual([false, []]);
  });

  test.each([
    ['https://example.com/x', 'example.com', 443],
    ['http://example.com/', 'example.com', 80],
    ['https://[::1]:8443/', '::1', 8443],
  ])('%s is asked about', (url, host, port) => {
    asked.length = 0;
    expect(isAllowed(url, authority)).toBe(true);
    expect(asked).toEqual([{ kind: 'connect', host, port, protocol: 'tcp' }]);
  });

  test.each([
    ['allow', true],
    ['audit', true],
    ['ask', false],
    ['deny', false],
    ['redirect', false],
  ])('that is to %s: %s', (decision, expected) => {
    expect(isAllowed('https://example.com/', { decide: () => ({ decision }) } as unknown as typeof authority)).toBe(
      expected,
    );
  });
});

const hide0 = hider(knownSecrets(() => []));

describe('hidden texts', () => {
  test('are keys, and secrets that come later', () => {
    const secrets: string[] = [];
    const hide = hider(knownSecrets(() => [...secrets]));
    expect(hide(`a ${key} b correct-horse-battery`)).toBe('a [redacted:github-token] b correct-horse-battery');
    secrets.push('correct-horse-battery');
    expect(hide('a correct-horse-battery b')).toBe('a [redacted:session-secret] b');
    secrets.splice(0, 1, 'incorrect-horse-batter');
    expect(hide('a correct-horse-battery b')).toBe('a correct-horse-battery b');
  });
  test('include nothing else', () => expect(hide0('plain \ud800 text')).toBe('plain \ud800 text'));
});

describe('the journal of a session', () => {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-gateway-'));
  const journal = join(directory, 'journal.jsonl');
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  function open(user: string): SessionGateway {
    const policy = policyFrom({ user: `[network]\nhosts = ["api.anthropic.com", "api.openai.com"]\n${user}` });
    const place = {
      paths: { journal, calls: join(directory, 'calls') },
      workspace: { root: directory },
    } as unknown as Place;
    return sessionGateway({
      id: 'session',
      place,
      policy: () => policy,
      authority: { decide: () => ({ decision: 'deny' }) } as unknown as Parameters<typeof isAllowed>[1],
      secrets: () => [],
    });
  }

  async function ask({ interceptor }: SessionGateway): Promise<string> {
    const answer = await interceptor(() => Promise.resolve(answerOf({})), { destination: anthropic, scheme: 'https' })(
      requestOf({ body: said(`use ${key}`) }),
    );
    return answer.kind === 'refused' ? answer.refusal.message : `${answer.status} ${await textOf(answer.body)}`;
  }

  test('has nothing about prepared requests', async () => {
    const gateway = open('');
    gateway.prepare(anthropic);
    gateway.flush();
    expect(() => readFileSync(journal)).toThrow('ENOENT');
    expect(await ask(gateway)).toMatch(/^200/u);
  });

  test('has stopped requests before the client gets the answer', async () => {
    const gateway = open('[[dlp]]\nname = "d"\ndecision = "block"\nfinds = ["keys"]\n');
    expect(await ask(gateway)).toContain('403');
    expect(readEvents(journal)).toMatchObject([
      { type: 'dlp', decision: 'block' },
      { type: 'model', refusal: { code: 'dlp' } },
    ]);
  });

  test('has what went on when it is asked for, and soon', async () => {
    const gateway = open('');
    expect(await ask(gateway)).toBe('200 {}');
    expect(readEvents(journal)).toEqual([]);
    gateway.flush();
    expect(readEvents(journal)).toMatchObject([
      { type: 'dlp', decision: 'tokenize' },
      { type: 'model', status: 200 },
    ]);
    await ask(gateway);
    await expect.poll(() => readEvents(journal).length).toBe(4);
  });

  test('that cannot be written has nothing pass in a WebSocket that is open', async () => {
    const gateway = open('');
    const { say, heard } = await openThrough(gateway.interceptor, {});
    heard();
    say(create('first'));
    let passed = '';
    await expect.poll(() => (passed += heard().join(''))).toContain('first');
    // It may be there by now: what passed is written soon.
    rmSync(journal, { force: true });
    mkdirSync(journal, { recursive: true });
    await ask(gateway);
    expect(() => gateway.flush()).toThrow();
    say(create('second'));
    await settled();
    expect(heard().join('')).not.toContain('second');
  });

  test('that cannot be written makes no refusal claim an entry', async () => {
    const gateway = open('[[dlp]]\nname = "d"\ndecision = "block"\nfinds = ["keys"]\n');
    mkdirSync(journal, { recursive: true });
    await expect(ask(gateway)).rejects.toThrow();
    expect(await ask(gateway)).toContain('could not record the earlier call');
  });

  test('that cannot be written has nothing pass any more', async () => {
    const gateway = open('');
    mkdirSync(journal, { recursive: true });
    expect(await ask(gateway)).toBe('200 {}');
    expect(() => gateway.flush()).toThrow();
    expect(await ask(gateway)).toContain('could not record the earlier call');
    expect(() => gateway.flush()).toThrow();
  });
});

describe('the rules of a conversation', () => {
  const one = ruleOf({ name: 'one' });
  const other = ruleOf({ name: 'other', patterns: ['ACME-[0-9]{6}'] });
  const names = (rules: ReturnType<ReturnType<typeof cachedContentRules>>, text: string): readonly string[] =>
    rules?.scanner.find(text).map((finding) => rules.ruleFor(finding).name) ?? ['nothing is looked for'];

  test('are made once, for as long as they and the secrets are the same', () => {
    const secrets: string[] = [];
    const rulesFor = cachedContentRules(knownSecrets(() => secrets));
    const first = rulesFor([one]);
    expect([rulesFor([one]) === first, rulesFor([other]) === first, rulesFor([one]) === first]).toEqual([
      true,
      false,
      true,
    ]);
    secrets.push('correct-horse-battery');
    const second = rulesFor([one]);
    expect([
      second === first,
      names(first, 'a correct-horse-battery'),
      names(second, 'a correct-horse-battery'),
    ]).toEqual([false, [], ['built-in: secrets of the session']]);
    secrets[0] = 'incorrect-horse-batter';
    expect(names(rulesFor([one]), 'a correct-horse-battery')).toEqual([]);
  });

  test('are those that were asked for, of however many', () => {
    const rulesFor = cachedContentRules(knownSecrets(() => []));
    const rules = Array.from({ length: 40 }, (_, index) =>
      ruleOf({ name: String(index), finds: [], patterns: [`ACME-${index}-[0-9]{6}`] }),
    );
    for (let round = 0; round < 2; round += 1) {
      for (const [index, rule] of rules.entries())
        expect(names(rulesFor([rule]), `ACME-${index}-123456 ACME-${index + 1}-123456`)).toEqual([String(index)]);
    }
    expect(names(rulesFor([]), 'ACME-1-123456')).toEqual(['nothing is looked for']);
  });

  test('are 16 at most, for each has large tables', () => {
    const rulesFor = cachedContentRules(knownSecrets(() => []));
    const rules = Array.from({ length: 17 }, (_, index) =>
      ruleOf({ name: String(index), finds: [], patterns: [`ACME-${index}-[0-9]{6}`] }),
    );
    const made = rules.map((rule) => rulesFor([rule]));
    expect([rulesFor(rules.slice(16)) === made[16], rulesFor(rules.slice(0, 1)) === made[0]]).toEqual([true, false]);
  });
});
