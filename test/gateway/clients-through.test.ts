import { describe, test } from 'vitest';
import { type ModelServer, type ReceivedRequest, startModelServer } from '../lib/model-server/index.ts';
import { everything } from './answers.ts';
import { compareClients, compareRequests } from './faithful.ts';
import { clientPrograms, otherProviders } from './run-client.ts';
import { startThrough } from './through.ts';

/** The gateway reads answers, so it does not accept codings that it cannot undo. */
const mayChange = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'via',
  'te',
  'trailer',
  'proxy-connection',
  'accept-encoding',
];
const asked = '"stream_options":{"include_usage":true}';

/** Without the usage option that Holdfast adds for other clients, and the length that it causes. */
function withoutQuestion({ requests }: ModelServer, plain: ModelServer['requests']): readonly ReceivedRequest[] {
  return requests.map((request, index) => {
    const body = request.body.toString().replace(`,${asked}`, '');
    const isLonger = body.length < request.body.length && plain[index]?.body.includes(asked) === false;
    return isLonger
      ? {
          ...request,
          body: Buffer.from(body),
          rawHeaders: request.rawHeaders.map((word, at, all) =>
            /^content-length$/iu.test(all[at - 1] ?? '') ? String(body.length) : word,
          ),
        }
      : request;
  });
}

describe('an SDK’s exchange through the gateway', { concurrent: true, timeout: 60_000 }, () => {
  const programs = [
    ...clientPrograms.map((client) => ({ ...client, style: client.dialect as string })),
    ...otherProviders,
  ];

  test.for(programs)('equals its exchange without it: $name', async (client, { expect }) => {
    const modes = [
      ...client.whole,
      ...client.stream,
      ...(client.program === 'openai-chat' ? ['stream-without-usage'] : []),
    ].filter((mode) => mode !== 'socket');
    const script = modes.map(() => everything);
    await using one = await startModelServer({ dialect: client.dialect, script });
    await using other = await startModelServer({ dialect: client.dialect, script });
    await using gateway = await startThrough(other.port, { dialect: client.dialect, style: client.style });
    expect(
      await compareClients(
        client,
        { url: `http://127.0.0.1:${one.port}`, modes },
        { url: `http://127.0.0.1:${gateway.port}` },
      ),
    ).toEqual([]);
    expect(compareRequests(one.requests, withoutQuestion(other, one.requests), mayChange)).toEqual([]);
    expect(
      other.requests.filter(({ body }, index) => !body.equals(one.requests[index]?.body ?? Buffer.alloc(0))).length,
    ).toBe(modes.includes('stream-without-usage') ? 1 : 0);
    expect(gateway.calls().map(({ completeness }) => completeness)).toEqual(modes.map(() => 'complete'));
  });
});
