import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Alpn } from './message.ts';
import { openUpstream } from './tunnel.ts';
import type { InterceptContext } from './decide-request.ts';

const contextWith = (open: InterceptContext['openUpstream'], scheme: 'http' | 'https' = 'https'): InterceptContext =>
  ({ scheme, openUpstream: open }) as InterceptContext;
const speaking = (alpn: Alpn) => Object.assign(new PassThrough(), { alpn });

test('a connection with the needed protocol is opened', async () => {
  const stream = speaking('h2');
  const seen: unknown[] = [];
  const open: InterceptContext['openUpstream'] = async (options) => {
    seen.push(options);
    return stream;
  };
  expect(await openUpstream(contextWith(open), 'h2')).toEqual({ kind: 'opened', stream });
  expect(seen).toEqual([{ alpn: 'h2' }]);
  stream.destroy(new Error('a late error is nobody else’s'));
});

test('a connection with the other protocol is closed and refused', async () => {
  const stream = speaking('http/1.1');
  expect(
    await openUpstream(
      contextWith(async () => stream),
      'h2',
    ),
  ).toMatchObject({
    kind: 'refused',
    refusal: { code: 'upstream-protocol', message: expect.stringContaining('HTTP/2') },
  });
  expect(stream.destroyed).toBe(true);
});

test('in the clear nothing is negotiated', async () => {
  expect(
    (
      await openUpstream(
        contextWith(async () => speaking('http/1.1'), 'http'),
        'h2',
      )
    ).kind,
  ).toBe('opened');
});

test('refusals pass through, and failures become a refusal', async () => {
  const refusal = { code: 'upstream-certificate', message: 'Expired.', remedy: 'Renew it.' } as const;
  expect(
    await openUpstream(
      contextWith(async () => ({ kind: 'refused', refusal })),
      'h2',
    ),
  ).toEqual({ kind: 'refused', refusal });
  expect(
    await openUpstream(
      contextWith(() => Promise.reject(new Error('secret'))),
      'h2',
    ),
  ).toMatchObject({
    kind: 'refused',
    refusal: { code: 'unreachable', message: expect.not.stringContaining('secret') },
  });
});
