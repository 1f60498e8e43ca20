import { expect, test } from 'vitest';
import { gatewayOf, settingsOf, type TestGateway } from '../testing/gateway.ts';
import { answering, create, eventsIn, type OpenSocket, openSocket, settled } from './testing/socket.ts';

interface Asked extends OpenSocket {
  readonly gateway: TestGateway;
}

/** A WebSocket over which a client has asked. */
async function asked(...messages: readonly object[]): Promise<Asked> {
  const gateway = gatewayOf();
  const socket = await openSocket(gateway);
  socket.heard();
  socket.told();
  socket.say(...messages);
  await settled();
  return { ...socket, gateway };
}

const refused = { type: 'error', error: { message: 'no' } };

test('a server that knows no lanes answers in one, and it is the call that waits', async () => {
  const { gateway, client, tell } = await asked(create('x', { stream_id: 'a' }));
  tell(...answering(['one ', 'two']));
  await settled();
  client.destroy();
  await settled();
  expect(gateway.events).toMatchObject([{ status: 200, completeness: 'complete', tokens: { output: 7 } }]);
});

test('an error that names a lane is about the call in it', async () => {
  const { gateway, tell } = await asked(
    create('x', { stream_id: 'a', model: 'one' }),
    create('y', { stream_id: 'b', model: 'two' }),
  );
  tell({ ...refused, status: 400, stream_id: 'b' });
  await settled();
  expect(gateway.events).toMatchObject([{ model: 'two', status: 400 }]);
});

test.each([99, 200, 600, 429.5, '400'])(
  'an error with the status %s has none, and ends the current ones',
  async (status) => {
    const { gateway, tell } = await asked(create('x', { model: 'one' }), create('y', { model: 'two' }));
    const [begun = {}] = answering([]);
    tell(begun, { ...refused, status });
    await settled();
    expect(gateway.events).toMatchObject([{ status: 200, completeness: 'partial' }]);
  },
);

test('an event that belongs to no answer begins none', async () => {
  const { gateway, client, tell, told } = await asked(create('x'));
  tell({ type: 'rate_limits.updated', rate_limits: [] });
  await settled();
  client.destroy();
  await settled();
  expect(told()).toEqual(['{"type":"rate_limits.updated","rate_limits":[]}']);
  expect(gateway.events).toMatchObject([{ status: 0, completeness: 'partial' }]);
});

test('at most 128 unrequested answers are held, with any lanes of a server', async () => {
  const { gateway, client, tell } = await asked();
  tell(...Array.from({ length: 200 }, (_, lane) => ({ ...answering([])[0], stream_id: `${lane}` })));
  await settled();
  client.destroy();
  await settled();
  expect(gateway.events).toHaveLength(128);
});

test.each([503, undefined])(
  'an answer that runs has cost something when it fails, with the status %s or none',
  async (status) => {
    const { gateway, tell } = await asked(create('x'));
    tell(...answering(['one']).slice(0, 2), { ...refused, ...(status === undefined ? {} : { status }) });
    await settled();
    expect(gateway.events).toMatchObject([{ status: 200, completeness: 'partial', usd: null }]);
  },
);

test('its first byte is the first, however many come', async () => {
  const times = [1, 100].map(async (count) => {
    const { gateway, tell } = await asked(create('x'));
    tell(...answering(Array.from({ length: count }, () => 'x ')));
    await settled();
    return gateway.events.map((event) => (event.type === 'model' ? event.firstByte : undefined));
  });
  const [few, many] = await Promise.all(times);
  expect([few, few?.[0]]).toEqual([many, expect.any(Number)]);
});

test('held-back text without an answer comes when the server leaves', async () => {
  const { server, tell, told } = await asked();
  tell({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'it is ghp_' });
  await settled();
  server.end();
  await settled();
  expect(
    eventsIn(told().filter((text) => text.startsWith('{')))
      .map(({ delta }) => delta)
      .join(''),
  ).toBe('it is ghp_');
});

test('held-back text of an ended text is a message of its own', async () => {
  const { tell, told } = await asked(create('x'));
  tell(...answering(['it is ghp_']));
  await settled();
  expect(
    eventsIn(told())
      .filter(({ type }) => type === 'response.output_text.delta')
      .map(({ delta }) => delta)
      .join(''),
  ).toBe('it is ghp_');
  expect(told()).toHaveLength(5);
});

test('added text is not held back, and a refusal without a lane names none', async () => {
  const settings = settingsOf({
    budgets: [{ name: 'some', limit: { kind: 'tokens', most: 1000 }, over: 'session', providers: [], models: [] }],
  });
  const socket = await openSocket(gatewayOf(settings));
  socket.heard();
  socket.told();
  const [some, more] = ['x'.repeat(6000), 'x'.repeat(20_000)];
  socket.say({ type: 'response.steer', previous_response_id: 'r', input: some }, create(some), create(more));
  await settled();
  expect(socket.heard()).toHaveLength(2);
  expect(eventsIn(socket.told()).map((event) => [event['status'], 'stream_id' in event])).toEqual([[403, false]]);
});
