import { expect, test } from 'vitest';
import { type HostPattern, parseHostPattern } from '../../policy/patterns/host-pattern.ts';
import { modelGateway } from './model-gateway.ts';
import { answerOf, anthropic, gatewayOf, key, requestOf, ruleOf, said, settingsOf, textOf } from './testing/gateway.ts';

const alias = { host: 'alias.example.com', port: 443 };
const other = { host: 'api.example.com', port: 443 };

function pattern(source: string): HostPattern {
  const parsed = parseHostPattern(source);
  if (parsed.kind === 'problem') throw new Error(source);
  return parsed;
}

/** What arrives of a request whose body has a key, and its answer. */
async function carried(
  gateway: ReturnType<typeof gatewayOf>,
  parts: { readonly destination: typeof alias; readonly redirected?: typeof alias },
) {
  const sent: string[] = [];
  const send = modelGateway(gateway)(async ({ body }) => (sent.push(await textOf(body)), answerOf({})), {
    ...parts,
    scheme: 'https',
  });
  const answer = await send(requestOf({ to: parts.destination, body: said(key) }));
  if (answer.kind === 'response') await textOf(answer.body);
  return { kind: answer.kind, sent: sent.join('') };
}

// Attack: a project redirects a host that is no server of models to one.
test.each([
  [alias, anthropic],
  [anthropic, alias],
  [anthropic, undefined],
] as const)('a request to %j that is led to %j is a call', async (destination, redirected) => {
  const gateway = gatewayOf();
  const { sent } = await carried(gateway, { destination, ...(redirected === undefined ? {} : { redirected }) });
  expect([sent.includes('"messages"'), sent.includes(key)]).toEqual([true, false]);
  expect(gateway.events).toMatchObject([
    { type: 'dlp' },
    { type: 'model', provider: 'anthropic', host: (redirected ?? destination).host },
  ]);
});

test('a request redirected away from model servers does not count', async () => {
  expect((await carried(gatewayOf(), { destination: alias, redirected: other })).sent).toContain(key);
});

test.each([
  [alias, other],
  [other, alias],
] as const)('a request to %j that is led to %j is kept by a rule for either', async (destination, redirected) => {
  const gateway = gatewayOf(settingsOf({ dlp: [ruleOf({ hosts: [pattern('api.example.com')] })] }));
  expect(await carried(gateway, { destination, redirected })).toEqual({ kind: 'refused', sent: '' });
});

// Attack: a server that takes the method from a header, or the path, gets a call that no budget counts.
test.each([
  { method: 'GET', headers: { 'X-HTTP-Method-Override': 'POST' } },
  { method: 'GET', target: '/v1/messages?_method=post' },
  { target: '/v1/files', headers: { 'X-Original-URL': '/v1/messages' } },
])('a request that a server may take for a call is one: %j', async (asked) => {
  const gateway = gatewayOf();
  const sent: string[] = [];
  const send = modelGateway(gateway)(async ({ body }) => (sent.push(await textOf(body)), answerOf({})), {
    destination: anthropic,
    scheme: 'https',
  });
  const answer = await send(requestOf({ ...asked, body: said(key) }));
  if (answer.kind === 'response') await textOf(answer.body);
  expect(sent.join('')).not.toContain(key);
  expect(gateway.events).toContainEqual(expect.objectContaining({ type: 'model', operation: 'generate' }));
});
