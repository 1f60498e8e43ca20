import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { chars, withCrc32 } from '../../src/dlp/rules/testing/material.ts';
import { type BadExchange, badExchanges } from './bad-exchanges.ts';
import { type Judgement, judge, type Witnessed, witness } from './judge.ts';
import { answerIn } from './raw-exchange.ts';
import { startThrough, type Through, type ThroughOptions } from './through.ts';

const overHttp = badExchanges.filter(({ direct }) => direct !== 101);
const large = overHttp.filter(({ name }) => name.includes('100 MB'));
const small = overHttp.filter((exchange) => !large.includes(exchange));
const requests = small.filter(({ name }) => name.startsWith('Request'));
const answers = small.filter(({ name }) => name.startsWith('Answer'));

/** Requests that Holdfast cannot inspect, so it does not pass them on. The rest is the same. */
const refused: ReadonlySet<string> = new Set(
  [
    'JSON cut off',
    'JSON and more behind it',
    'JSON with a comma too many',
    'spaces alone',
    'a raw line break in a string',
    'a body that is not UTF-8',
    'UTF-8 written too long',
    'a surrogate as UTF-8',
    'UTF-16',
    '200,000 arrays deep and cut off',
    'gzip with rubbish behind it',
    'gzip cut off',
    'what says gzip and is none',
    'gzip that says nothing',
    'a coding that nobody knows',
  ].map((name) => `Request: ${name}`),
);
/** Holdfast passes on the inspected text, without its codings, which some servers decode differently. */
const decoded: ReadonlyMap<string, (body: Buffer) => Buffer> = new Map<string, (body: Buffer) => Buffer>(
  [
    ['gzip', gunzipSync],
    ['gzip of two members', gunzipSync],
    ['gzip twice', (body: Buffer) => gunzipSync(gunzipSync(body))],
    ['br', brotliDecompressSync],
    ['zstd', zstdDecompressSync],
  ].map(([name, undo]) => [`Request: ${name as string}`, undo as (body: Buffer) => Buffer]),
);
/** Answers that no client can read either: they break off, or come as a refusal. */
const unreadable: ReadonlySet<string> = new Set(
  ['an answer that says gzip and is none', 'gzip cut off', 'an answer in a coding that nobody knows'].map(
    (name) => `Answer: ${name}`,
  ),
);
/** Words that end without a space wait for the following text. So the filter of answers cuts their events again. */
const cutAnew: ReadonlySet<string> = new Set(
  [
    'SSE with a character cut in two',
    'SSE with a line of 10 MB',
    'SSE with data over several lines',
    'lines of JSON with an empty and a broken one',
    ...['a wrong checksum', 'a damaged payload', 'a damaged prelude', 'headers longer than itself'].map(
      (what) => `an event stream with ${what}`,
    ),
    'an event stream that is longer than it can be',
    'an event stream of no length',
    'an event stream cut off',
  ].map((name) => `Answer: ${name}`),
);

interface Passed {
  readonly witnessed: Witnessed;
  readonly calls: ReturnType<Through['calls']>;
}

async function passed(exchange: BadExchange, more: Partial<ThroughOptions> = {}): Promise<Passed> {
  let gateway: Through | undefined;
  const witnessed = await witness(
    exchange,
    async (port) => (gateway = await startThrough(port, { dialect: exchange.dialect, ...more })).port,
  );
  const calls = gateway?.calls() ?? [];
  await gateway?.[Symbol.asyncDispose]();
  return { witnessed, calls };
}

/** A few at a time, because each runs in this process. */
async function forAll<Result>(
  exchanges: readonly BadExchange[],
  what: (exchange: BadExchange) => Promise<Result>,
): Promise<ReadonlyMap<string, Result>> {
  const results = new Map<string, Result>();
  for (let at = 0; at < exchanges.length; at += 8)
    await Promise.all(
      exchanges.slice(at, at + 8).map(async (exchange) => void results.set(exchange.name, await what(exchange))),
    );
  return results;
}

const direct = new Map<string, Witnessed>();
const judged = (through: ReadonlyMap<string, Passed>): Readonly<Record<string, Judgement>> => {
  const ran = small.filter(({ name }) => through.has(name));
  return Object.fromEntries(
    ran.map((exchange) => [
      exchange.name,
      judge(exchange, direct.get(exchange.name) ?? nothing, through.get(exchange.name)?.witnessed ?? nothing),
    ]),
  );
};
const nothing: Witnessed = { exchange: { bytes: Buffer.alloc(0), end: 'open' }, requests: [] };

const notOnce = (through: ReadonlyMap<string, Passed>): readonly string[] =>
  [...through].filter(([, { calls }]) => calls.length !== 1).map(([name]) => name);

/**
 * The complete text of the model in a body, from any events. The filter puts blank lines into words that are longer
 * than its limit.
 */
function wordsIn({ exchange: { bytes } }: Witnessed): string {
  return [...(answerIn(bytes)?.body.toString() ?? '').matchAll(/"(?:text|content)":"([^"\\]*(?:\\.[^"\\]*)*)"/gu)]
    .map(([, words]) => words)
    .join('')
    .replaceAll('\\n', '');
}

describe('bad exchanges through the gateway', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    for (const [name, witnessed] of await forAll(small, (exchange) => witness(exchange, (port) => port)))
      direct.set(name, witnessed);
  });

  test('go to the server unchanged, or are refused in the provider’s form', async () => {
    const through = await forAll(requests, (exchange) => passed(exchange));
    expect(judged(through)).toEqual(
      Object.fromEntries(
        requests.map(({ name }) => [
          name,
          refused.has(name) ? 'refused' : decoded.has(name) ? 'altered request' : 'same',
        ]),
      ),
    );
    for (const [name, undo] of decoded) {
      const [sent, arrived] = [direct.get(name)?.requests[0], through.get(name)?.witnessed.requests[0]];
      expect([
        name,
        arrived?.body.toString(),
        arrived?.headers['content-encoding'],
        sent?.headers['content-encoding'] === undefined,
      ]).toEqual([name, undo(sent?.body ?? Buffer.alloc(0)).toString(), undefined, false]);
    }
    // One line in the journal for each, except for the request that never ends.
    expect(notOnce(through)).toEqual(['Request: a body shorter than it says']);
    expect(
      [...through]
        .filter(([, { calls }]) => calls[0]?.refusal !== undefined)
        .map(([name]) => name)
        .toSorted(),
    ).toEqual([...refused].toSorted());
  });

  test('come back as the same bytes if answers are not filtered', async () => {
    const through = await forAll(answers, (exchange) => passed(exchange, { output: 'as-is' }));
    expect(judged(through)).toEqual(
      Object.fromEntries(answers.map(({ name }) => [name, unreadable.has(name) ? 'altered answer' : 'same'])),
    );
    for (const name of unreadable) {
      const answer = answerIn(through.get(name)?.witnessed.exchange.bytes ?? Buffer.alloc(0));
      expect([name, answer?.isWhole === false || (answer?.status ?? 0) >= 400]).toEqual([name, true]);
    }
    // The call, and the refusal of its answer.
    expect(notOnce(through)).toEqual(['Answer: an answer in a coding that nobody knows']);
  });

  test('keep their text if answers are filtered', async () => {
    const through = await forAll(answers, (exchange) => passed(exchange));
    const altered = Object.entries(judged(through)).filter(
      ([name, judgement]) => judgement !== 'same' && !unreadable.has(name),
    );
    expect(altered.map(([name]) => name).toSorted()).toEqual([...cutAnew].toSorted());
    for (const name of cutAnew)
      expect([name, wordsIn(through.get(name)?.witnessed ?? nothing)]).toEqual([
        name,
        wordsIn(direct.get(name) ?? nothing),
      ]);
    // The call, and the refusal of its answer.
    expect(notOnce(through)).toEqual(['Answer: an answer in a coding that nobody knows']);
  });

  test.each(large)('$name is refused, and no part of it arrives', async (exchange) => {
    const { witnessed, calls } = await passed(exchange);
    expect([
      judge(exchange, nothing, witnessed),
      answerIn(witnessed.exchange.bytes)?.status,
      calls[0]?.refusal?.code,
    ]).toEqual(['refused', 413, 'unreadable']);
  });

  test('have a key in them replaced, and every other byte stays the same', async () => {
    const told = requests.filter(
      ({ direct: status, request }) =>
        status === 200 &&
        /^(?![^]*content-encoding)[^]*\r\n\r\n[^]*"messages"/u.test(request()[0]?.toString('latin1') ?? ''),
    );
    const arrived = await forAll(told.map(withKey), async (exchange) =>
      (await passed(exchange)).witnessed.requests.map(({ body }) => body.toString('latin1')),
    );
    expect(arrived.size).toBeGreaterThan(10);
    for (const exchange of told) {
      const [body = ''] = arrived.get(exchange.name) ?? [];
      const fake = /"system":"deploy with (ghp_\w{36})"/u.exec(body)?.[1] ?? '';
      expect([exchange.name, fake === key, body.replace(fake, key) === bodyOf(withKey(exchange).request())]).toEqual([
        exchange.name,
        false,
        true,
      ]);
    }
  });
});

/** In GitHub's form, with a right checksum: it is nobody's. */
const key = `ghp_${withCrc32(chars('base62', 30, 'bad-through'))}`;

function bodyOf([request = Buffer.alloc(0)]: readonly Buffer[]): string {
  const text = request.toString('latin1');
  return text.slice(text.indexOf('\r\n\r\n') + 4);
}

/** A key beside invalid content. */
function withKey(exchange: BadExchange): BadExchange {
  const added = `"system":"deploy with ${key}",`;
  const text = exchange.request()[0]?.toString('latin1') ?? '';
  const longer = text
    .replace('"messages"', `${added}"messages"`)
    .replace(/content-length: (\d+)/iu, (_, length: string) => `content-length: ${Number(length) + added.length}`);
  return { ...exchange, request: () => [Buffer.from(longer, 'latin1')] };
}
