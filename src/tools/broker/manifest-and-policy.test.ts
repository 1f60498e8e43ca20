import { resolve } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesHostPattern } from '../../policy/patterns/host-index.ts';
import { parseManifest } from '../manifest/load-tool.ts';
import { largestToolPayload } from '../protocol/frames.ts';
import type { HostCall } from '../protocol/messages.ts';
import type { DoorFiles, ToolDoors } from './doors.ts';
import { answerCall, openListedFiles } from './listed-paths.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const root = '/ws';
const names = ['a', 'b', 'a/b', 'ab', 'a/b/a', '.'];
const someNames = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 });
const asked = fc.oneof(
  fc.constantFrom(...names, '..', '../x', 'a/../b', '/etc/passwd', 'a/l', 'b/l', './a//b', ''),
  fc.string({ maxLength: 6 }),
);

const fileCase = fc.record({
  read: someNames,
  write: someNames,
  allowed: someNames,
  linked: fc.dictionary(
    fc.constantFrom('/ws/a/l', '/ws/b/l'),
    fc.constantFrom('/ws/a/b', '/ws/b', '/etc/passwd', '/ws/ab'),
  ),
  what: fc.constantFrom('readFile' as const, 'writeFile' as const),
  path: asked,
});

const hostCase = fc.record({
  listed: fc.uniqueArray(fc.constantFrom('a.test', 'a.test:80', '*.b.test', '10.0.0.1', 'b.test:443'), {
    maxLength: 3,
  }),
  host: fc.constantFrom('a.test', 'x.b.test', 'b.test', '10.0.0.1', 'c.test', 'evil.test'),
  port: fc.constantFrom(80, 443),
  policy: fc.boolean(),
});

/** Where `l` leads in each directory. */
type Links = ReadonlyMap<string, string>;

/** Files under a policy: what it does not allow is refused, as by the kernel; what was reached is kept. */
function filesOf(allowed: readonly string[], links: Links, reached: string[]): DoorFiles {
  const judge = (path: string): string => {
    if (!allowed.some((each) => path === each || path.startsWith(`${each === '/' ? '' : each}/`)))
      throw new Error('the policy refuses it');
    return path;
  };
  return {
    realpath: async (path) => links.get(path) ?? path,
    isThere: async () => true,
    read: async (path) => (reached.push(judge(path)), Buffer.from('x')),
    write: async (path) => void reached.push(judge(path)),
    close: async () => undefined,
  };
}

const isIn = (path: string, lists: readonly string[]): boolean =>
  lists.some((list) => path === resolve(root, list) || path.startsWith(`${resolve(root, list)}/`));

test('a path is used only where manifest and policy both allow it', async () => {
  await fc.assert(
    fc.asyncProperty(fileCase, async ({ read, write, allowed, linked, what, path }) => {
      const links: Links = new Map(Object.entries(linked));
      const reached: string[] = [];
      const policy = allowed.map((name) => resolve(root, name));
      const doors = { root, files: async () => filesOf(policy, links, reached) } as unknown as ToolDoors;
      const files = await openListedFiles({ paths: { read, write } }, doors);
      const call: HostCall =
        what === 'readFile' ? { kind: 'call', what, path } : { kind: 'call', what, path, data: '' };
      const answer = await answerCall(call, {
        manifest: { hosts: [] },
        doors,
        files,
        signal: new AbortController().signal,
      });
      const written = resolve(root, path);
      const real = links.get(written) ?? written;
      const listed = what === 'readFile' ? [...read, ...write] : write;
      const allows = isIn(written, listed) && isIn(real, listed) && isIn(real, allowed);
      expect(answer.kind).toBe(allows ? 'answer' : 'refused');
      expect(reached).toEqual(allows ? [real] : []);
    }),
    { numRuns: rounds(1000) },
  );
});

test('a host is requested only if the manifest lists it, with the whole list for every hop', async () => {
  await fc.assert(
    fc.asyncProperty(hostCase, async ({ listed, host, port, policy }) => {
      const manifest = parseManifest(
        `name = "t"\nmodule = "t"\nkind = "wasm"\nhosts = ${JSON.stringify(listed)}`,
        'tool.toml',
      );
      const wanted = { host, port };
      let dialled = false;
      const doors: Pick<ToolDoors, 'http'> = {
        http: async (request) => {
          if (!policy || !matchesHostPattern(request.hosts, wanted)) throw new Error('refused');
          dialled = true;
          return { bytes: Buffer.alloc(0), status: 200, contentType: '', finalUrl: '' };
        },
      };
      const answer = await answerCall(
        { kind: 'call', what: 'http', url: `http://${host}:${port}/`, method: 'GET', headers: [] },
        { manifest, doors, files: undefined, signal: new AbortController().signal },
      );
      const lists = listed.some(
        (each) => each === host || each === `${host}:${port}` || (each === '*.b.test' && host === 'x.b.test'),
      );
      expect([answer.kind, dialled]).toEqual(lists && policy ? ['answer', true] : ['refused', false]);
    }),
    { numRuns: rounds(300) },
  );
});

test('a body is limited to the size that is accepted, and no part of a larger one arrives', async () => {
  const arrived: number[] = [];
  const files = await openListedFiles({ paths: { read: [], write: ['.'] } }, {
    root,
    files: async () => ({
      ...filesOf([root], new Map(), []),
      write: async (_, data) => void arrived.push(data.length),
    }),
  } as Pick<ToolDoors, 'root' | 'files'> as ToolDoors);
  const doors: Pick<ToolDoors, 'http'> = {
    http: async ({ body }) => (
      arrived.push(body?.length ?? 0), { bytes: Buffer.alloc(0), status: 200, contentType: '', finalUrl: '' }
    ),
  };
  const { hosts } = parseManifest('name = "t"\nmodule = "t"\nkind = "wasm"\nhosts = ["a.test"]', 'tool.toml');
  for (const [length, kind] of [
    [largestToolPayload, 'answer'],
    [largestToolPayload + 1, 'refused'],
  ] as const) {
    const data = Buffer.alloc(length).toString('base64');
    for (const call of [
      { kind: 'call', what: 'writeFile', path: 'a', data },
      { kind: 'call', what: 'http', url: 'http://a.test/', method: 'POST', headers: [], body: data },
    ] satisfies HostCall[]) {
      expect(
        (await answerCall(call, { manifest: { hosts }, doors, files, signal: new AbortController().signal })).kind,
      ).toBe(kind);
    }
  }
  expect(arrived).toEqual([largestToolPayload, largestToolPayload]);
});

test('opened files are closed if their list fails', async () => {
  let closed = 0;
  const doors = {
    root,
    files: async () => ({
      ...filesOf([], new Map(), []),
      realpath: () => Promise.reject(new Error('gone')),
      close: async () => void (closed += 1),
    }),
  } as unknown as ToolDoors;
  await expect(openListedFiles({ paths: { read: ['a', 'b'], write: [] } }, doors)).rejects.toThrow('gone');
  expect(closed).toBe(1);
});

test('no list means no call', async () => {
  const doors = {
    root,
    files: () => Promise.reject(new Error('opened')),
    http: () => Promise.reject(new Error('asked')),
  } as unknown as ToolDoors;
  expect(await openListedFiles({ paths: { read: [], write: [] } }, doors)).toBeUndefined();
  expect(
    await answerCall(
      { kind: 'call', what: 'http', url: 'http://a.test/', method: 'GET', headers: [] },
      { manifest: { hosts: [] }, doors, files: undefined, signal: new AbortController().signal },
    ),
  ).toEqual({ kind: 'refused', message: 'the manifest lists no hosts' });
});
