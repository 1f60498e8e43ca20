import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { bodyFrom } from '../../../egress/http/interceptor.ts';
import { conversationOf, dialects, wordsOfAnswer } from '../../index.ts';
import { modelGateway } from '../model-gateway.ts';
import {
  answerOf,
  anthropic,
  exchange,
  gatewayOf,
  key,
  requestOf,
  ruleOf,
  said,
  settingsOf,
  textOf,
} from '../testing/gateway.ts';
import { newCallId, partFile, timeOfCallId } from './call-id.ts';
import { createCallLog, pruneCalls } from './call-log.ts';
import { readKeptCall } from './read-call.ts';
import { openCallFile } from './recorder.ts';

const day = 86_400_000;
const keeping = { texts: 'kept', keep: 7 * day, most: 200e6 } as const;
const now = 1_750_000_000_000;

function scratch(): string {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-log-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return join(root, 'calls');
}

function logging(parts: Parameters<typeof settingsOf>[0] = {}, directory = scratch()) {
  const settings = settingsOf({ log: keeping, ...parts });
  const log = createCallLog({
    directory,
    session: 's-1',
    workspace: '/srv/project',
    settings: () => settings.log,
    now: () => now,
  });
  return { directory, gateway: gatewayOf(settings, { keep: log.open }) };
}

/** Everything on the disk, in the clear. */
function written(directory: string): string {
  return readdirSync(directory)
    .map((name) => name + gunzipSync(readFileSync(join(directory, name))).toString())
    .join('\n');
}

function read(directory: string, id: string | undefined) {
  const kept = readKeptCall(directory, id ?? '');
  if (kept.kind !== 'kept') throw new Error(kept.kind);
  return kept.texts;
}

const ids = (gateway: ReturnType<typeof gatewayOf>): readonly (string | undefined)[] =>
  gateway.events.flatMap((event) => (event.type === 'model' ? [event.log] : []));
const sse = (texts: readonly string[]): string =>
  [
    { type: 'message_start', message: { id: 'm', model: 'claude-x', usage: { input_tokens: 3, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...texts.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: {}, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
const json = { 'content-type': 'application/json' };

describe('the kept text', () => {
  test('is missing unless the policy asks for it', async () => {
    const { gateway, directory } = logging({ log: { ...keeping, texts: 'not-kept' } });
    await exchange(gateway, { body: said('hello') });
    expect([ids(gateway), () => readdirSync(directory)]).toEqual([
      [undefined],
      expect.toSatisfy((list: () => unknown) => {
        try {
          list();
          return false;
        } catch {
          return true;
        }
      }),
    ]);
  });

  test('has the request as it left, with fakes, and the answer as it came', async () => {
    const { gateway, directory } = logging();
    const { sent, text } = await exchange(
      gateway,
      {
        headers: {
          ...json,
          authorization: 'Bearer not-kept',
          cookie: 'a=not-kept',
          'x-api-key': 'not-kept',
          'user-agent': 'claude-cli/1.0',
        },
        body: said(`deploy with ${key}`),
      },
      {
        type: 'text/event-stream',
        headers: { 'request-id': 'req_1', 'set-cookie': 'not-kept' },
        text: (body) => sse([...(/ghp_\w+/u.exec(body)?.[0] ?? '')]),
      },
    );
    expect(text).toContain(key.slice(-8));
    const kept = read(directory, ids(gateway)[0]);
    expect(kept.request).toEqual({
      request: { text: sent[0]?.body },
      fields: { ...json, 'user-agent': 'claude-cli/1.0' },
    });
    expect(kept).toMatchObject({
      head: {
        session: 's-1',
        workspace: '/srv/project',
        method: 'POST',
        path: '/v1/messages',
        host: 'api.anthropic.com',
      },
      answer: { status: 200, form: 'stream', fields: { 'request-id': 'req_1' } },
      end: { end: 'complete' },
    });
    const fake = /ghp_\w+/u.exec(sent[0]?.body ?? '')?.[0] ?? '';
    expect(kept.pieces.filter((piece) => 'data' in piece && piece.data.includes(fake))).toHaveLength(1);
    for (const secret of [key, 'not-kept']) expect(written(directory)).not.toContain(secret);
  });

  test('has no key that a rule only tells of, also where the answer says it letter by letter', async () => {
    const { gateway, directory } = logging({
      dlp: [
        ruleOf({ decision: 'audit' }),
        ruleOf({ name: 'own', decision: 'audit', finds: [], patterns: ['ACME-[0-9]{6}'] }),
      ],
    });
    const { sent } = await exchange(
      gateway,
      { headers: json, body: said(`${key} of ACME-123456`) },
      { type: 'text/event-stream', text: () => sse([...`is ${key}, ACME-654321`]) },
    );
    expect(sent[0]?.body).toContain(key);
    const kept = read(directory, ids(gateway)[0]);
    const events = kept.pieces.flatMap((piece) =>
      'data' in piece ? [{ event: piece.event ?? '', data: JSON.parse(piece.data) as unknown }] : [],
    );
    expect(wordsOfAnswer(events, { dialect: dialects['anthropic-messages'], framing: 'sse' })).toMatchObject({
      said: [{ kind: 'text', text: 'is [redacted:github-token], [redacted:own[0]]' }],
      usage: { output: 9 },
    });
    expect(
      conversationOf(dialects['anthropic-messages'], 'text' in kept.request.request ? kept.request.request.text : ''),
    ).toEqual([{ role: 'user', text: '[redacted:github-token] of [redacted:own[0]]' }]);
    expect(written(directory)).not.toMatch(/ghp_|ACME-\d/u);
  });

  test('has no keys in nested JSON, member names or other fields', async () => {
    const { gateway, directory } = logging({ dlp: [ruleOf({ decision: 'audit', finds: ['payment'] })] });
    const body = JSON.stringify({
      model: 'm',
      metadata: { [key]: key },
      messages: [{ role: 'user', content: JSON.stringify({ a: { b: `x\n${key}\n` } }) }],
    });
    await exchange(
      gateway,
      { headers: json, body },
      { status: 400, text: () => JSON.stringify({ error: { message: `what is ${key}?` } }) },
    );
    expect(read(directory, ids(gateway)[0])).toMatchObject({
      answer: { status: 400, form: 'other' },
      pieces: [{ content: { text: '{"error":{"message":"what is [redacted:github-token]?"}}' } }],
    });
    expect(written(directory)).not.toContain('ghp_');
  });

  test('has files by their size and type', async () => {
    const { gateway, directory } = logging();
    const png = `iVBORw0KGgo${'AAAAA'.repeat(1000)}`;
    await exchange(gateway, {
      headers: json,
      body: JSON.stringify({
        model: 'm',
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image', source: { data: png } },
              { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${png}` } },
              { type: 'text', text: 'a'.repeat(5000) },
            ],
          },
        ],
      }),
    });
    const text = written(directory);
    expect(text).toContain('[3758 bytes of image/png]');
    expect(text).toContain('[3758 bytes of image/jpeg]');
    expect(text).toContain('a'.repeat(5000));
  });

  test('is cut where it is long, and says so', async () => {
    const { gateway, directory } = logging();
    await exchange(
      gateway,
      { headers: json, body: said('ab cd '.repeat(1e6)) },
      { type: 'text/event-stream', text: () => sse(['x y '.repeat(2e6)]) },
    );
    const { request, end } = read(directory, ids(gateway)[0]);
    expect([request.request, end]).toEqual([
      { text: expect.toSatisfy((text: string) => text.length === 4 * 1024 * 1024), cut: true },
      { end: 'complete', cut: true },
    ]);
    expect(statSync(join(directory, readdirSync(directory)[0] ?? '')).size).toBeLessThan(1e6);
  });

  test('of unknown events is no longer than of others', async () => {
    const { gateway, directory } = logging();
    const future = `event: future\ndata: ${JSON.stringify({ type: 'future', words: 'ab cd '.repeat(2e5) })}\n\n`;
    await exchange(
      gateway,
      { headers: json, body: said('hello') },
      { type: 'text/event-stream', text: () => future.repeat(6) },
    );
    const { pieces, end } = read(directory, ids(gateway)[0]);
    expect(pieces.reduce((sum, piece) => sum + ('data' in piece ? piece.data.length : 0), 0)).toBeLessThanOrEqual(
      4 * 1024 * 1024,
    );
    expect(end).toMatchObject({ cut: true });
  });

  test('has a key neither in header fields nor as the name of an event', async () => {
    const { gateway, directory } = logging({ dlp: [ruleOf({ decision: 'audit' })] });
    const event = (name: string): string => `event: ${name}\ndata: {"type":"future"}\n\n`;
    await exchange(
      gateway,
      { headers: { ...json, 'user-agent': `agent ${key}` }, body: said('hello') },
      { type: 'text/event-stream', headers: { 'request-id': key }, text: () => event(key) + event('named') },
    );
    expect(read(directory, ids(gateway)[0])).toMatchObject({
      request: { fields: { 'user-agent': 'agent [redacted:github-token]' } },
      answer: { fields: { 'request-id': '[redacted:github-token]' } },
      pieces: [{ event: '[redacted:github-token]' }, { event: 'named' }],
    });
  });

  test.each([
    ['', { none: true }],
    ['{}', { text: '{}' }],
    [JSON.stringify('x'.repeat(300_000)), { bytes: 300_002, type: 'application/json' }],
  ])('of another server’s answer is kept if short', async (text, content) => {
    const { gateway, directory } = logging();
    await exchange(gateway, { headers: json, body: said('hello') }, { status: 400, text: () => text });
    expect(read(directory, ids(gateway)[0])).toMatchObject({ pieces: [{ content }], end: { end: 'complete' } });
  });

  test('is missing if nothing can search it', async () => {
    const { directory, gateway } = logging();
    await exchange(
      { ...gateway, rulesFor: () => undefined },
      { headers: json, body: said(key) },
      { status: 400, text: () => key },
    );
    expect(gateway.events).toMatchObject([{ type: 'model', status: 400 }]);
    expect(written(directory)).not.toContain('ghp_');
  });

  test('goes to the disk while it comes', () => {
    const directory = scratch();
    const id = newCallId(now);
    const file = openCallFile(directory, id);
    for (let line = 0; line < 100; line += 1) file.line('x'.repeat(1000));
    expect(statSync(partFile(directory, id)).size).toBeGreaterThan(0);
    file.drop();
    expect(readdirSync(directory)).toEqual([]);
  });

  test('omits requests that stay here', async () => {
    const { gateway, directory } = logging({ dlp: [ruleOf()] });
    await exchange(gateway, { headers: json, body: said(key) });
    expect([ids(gateway), readdirSync(directory)]).toEqual([[undefined], []]);
  });

  test('is for its user alone', async () => {
    const { gateway, directory } = logging();
    await exchange(gateway, { headers: json, body: said('hello') });
    expect([
      statSync(directory).mode & 0o777,
      ...readdirSync(directory).map((name) => statSync(join(directory, name)).mode & 0o777),
    ]).toEqual([0o700, 0o600]);
  });
});

test('an answer that breaks off, or whose client leaves, is kept as far as it came', async () => {
  const { gateway, directory } = logging();
  async function* broken(): AsyncGenerator<Buffer, void> {
    yield Buffer.from(sse(['so far']).split('event: content_block_stop')[0] ?? '');
    throw new Error('reset');
  }
  const asking = async (signal: AbortSignal) =>
    modelGateway(gateway)(async () => ({ ...answerOf({ type: 'text/event-stream' }), body: bodyFrom(broken()) }), {
      destination: anthropic,
      scheme: 'https',
    })(requestOf({ headers: json, body: said('hello'), signal }));
  const first = await asking(new AbortController().signal);
  await expect(textOf(first.kind === 'response' ? first.body : undefined)).rejects.toThrow('reset');
  const controller = new AbortController();
  await asking(controller.signal);
  controller.abort();
  const [one, other] = ids(gateway).map((id) => read(directory, id));
  expect(one).toMatchObject({ end: { end: 'partial' } });
  expect(JSON.stringify(one?.pieces)).toContain('so far');
  expect(other).toMatchObject({ end: { end: 'partial' }, pieces: [] });
  expect(readdirSync(directory).filter((name) => name.endsWith('.part'))).toEqual([]);
});

describe('where nothing can be written', () => {
  test('the call goes on, and the journal says why its texts are not kept', async () => {
    const directory = scratch();
    writeFileSync(directory, 'in the way');
    const { gateway } = logging({}, directory);
    const { text } = await exchange(gateway, { headers: json, body: said('hello') }, { text: () => '{"id":1}' });
    expect([text, gateway.events]).toEqual([
      '{"id":1}',
      [expect.objectContaining({ type: 'model', status: 200, logFailure: 'EEXIST' })],
    ]);
  });

  test("a call is refused where the machine's policy demands it", async () => {
    const directory = scratch();
    writeFileSync(directory, 'in the way');
    const { gateway } = logging({ log: { ...keeping, texts: 'demanded' } }, directory);
    const { sent, answer } = await exchange(gateway, { headers: json, body: said('hello') });
    expect([sent, answer.kind === 'response' ? answer.status : 0, gateway.events]).toEqual([
      [],
      403,
      [
        expect.objectContaining({
          refusal: expect.objectContaining({ code: 'log-failed' }) as unknown,
          logFailure: 'EEXIST',
        }),
      ],
    ]);
  });
});

describe('retention', () => {
  const plant = (directory: string, age: number, { size = 10, part = '.jsonl.gz' } = {}): string => {
    const name = `${newCallId(now - age)}${part}`;
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, name), 'x'.repeat(size));
    return name;
  };

  test('old and crashed files go, and foreign ones stay', async () => {
    const directory = scratch();
    plant(directory, 8 * day);
    plant(directory, 2 * day, { part: '.part' });
    writeFileSync(join(directory, 'notes'), '');
    const left = [plant(directory, 6 * day), plant(directory, day / 2, { part: '.part' }), 'notes'];
    await Promise.all([
      pruneCalls(directory, { keep: 7 * day, most: 1e6, now }),
      pruneCalls(directory, { keep: 7 * day, most: 1e6, now }),
    ]);
    expect(readdirSync(directory).toSorted()).toEqual(left.toSorted());
  });

  test('of too much, the oldest goes', async () => {
    const directory = scratch();
    const names = [5, 4, 3, 2, 1].map((age) => plant(directory, age * 1000, { size: 100 }));
    expect(await pruneCalls(directory, { keep: day, most: 350, now })).toBe(300);
    expect(readdirSync(directory).toSorted()).toEqual(names.slice(2).toSorted());
    expect(await pruneCalls(directory, { keep: day, most: 350, now })).toBe(300);
  });

  test('spares the file being written', async () => {
    const directory = scratch();
    const [old, part] = [plant(directory, 5000, { size: 100 }), plant(directory, 9000, { size: 400, part: '.part' })];
    expect(await pruneCalls(directory, { keep: day, most: 450, now })).toBe(500);
    expect(readdirSync(directory).toSorted()).toEqual([old, part].toSorted());
  });

  test('runs when any session begins, and while it keeps texts', async () => {
    const { gateway, directory } = logging({ log: { ...keeping, texts: 'not-kept' } });
    plant(directory, 8 * day);
    createCallLog({ directory, session: '', workspace: '', settings: () => keeping, now: () => now });
    await vi.waitFor(() => expect(readdirSync(directory)).toEqual([]), { timeout: 20_000 });
    const small = logging({ log: { ...keeping, most: 1200 } }, directory);
    for (let round = 0; round < 12; round += 1)
      await exchange(small.gateway, { headers: json, body: said(`hello ${round}`) });
    await vi.waitFor(
      () =>
        expect(
          readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0),
        ).toBeLessThanOrEqual(1200),
      { timeout: 20_000 },
    );
    expect(readdirSync(directory)).toContain(`${ids(small.gateway).at(-1)}.jsonl.gz`);
    expect(ids(gateway)).toEqual([]);
  });

  test('sees other sessions’ files after some writing', async () => {
    const { gateway, directory } = logging({ log: { ...keeping, most: 20_000 } });
    await exchange(gateway, { headers: json, body: said('first') });
    const others = [3, 2, 1].map((age) => plant(directory, age * 1000, { size: 10_000 }));
    for (let round = 0; round < 8; round += 1) await exchange(gateway, { headers: json, body: said(`hello ${round}`) });
    await vi.waitFor(
      () => expect(others.filter((name) => readdirSync(directory).includes(name))).toEqual(others.slice(2)),
      { timeout: 20_000 },
    );
  });
});

test('IDs sort by time, and say it', () => {
  const made = [0, 1, now, now + 1].map(newCallId);
  expect(made.toSorted()).toEqual(made);
  expect(made.map(timeOfCallId)).toEqual([0, 1, now, now + 1]);
  for (const text of ['', '..', '../../etc/passwd', 'l'.repeat(20), `${made[0]} `])
    expect([timeOfCallId(text), readKeptCall('/nowhere', text).kind]).toEqual([undefined, 'gone']);
});
