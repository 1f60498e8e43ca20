import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { byteSource } from './byte-source.ts';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a byte source', () => {
  test('gives chunks as they came, then the end, repeatedly', async () => {
    const stream = new PassThrough();
    const source = byteSource(stream);
    stream.write('one');
    stream.write('two');
    expect([String(await source.read()), String(await source.read())]).toEqual(['one', 'two']);
    const waiting = source.read();
    stream.end('three');
    expect(String(await waiting)).toBe('three');
    expect([await source.read(), await source.read()]).toEqual([undefined, undefined]);
  });

  test('takes bytes back', async () => {
    const stream = new PassThrough();
    const source = byteSource(stream);
    source.unread(Buffer.alloc(0));
    expect(source.isEmpty()).toBe(true);
    stream.write('second');
    expect(source.isEmpty()).toBe(false);
    source.unread(Buffer.from('first'));
    expect(source.isEmpty()).toBe(false);
    expect([String(await source.read()), String(await source.read())]).toEqual(['first', 'second']);
  });

  test('rejects if the stream breaks, before or during a read', async () => {
    const stream = new PassThrough();
    stream.on('error', () => undefined);
    const source = byteSource(stream);
    const waiting = source.read();
    stream.destroy(new Error('broken'));
    await expect(waiting).rejects.toThrow('broken');
    await expect(source.read()).rejects.toThrow('broken');
    const closed = new PassThrough();
    closed.destroy();
    await once(closed, 'close');
    await expect(byteSource(closed).read()).rejects.toThrow('closed');
  });

  test('reads only a little ahead of its reader', async () => {
    const stream = new PassThrough();
    const source = byteSource(stream);
    let written = 0;
    while (stream.write(Buffer.alloc(16 * 1024)) || written < 4 * 1024 * 1024) {
      written += 16 * 1024;
      await tick();
      if (stream.writableNeedDrain) break;
    }
    expect(written).toBeLessThan(512 * 1024);
    let read = 0;
    while (!source.isEmpty()) read += (await source.read())?.length ?? 0;
    expect(read).toBeGreaterThan(0);
    void source.read();
    await tick();
    expect(stream.writableNeedDrain).toBe(false);
  });

  test('returns the stream with its unread bytes', async () => {
    const stream = new PassThrough();
    const source = byteSource(stream);
    stream.write('one');
    await tick();
    stream.write('two');
    await tick();
    expect(String(await source.read())).toBe('one');
    source.unread(Buffer.from('one again '));
    source.detach();
    stream.end(' three');
    expect(String(Buffer.concat((await stream.toArray()) as Buffer[]))).toBe('one again two three');
  });
});
