import { describe, test } from 'vitest';
import { createAnswerEditor, dialects, type CallMeter, recogniseCall } from '../../src/llm/index.ts';
import { defaultUsage, type RawAnswer, startModelServer } from '../lib/model-server/index.ts';
import { everything } from './answers.ts';
import { askAt } from './ask.ts';
import { compareExchange, ofOneHop } from './faithful.ts';
import { leaveAfter, type StreamTrial, streamTrials } from './stream-trials.ts';
import { startThrough } from './through.ts';

const url = (port: number): string => `http://127.0.0.1:${port}`;

/** An answer as the server sends it, with its type. */
async function answerOf({
  dialect,
  request,
}: StreamTrial): Promise<{ readonly bytes: Buffer; readonly headers: Readonly<Record<string, string>> }> {
  await using server = await startModelServer({ dialect, script: [everything] });
  const { body, rawHeaders } = await askAt(url(server.port))(request);
  const type = rawHeaders[rawHeaders.findIndex((name) => name.toLowerCase() === 'content-type') + 1] ?? '';
  return { bytes: body, headers: { 'content-type': type } };
}

/** A meter's count for this part of an answer. */
function metered(
  { dialect, request, name }: StreamTrial,
  type: string,
  bytes: Buffer,
): ReturnType<CallMeter['outcome']> {
  const style = dialect === 'azure' ? 'openai' : dialect;
  const call = recogniseCall({ host: 'own', port: 1, method: 'POST', path: request.path }, [
    { hosts: ['own'], provider: 'own', style },
  ]);
  if (call === undefined) throw new Error(`${name} is no call`);
  const meter = dialects[call.dialect].openMeter();
  const framing = type.startsWith('text/event-stream')
    ? 'sse'
    : type.includes('eventstream')
      ? 'event-stream'
      : type.includes('ndjson')
        ? 'json-lines'
        : 'json';
  createAnswerEditor({
    dialect: dialects[call.dialect],
    framing,
    meter,
    open: () => undefined,
    usageOnly: 'keep',
  }).push(bytes);
  return meter.outcome('cut');
}

// Side by side, because they wait more for each other's ends than they compute.
describe.each(streamTrials)('$name', { concurrent: true, timeout: 60_000 }, (trial) => {
  const { dialect, request, ends } = trial;

  test('is the same in single bytes', async ({ expect }) => {
    await using server = await startModelServer({
      dialect,
      script: [everything, { ...everything, chunking: 'byte' }, { ...everything, chunking: 'whole' }],
    });
    await using gateway = await startThrough(server.port, { dialect });
    const ask = askAt(url(gateway.port));
    const [events, bytes, whole] = [await ask(request), await ask(request), await ask(request)];
    expect([bytes.body.equals(events.body), whole.body.equals(events.body), bytes.end]).toEqual([true, true, 'whole']);
    expect(gateway.calls().map(({ completeness, tokens }) => [completeness, tokens?.output])).toEqual(
      Array.from({ length: 3 }, () => ['complete', defaultUsage.output]),
    );
  });

  test('arrives event by event while the server holds the next one, and is counted up to the point where its client leaves', async ({
    expect,
  }) => {
    const { bytes, headers } = await answerOf(trial);
    const places = placesIn(bytes, ends(bytes));
    const never = new Promise<void>(() => undefined);
    const script = places.map(
      (at): RawAnswer => ({
        kind: 'raw',
        status: 200,
        headers,
        events: [bytes.subarray(0, at), bytes.subarray(at)],
        hold: { before: 1, until: never },
      }),
    );
    await using server = await startModelServer({ dialect, script });
    await using gateway = await startThrough(server.port, { dialect, output: 'as-is' });
    for (const [index, at] of places.entries()) {
      const whole = ends(bytes).findLast((end) => end <= at) ?? 0;
      const came = await leaveAfter(gateway.port, request, whole);
      await expect
        .poll(() => [gateway.calls().length, gateway.upstreams()], { timeout: 20_000, interval: 5 })
        .toEqual([index + 1, 0]);
      const { completeness, usage } = metered(trial, headers['content-type'] ?? '', bytes.subarray(0, at));
      const call = gateway.calls().at(-1);
      // A broken answer counts the model's text so far, if that exceeds the reported usage.
      const output = completeness === 'partial' ? (call?.tokens?.output ?? 0) : (usage?.output ?? 0);
      expect([at, came.equals(bytes.subarray(0, came.length)), call?.completeness, call?.tokens, call?.status]).toEqual(
        [at, true, completeness, usage === undefined ? undefined : { ...usage, output }, 200],
      );
      if (usage !== undefined) expect(output >= usage.output && output <= Math.max(usage.output, at / 4)).toBe(true);
      expect(usage === undefined || usage.output + usage.uncachedInput > 0).toBe(true);
    }
  });

  // Holdfast cannot inspect half a document, so it passes none of it on.
  test.runIf(trial.name !== 'a document').for(['reset', 'end'] as const)(
    'ends like the server after every event: %s',
    async (abortHow, { expect }) => {
      const places = [0, ...ends((await answerOf(trial)).bytes).keys()];
      const script = places.flatMap((abortAfter) => [
        { ...everything, abortAfter, abortHow },
        { ...everything, abortAfter, abortHow },
      ]);
      await using server = await startModelServer({ dialect, script });
      await using gateway = await startThrough(server.port, { dialect, output: 'as-is' });
      const ways = { direct: askAt(url(server.port)), through: askAt(url(gateway.port)) };
      for (const events of places)
        expect([events, await compareExchange(ways, request, [...ofOneHop, 'content-length'])]).toEqual([events, []]);
      await expect.poll(() => gateway.calls().length, { timeout: 20_000, interval: 5 }).toBe(places.length);
    },
  );
});

/** At every end of an event except the last, and at 20 places within events. */
function placesIn(bytes: Buffer, ends: readonly number[]): readonly number[] {
  const within = Array.from({ length: 20 }, (_, index) => Math.floor(((index + 0.5) * bytes.length) / 20)).filter(
    (at) => at > 0 && !ends.includes(at),
  );
  return [...ends.slice(0, -1), ...within];
}
