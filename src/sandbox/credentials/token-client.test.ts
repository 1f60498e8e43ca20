import { describe, expect, test } from 'vitest';
import type { Fetcher, FetchOptions, FetchResult } from '../../egress/index.ts';
import { tokenClient } from './token-client.ts';

const request = { method: 'POST', headers: { accept: 'application/json' }, body: 'grant_type=x' } as const;
const fetched = { status: 200, finalUrl: 'https://auth.test/token', contentType: 'application/json', truncated: false, redirects: [] } as const;

function clientOf(result: FetchResult) {
  const asked: { readonly url: string; readonly options: FetchOptions | undefined }[] = [];
  const fetcher: Fetcher = async (url, options) => {
    asked.push({ url, options });
    return result;
  };
  return { asked, client: tokenClient(() => fetcher) };
}

describe('a token request', () => {
  test('goes the way of every other, follows no redirect, and keeps every byte', async () => {
    const { client, asked } = clientOf({ ...fetched, kind: 'text', text: '{"a":1}', form: 'source', findings: [] });
    expect(await client.fetch('https://auth.test/token', request)).toEqual({ kind: 'answer', status: 200, body: '{"a":1}' });
    expect(asked).toEqual([{ url: 'https://auth.test/token', options: expect.objectContaining({ ...request, maxRedirects: 0, hidden: 'keep', html: 'source' }) }]);
  });

  test.each(['http://auth.test/token', 'HTTPS://auth.test', 'file:///etc/passwd', ''])('to %j is not sent', async (url) => {
    const { client, asked } = clientOf({ ...fetched, kind: 'text', text: '', form: 'source', findings: [] });
    expect(await client.fetch(url, request)).toMatchObject({ kind: 'unavailable', message: 'its token URL is not https' });
    expect(asked).toEqual([]);
  });

  test('that is refused says why', async () => {
    const { client } = clientOf({ kind: 'refused', refusal: { code: 'policy', message: 'No rule allows it.', remedy: 'Add one.' } });
    expect(await client.fetch('https://auth.test/token', request)).toEqual({ kind: 'unavailable', message: 'its token endpoint could not be asked: No rule allows it.', remedy: 'Add one.' });
  });

  test('that is answered with no text has no token', async () => {
    const { client } = clientOf({ ...fetched, kind: 'bytes', bytes: Buffer.from([0, 1]) });
    expect(await client.fetch('https://auth.test/token', request)).toMatchObject({ kind: 'unavailable' });
  });
});
