import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { frame, headOf } from './fake-forwards.ts';
import { echoOnce, freePort, podPort, shown, talk } from './forward-scene.ts';

describe('a forwarded port', () => {
  test('carries a connection to the port of the run, on 127.0.0.1 alone', async () => {
    using open = await shown(echoOnce);
    expect(open.forward.ports).toEqual([{ host: open.port, box: 8080 }]);
    expect(String(await talk(open.port, 'word'))).toBe('got word');
    expect(open.scene.api.forwards.ports).toEqual([podPort]);
    const elsewhere = connect({ host: '127.0.0.2', port: open.port });
    const [{ code }] = (await once(elsewhere, 'error')) as [NodeJS.ErrnoException];
    expect(code).toBe('ECONNREFUSED');
    expect(open.lines).toEqual([]);
  });

  test('a client that half-closes still gets its answer', async () => {
    using open = await shown((socket) =>
      socket.once('data', (bytes: Buffer) => setTimeout(() => socket.end(`late ${bytes.toString()}`), 300)),
    );
    expect(String(await talk(open.port, 'word', 'end'))).toBe('late word');
  });

  test('5 MB each way in parallel, past a slow reader on each side', async () => {
    const size = 5_000_000;
    const sent = Buffer.alloc(size, 'abcdefghij');
    const hashes = { there: 0 };
    using open = await shown((socket) => {
      socket.write(sent);
      socket.pause();
      setTimeout(() => socket.resume(), 300);
      socket.on('data', (bytes: Buffer) => {
        hashes.there += bytes.length;
        if (hashes.there === size) socket.end();
      });
    });
    const socket = connect({ host: '127.0.0.1', port: open.port });
    socket.write(sent);
    socket.pause();
    setTimeout(() => socket.resume(), 500);
    const chunks: Buffer[] = [];
    for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(sent)).toBe(true);
    expect(hashes.there).toBe(size);
  });

  test('a reader that stops slows the pod, and little is kept here', async () => {
    let written = 0;
    using open = await shown((socket) => {
      const more = (): void => {
        while (written < 200_000_000 && socket.write(Buffer.alloc(65_536))) written += 65_536;
      };
      socket.on('drain', more);
      more();
    });
    const socket = connect({ host: '127.0.0.1', port: open.port }).pause();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(60_000_000);
    socket.destroy();
  });

  test('50 connections at once do not mix', async () => {
    using open = await shown(echoOnce);
    const words = Array.from({ length: 50 }, (_, index) => `word ${index}`);
    const answers = await Promise.all(words.map((word) => talk(open.port, word)));
    expect(answers.map(String)).toEqual(words.map((word) => `got ${word}`));
  });

  test('a lost connection ends alone: the listener and the others stay', async () => {
    using open = await shown(echoOnce);
    const [first, other] = [connect(open.port, '127.0.0.1'), connect(open.port, '127.0.0.1')];
    const { clients } = open.scene.api.forwards;
    await expect.poll(() => clients.size).toBe(2);
    [...clients][0]?.terminate();
    const cut = await Promise.race([once(first, 'error').then(() => other), once(other, 'error').then(() => first)]);
    cut.write('still');
    const [answer] = (await once(cut, 'data')) as [Buffer];
    expect(answer.toString()).toBe('got still');
    expect(open.lines).toEqual([expect.stringMatching(/^a connection to port 8080 of the box was lost: /u)]);
    expect(String(await talk(open.port, 'again'))).toBe('got again');
  });

  test('close ends the listener and every connection', async () => {
    using open = await shown(() => undefined);
    const socket = connect(open.port, '127.0.0.1');
    await expect.poll(() => open.scene.api.forwards.clients.size).toBe(1);
    const closed = once(socket, 'close');
    socket.on('error', () => undefined);
    open.forward.close();
    await closed;
    expect(await open.forward.ended).toBe('closed');
    await expect.poll(() => open.scene.api.forwards.clients.size).toBe(0);
    expect(await talk(open.port, 'x')).toBe('reset');
    expect(open.lines).toEqual([]);
  });

  test('stop ends it', async () => {
    using open = await shown(echoOnce);
    await open.cluster.stop('agent', { changes: 'discard' });
    expect(await open.forward.ended).toBe('pod-ended');
    expect(await talk(open.port, 'x')).toBe('reset');
  });

  test('a pod without a listener is one plain line, for any number of attempts', async () => {
    using open = await shown(echoOnce);
    open.scene.api.forwards.targets.set(podPort, await freePort());
    for (let tries = 0; tries < 3; tries += 1) expect(await talk(open.port, 'x')).toBe('reset');
    expect(open.lines).toEqual(['nothing listens on port 8080 of the box']);
  });

  test('a server that ends without a byte is one plain line', async () => {
    using open = await shown((socket) => socket.end());
    expect(String(await talk(open.port, 'x'))).toBe('');
    expect(open.lines).toEqual(['nothing answers on port 8080 of the box']);
  });
});

describe('a server that lies', () => {
  const flood = (client: WebSocket, message: Buffer): void => {
    const more = (): void => {
      if (client.readyState === client.OPEN) client.send(message, () => setImmediate(more));
    };
    more();
  };
  test.each<[string, (client: WebSocket) => void, RegExp]>([
    ['another port', (client) => client.send(headOf(0, 22)), /another port than 9000/u],
    ['another channel', (client) => client.send(frame(7, Buffer.of(1))), /a message on the channel 7/u],
    ['an empty message', (client) => client.send(Buffer.alloc(0)), /an empty message/u],
    ['text', (client) => client.send('hello'), /a message of text/u],
    [
      'an endless error',
      (client) => flood(client, frame(1, Buffer.alloc(8192, 'x'))),
      /another port|an endless error/u,
    ],
    [
      'an endless error after its port',
      (client) => (client.send(headOf(1, podPort)), flood(client, frame(1, Buffer.alloc(8192, 'x')))),
      /an endless error/u,
    ],
    ['a huge message', (client) => client.send(frame(0, Buffer.alloc(4 << 20))), /a broken message/u],
    [
      'a message without end',
      (client) => {
        const part = Buffer.alloc(65_536);
        const more = (): void => {
          if (client.readyState === client.OPEN) client.send(part, { fin: false }, () => setImmediate(more));
        };
        more();
      },
      /a broken message/u,
    ],
    [
      'an error of two lines',
      (client) => {
        client.send(headOf(1, podPort));
        client.send(frame(1, Buffer.from('no\r\nsuch\u001b[31m thing')));
        client.close(1000);
      },
      /^port 8080 of the box could not be reached: no such \[31m thing$/u,
    ],
  ])('%s is one line, and the client is reset', async (_, lie, line) => {
    using open = await shown(echoOnce);
    open.scene.api.forwards.lie = lie;
    expect(await talk(open.port, 'x')).toBe('reset');
    expect(open.lines).toEqual([expect.stringMatching(line)]);
    await expect.poll(() => open.scene.api.forwards.clients.size).toBe(0);
    open.scene.api.forwards.lie = undefined;
    expect(String(await talk(open.port, 'true'))).toBe('got true');
  });

  test.each(['get', 'create'])('a missing right is named: %s pods/portforward', async (verb) => {
    using open = await shown(echoOnce);
    open.scene.api.denied.add(`${verb} pods/portforward`);
    expect(await talk(open.port, 'x')).toBe('reset');
    expect(open.lines).toEqual([expect.stringContaining(`this user may not ${verb} pods/portforward`)]);
  });

  test('an older server is named', async () => {
    using open = await shown(echoOnce);
    open.scene.api.forwards.protocol = 'portforward.k8s.io';
    expect(await talk(open.port, 'x')).toBe('reset');
    expect(open.lines).toEqual([expect.stringContaining('does not speak v4.channel.k8s.io')]);
  });
});
