import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createFetcher } from '../egress.ts';
import { outcomeOf, rawWeb, textOf, web, world } from './testing/web.ts';

test('fetches a page as text', async () => {
  const port = await web((_, response) => response.setHeader('content-type', 'text/html').end('<p>hello</p>'));
  expect(textOf(await createFetcher(world({ ports: [port] }).context)(`http://a.test:${port}/`))).toBe('hello');
});

test('runs four fetches at a time, and all of them in the end', async () => {
  // Nobody is answered before there are four, and a fifth has time to come.
  const waiting: ServerResponse[] = [];
  let most = 0;
  const port = await web((_, response) => {
    waiting.push(response);
    most = Math.max(most, waiting.length);
    if (waiting.length === 4) setTimeout(() => waiting.splice(0).forEach((each) => each.end('x')), 20);
  });
  const fetcher = createFetcher(world({ ports: [port] }).context);
  const results = await Promise.all(Array.from({ length: 20 }, () => fetcher(`http://a.test:${port}/`)));
  expect(results.map(outcomeOf)).toEqual(Array(20).fill('text'));
  expect(most).toBe(4);
});

test('refuses the 69th while 68 are running, and frees their places', async () => {
  const port = await rawWeb(() => undefined);
  const fetcher = createFetcher(world({ ports: [port] }).context);
  const controller = new AbortController();
  const under = Array.from({ length: 68 }, () => fetcher(`http://a.test:${port}/`, { signal: controller.signal }));
  expect(outcomeOf(await fetcher(`http://a.test:${port}/`))).toBe('overloaded');
  controller.abort();
  expect(new Set((await Promise.all(under)).map(outcomeOf))).toEqual(new Set(['unreachable']));
  expect(outcomeOf(await fetcher(`http://127.1/`))).toBe('malformed-host');
});
