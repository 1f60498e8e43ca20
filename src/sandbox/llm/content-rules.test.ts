import { expect, test } from 'vitest';
import { exchange, gatewayOf, key, ruleOf, said, settingsOf } from './testing/gateway.ts';

const decisions = ['audit', 'redact', 'tokenize', 'block'] as const;

// Attack: a project adds a rule that is laxer than the user's for the same find, before it or behind it.
test.each(decisions.flatMap((one) => decisions.map((other) => [one, other] as const)))('of rules that %s and %s the same, the stricter decides', async (one, other) => {
  const stricter = decisions.indexOf(one) > decisions.indexOf(other) ? one : other;
  const gateway = gatewayOf(settingsOf({ dlp: [ruleOf({ name: 'one', decision: one }), ruleOf({ name: 'other', decision: other, finds: ['github-token'] })] }));
  const { sent } = await exchange(gateway, { body: said(`use ${key}`) });
  expect(gateway.events[0]).toMatchObject({ type: 'dlp', decision: stricter, found: { 'github-token': 1 } });
  const arrived = sent.map(({ body }) => (body.includes(key) ? 'key' : body.includes('[redacted:') ? 'mark' : 'fake'));
  expect(arrived).toEqual({ audit: ['key'], redact: ['mark'], tokenize: ['fake'], block: [] }[stricter]);
});
