import { expect, test } from 'vitest';
import { exchange, gatewayOf, key, ruleOf, said, settingsOf } from './testing/gateway.ts';

const decisions = ['audit', 'redact', 'tokenize', 'block'] as const;

// Attack: a project adds a rule that is laxer than the user's for the same find, before it or behind it.
test.each(decisions.flatMap((one) => decisions.map((other) => [one, other] as const)))(
  'of rules that %s and %s the same, the stricter decides',
  async (one, other) => {
    const stricter = decisions.indexOf(one) > decisions.indexOf(other) ? one : other;
    const gateway = gatewayOf(
      settingsOf({
        dlp: [
          ruleOf({ name: 'one', decision: one }),
          ruleOf({ name: 'other', decision: other, finds: ['github-token'] }),
        ],
      }),
    );
    const { sent } = await exchange(gateway, { body: said(`use ${key}`) });
    expect(gateway.events[0]).toMatchObject({ type: 'dlp', decision: stricter, found: { 'github-token': 1 } });
    const arrived = sent.map(({ body }) =>
      body.includes(key) ? 'key' : body.includes('[redacted:') ? 'mark' : 'fake',
    );
    expect(arrived).toEqual({ audit: ['key'], redact: ['mark'], tokenize: ['fake'], block: [] }[stricter]);
  },
);

// Attack: a project adds a pattern that finds the key and what stands before it, behind it, or half of it, and lets all
// of that go on.
test.each([
  'TOKEN=ghp_[A-Za-z0-9]{36}',
  'TOKEN=ghp_[A-Za-z0-9]{9}',
  'ghp_[A-Za-z0-9]{36} now',
  'TOKEN=ghp_[A-Za-z0-9]{36} now',
])('a milder find of %s hides no key', async (pattern) => {
  const audit = ruleOf({ name: 'project', decision: 'audit', finds: [], patterns: [pattern] });
  for (const decision of ['redact', 'tokenize', 'block'] as const) {
    for (const dlp of [
      [audit, ruleOf({ decision })],
      [ruleOf({ decision }), audit],
    ]) {
      const gateway = gatewayOf(settingsOf({ dlp }));
      const { sent } = await exchange(gateway, { body: said(`use TOKEN=${key} now`) });
      expect(sent.map(({ body }) => body.includes(key))).toEqual(decision === 'block' ? [] : [false]);
      expect(gateway.events).toContainEqual(
        expect.objectContaining({ type: 'dlp', decision, found: { 'github-token': 1 } }),
      );
    }
  }
});

test('milder rules still apply beside stricter ones', async () => {
  const dlp = [
    ruleOf({ decision: 'tokenize' }),
    ruleOf({ name: 'all', decision: 'redact', finds: [], patterns: ['TOKEN=ghp_[A-Za-z0-9]{36}'] }),
  ];
  const { sent } = await exchange(gatewayOf(settingsOf({ dlp })), { body: said(`use TOKEN=${key} now`) });
  expect(sent[0]?.body).toMatch(/use \[redacted:all\[0\]\]ghp_\w{36} now/u);
  expect(sent[0]?.body).not.toContain(key);
});

// Attack: a rule of another layer has the name of one, and a pattern that finds nothing.
test.each([
  ['first', 0],
  ['second', 1],
] as const)('of rules with one name the %s looks as well', async (_which, place) => {
  const other = ruleOf({ name: 'tickets', decision: 'block', finds: [], patterns: ['NOTHING-[0-9]{6}'] });
  const own = ruleOf({ name: 'tickets', decision: 'block', finds: [], patterns: ['ACME-[0-9]{6}'] });
  const gateway = gatewayOf(settingsOf({ dlp: place === 0 ? [own, other] : [other, own] }));
  expect((await exchange(gateway, { body: said('about ACME-123456') })).sent).toEqual([]);
});
