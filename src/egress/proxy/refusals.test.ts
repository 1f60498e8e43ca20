import { describe, expect, test } from 'vitest';
import { connectedPair } from '../tls/testing/loopback.ts';
import { clientBytes, incomplete, malformed, type Parser } from './refusals.ts';

/** A message is everything up to a full stop. */
const sentence: Parser<string> = (bytes) => {
  const at = bytes.indexOf('.');
  if (bytes[0] === 0x21) return malformed('It begins with a mark.');
  return at === -1 ? incomplete : { kind: 'parsed', value: bytes.toString('latin1', 0, at), length: at + 1 };
};

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('messages of a client', () => {
  test('are read one after the other, however they arrive', async () => {
    const { client, server } = await connectedPair();
    const bytes = clientBytes(server);
    client.write('one.two.thr');
    expect(await bytes.read(sentence)).toEqual({ kind: 'parsed', value: 'one', length: 4 });
    expect(await bytes.read(sentence)).toEqual({ kind: 'parsed', value: 'two', length: 4 });
    const third = bytes.read(sentence);
    for (const byte of 'ee.') {
      await pause();
      client.write(byte);
    }
    expect(await third).toEqual({ kind: 'parsed', value: 'three', length: 6 });
  });

  test('that are none say why', async () => {
    const { client, server } = await connectedPair();
    client.write('!');
    expect(await clientBytes(server).read(sentence)).toEqual({ kind: 'malformed', reason: 'It begins with a mark.' });
  });

  test.each(['end', 'destroy', 'resetAndDestroy'] as const)('end when the client does: %s', async (leave) => {
    const { client, server } = await connectedPair();
    server.on('error', () => undefined);
    const read = clientBytes(server).read(sentence);
    client.write('half a sen');
    await pause();
    client[leave]();
    expect(await read).toEqual({ kind: 'ended' });
  });

  test('end when the socket is destroyed here', async () => {
    const { server } = await connectedPair();
    const read = clientBytes(server).read(sentence);
    server.destroy();
    expect(await read).toEqual({ kind: 'ended' });
  });
});

describe('a socket that is given back', () => {
  const rest = async (socket: NodeJS.ReadableStream, length: number): Promise<string> => {
    let text = '';
    for await (const chunk of socket) {
      text += String(chunk);
      if (text.length >= length) break;
    }
    return text;
  };

  test('has everything unread in it, and what comes later', async () => {
    const { client, server } = await connectedPair();
    const bytes = clientBytes(server);
    client.write('one.two');
    await bytes.read(sentence);
    bytes.release();
    await pause();
    client.write('three');
    expect(await rest(server, 8)).toBe('twothree');
  });

  test('begins with what is put in front', async () => {
    const { client, server } = await connectedPair();
    const bytes = clientBytes(server);
    client.write('one.two');
    await bytes.read(sentence);
    bytes.release(Buffer.from('zero'));
    expect(await rest(server, 7)).toBe('zerotwo');
  });

  test('waits for its next reader: nothing flows into nothing', async () => {
    const { client, server } = await connectedPair();
    const bytes = clientBytes(server);
    client.write('one.');
    await bytes.read(sentence);
    bytes.release();
    client.write('two');
    await pause();
    await pause();
    expect(server.readableFlowing).not.toBe(true);
    expect(server.listenerCount('readable')).toBe(0);
    expect(await rest(server, 3)).toBe('two');
  });

  test('keeps what was sent together with the end', async () => {
    const { client, server } = await connectedPair();
    const bytes = clientBytes(server);
    client.end('one.two');
    await bytes.read(sentence);
    bytes.release();
    expect(await rest(server, 99)).toBe('two');
  });
});
