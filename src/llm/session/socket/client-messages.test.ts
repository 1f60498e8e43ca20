import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HeldContents, mostHeld } from '../../../egress/http/held-content.ts';
import { chunksOf } from '../../../credentials/masking/testing/chunks.ts';
import { opcodes } from '../../../credentials/websocket/frame-head.ts';
import { framesOf } from '../../../credentials/websocket/testing/frames.ts';
import type { LlmSettings } from '../../../policy/llm/types.ts';
import type { KeptCall } from '../log/kept-call.ts';
import { gatewayOf, key, ruleOf, settingsOf } from '../testing/gateway.ts';
import { answering, create, eventsIn, openSocket, said, settled } from './testing/socket.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

const escaped = [...key].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const blocking = settingsOf({ dlp: [ruleOf()] });

/** Attack: hundreds of WebSockets with messages of 60 MiB that never end. */
test('a message for which there is no room is refused, and gives back its room when it ends or leaves', async () => {
  // Each takes all that it may, so the next has half of the rest: 4 KiB are left for the last.
  const others = Array.from({ length: 16 }, (_, index) => {
    const content = new HeldContents().open();
    return { take: () => content.add(mostHeld / 2 ** (index + 1)), release: () => content.release() };
  });
  const { say, client, heard, told } = await openSocket(gatewayOf());
  heard();
  told();
  for (const { take } of others) take();
  say(create('x'.repeat(4090)));
  await settled();
  expect([heard(), eventsIn(told())]).toEqual([[], [expect.objectContaining({ type: 'error', status: 429 })]]);
  for (let turn = 0; turn < 5; turn += 1) say(create('y'.repeat(2000)));
  await settled();
  expect(heard().length).toBe(5);
  const half = framesOf([{ ...said(create('z'.repeat(2500))), cuts: [2400] }], 'server');
  client.write(half.subarray(0, 2450));
  await settled();
  const later = new HeldContents().open();
  expect(() => later.add(3000)).toThrow();
  client.destroy();
  await settled();
  later.add(3000);
  for (const content of [...others, later]) content.release();
});

describe('a message of a client', () => {
  test('that holds nothing goes on byte for byte', async () => {
    const { say, heard, told } = await openSocket(gatewayOf());
    told();
    const text = ' {"type" : "response.create","input":"hello é字", "x":1e400}\n';
    say(text, text);
    heard();
    await settled();
    expect([heard(), told()]).toEqual([[text, text], []]);
  });

  test('loses its key in whatever frames and spellings, and frames of control keep their order', async () => {
    const spelt = fc.constantFrom(key, escaped, JSON.stringify(JSON.stringify({ env: key })).slice(1, -1));
    await fc.assert(
      fc.asyncProperty(
        fc.array(spelt, { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(300), { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 }),
        async (keys, cuts, lengths) => {
          const { client, heard, told } = await openSocket(gatewayOf());
          const texts = keys.map(
            (each) =>
              `{"type":"response.create","input":[{"type":"function_call_output","call_id":"a","output":"${each}"}]}`,
          );
          const frames = texts.flatMap((text, index) => [
            { ...said(text), cuts },
            { opcode: opcodes.ping, text: `${index}` },
          ]);
          heard();
          told();
          for (const chunk of chunksOf(framesOf(frames, 'server'), lengths)) client.write(chunk);
          await settled();
          expect(heard().filter((_, index) => index % 2 === 1)).toEqual(keys.map((_, index) => `9 ${index}`));
          for (const message of heard().filter((_, index) => index % 2 === 0))
            expect([JSON.parse(message), message.includes(key), /ghp_[A-Za-z0-9]{36}/u.test(message)]).toEqual([
              expect.anything(),
              false,
              true,
            ]);
          expect(heard()).toHaveLength(2 * keys.length);
          expect(told()).toEqual([]);
        },
      ),
      { numRuns: rounds(30) },
    );
  });

  test.each([
    ['is not JSON', said('{"type":"response.create"')],
    ['is empty', said('')],
    ['is not an object', said([1])],
    ['is of a type that nobody knows', said({ type: 'conversation.item.create', item: { content: 'x' } })],
    ['is of a type that objects inherit', said({ type: 'constructor' })],
    ['is in another case', said({ type: 'Response.Create', input: 'x' })],
    ['is of no type', said({ input: 'x' })],
    ['is binary', { ...said(create('x')), opcode: opcodes.binary }],
    ['is binary, in frames', { ...said(create('x')), opcode: opcodes.binary, cuts: [1, 2, 3] }],
    ['is not UTF-8', { opcode: opcodes.text, text: '{"type":"response.create","input":"\xff"}' }],
  ])('that %s is refused by an event, and the next one goes on', async (_what, message) => {
    const gateway = gatewayOf();
    const { client, heard, told } = await openSocket(gateway);
    heard();
    told();
    client.write(framesOf([message, said(create('next'))], 'server'));
    await settled();
    expect(heard()).toEqual([JSON.stringify(create('next'))]);
    expect(eventsIn(told())).toMatchObject([
      { type: 'error', status: 400, error: { message: expect.stringContaining('Holdfast: ') as string } },
    ]);
    expect(gateway.events).toMatchObject([{ type: 'model', status: 400, refusal: { code: 'unreadable' }, usd: 0 }]);
  });

  test('of over 64 MiB is refused, with anything behind it', async () => {
    const { client, heard, told } = await openSocket(gatewayOf());
    const length = 65 * 2 ** 20;
    const head = Buffer.from('01ff000000000000000000000000', 'hex');
    head.writeUInt32BE(length, 6);
    heard();
    told();
    client.write(head);
    client.write(Buffer.alloc(length, ' '));
    client.write(
      framesOf([{ opcode: opcodes.continuation, text: JSON.stringify(create('x')) }, said(create('next'))], 'server'),
    );
    await settled();
    expect(heard()).toEqual([JSON.stringify(create('next'))]);
    expect(eventsIn(told())).toMatchObject([{ type: 'error', status: 413 }]);
  });

  test('that a rule keeps is reported in its lane', async () => {
    const gateway = gatewayOf(blocking);
    const { say, heard, told } = await openSocket(gateway);
    heard();
    told();
    say(create(key, { stream_id: 'a' }), {
      type: 'response.steer',
      previous_response_id: 'r',
      input: [{ role: 'user', content: [{ type: 'input_text', text: key }] }],
    });
    await settled();
    expect(heard()).toEqual([]);
    expect(eventsIn(told())).toMatchObject([
      { type: 'error', status: 403, stream_id: 'a', message: expect.stringContaining('by the rule no-keys') as string },
      { type: 'error', status: 403 },
    ]);
    expect(gateway.events.map(({ type }) => type)).toEqual(['dlp', 'model', 'dlp', 'model']);
  });

  test('meets the policy as it is by then', async () => {
    let settings: LlmSettings | undefined = settingsOf();
    const { say, heard, told } = await openSocket(gatewayOf(() => settings));
    heard();
    told();
    say(create(key));
    settings = blocking;
    say(create(key));
    settings = undefined;
    say(create('hello'));
    settings = settingsOf({ gateway: 'off' });
    say(create('hello'));
    await settled();
    expect(heard()).toHaveLength(1);
    expect(eventsIn(told()).map(({ message }) => String(message).replace(/,.*|;.*/u, ''))).toEqual([
      expect.stringContaining('may not leave'),
      'Holdfast: the policy has changed',
      'Holdfast: the policy has changed',
    ]);
  });

  test('has a warning with it when a budget is nearly spent, and is refused when it is', async () => {
    const { say, tell, heard, told } = await openSocket(
      gatewayOf(
        settingsOf({
          budgets: [{ name: 'few', limit: { kind: 'requests', most: 5 }, over: 'session', providers: [], models: [] }],
        }),
      ),
    );
    heard();
    told();
    for (let turn = 0; turn < 6; turn += 1) {
      say(create('x'));
      await settled();
      tell({ type: 'response.completed', response: { output: [] } });
      await settled();
    }
    expect(heard().filter((text) => text.includes('80 %') || text.includes('80%'))).toHaveLength(1);
    expect(heard()).toHaveLength(5);
    expect(eventsIn(told()).at(-2)).toMatchObject({
      type: 'error',
      message: expect.stringMatching(/"few" is spent/u) as string,
    });
    say({ type: 'response.steer', previous_response_id: 'r', input: 'x' });
    await settled();
    expect(heard()).toHaveLength(5);
  });

  test('is kept with its answer where texts are, and is refused where they must be and cannot', async () => {
    const texts: string[] = [];
    const read: unknown[] = [];
    const ends: string[] = [];
    let failure: string | undefined;
    const kept: KeptCall = {
      failure: () => failure,
      request: (_request, bytes) => void texts.push(bytes?.toString() ?? ''),
      metered: (meter) => ({
        read: (event, name) => (read.push(event), meter.read(event, name)),
        outcome: (end) => meter.outcome(end),
      }),
      whole: (answer) => answer,
      end: (end) => (ends.push(end), {}),
    };
    const { say, tell, heard, told } = await openSocket(
      gatewayOf(settingsOf({ log: { ...settingsOf().log, texts: 'demanded' } }), { keep: () => kept }),
    );
    heard();
    told();
    say(create(key));
    await settled();
    tell(...answering(['one ']));
    await settled();
    failure = 'full';
    say(create('two'), { type: 'response.steer', previous_response_id: 'r', input: 'x' });
    await settled();
    expect([texts, read.length, ends]).toEqual([heard(), 4, ['complete', 'complete']]);
    expect(texts.join('')).not.toContain(key);
    expect(eventsIn(told()).filter(({ type }) => type === 'error')).toMatchObject([
      { status: 403, message: expect.stringContaining('(full)') as string },
      { status: 403, message: expect.stringContaining('try again') as string },
    ]);
  });

  test('is one of 128 that wait for an answer', async () => {
    const { say, heard, told } = await openSocket(gatewayOf());
    heard();
    told();
    say(...Array.from({ length: 130 }, () => create('x')));
    await settled();
    expect([heard().length, eventsIn(told()).map(({ status }) => status)]).toEqual([128, [429, 429]]);
  });

  test('is taken no faster than its refusals are read', async () => {
    const { client, say, told } = await openSocket(gatewayOf());
    let taken = 0;
    for (let turn = 0; turn < 200; turn += 1)
      client.write(framesOf([said('x'.repeat(100))], 'server'), () => (taken += 1));
    say('x');
    await settled();
    expect([taken < 200, client.readableLength < 200_000]).toEqual([true, true]);
    told();
    await expect.poll(() => taken).toBe(200);
    await expect.poll(() => told().length).toBe(201);
  });
});
