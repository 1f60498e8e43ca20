import { describe, expect, test } from 'vitest';
import type { Destination } from '../types.ts';
import { fetchUrl } from './fetch-url.ts';
import { outcomeOf, textOf, web, world } from './testing/web.ts';

/** Two servers of one machine: the first redirects to the second. */
async function redirecting() {
  const arrived: string[] = [];
  const second = await web((request, response) => (arrived.push(request.url ?? ''), response.end('arrived')));
  const first = await web((_, response) => response.writeHead(302, { location: `http://b.test:${second}/x` }).end());
  return { first, second, arrived };
}

describe('the caller’s list of hosts', () => {
  test('is asked for every hop', async () => {
    const { first, second, arrived } = await redirecting();
    const asked: Destination[] = [];
    const { context } = world({ ports: [first, second] });
    expect(
      textOf(
        await fetchUrl(`http://a.test:${first}/`, context, {
          admits: (destination) => (asked.push(destination), true),
        }),
      ),
    ).toBe('arrived');
    expect(asked).toEqual([
      { host: 'a.test', port: first },
      { host: 'b.test', port: second },
    ]);
    expect(arrived).toEqual(['/x']);
  });

  test('applies to redirects: a refused one is reported, neither looked up nor reached', async () => {
    const { first, second, arrived } = await redirecting();
    const { context, lookups, refusals, requests } = world({ ports: [first, second] });
    const result = await fetchUrl(`http://a.test:${first}/`, context, { admits: ({ host }) => host === 'a.test' });
    expect(outcomeOf(result)).toBe('policy');
    expect({ lookups, arrived }).toEqual({ lookups: ['a.test'], arrived: [] });
    expect(refusals).toMatchObject([{ code: 'policy' }]);
    expect(requests).toMatchObject([{ status: 302 }, { status: 0, refusal: { code: 'policy' } }]);
  });

  test('does not replace the policy', async () => {
    expect(outcomeOf(await fetchUrl('http://refused.test/', world().context, { admits: () => true }))).toBe('policy');
  });
});
