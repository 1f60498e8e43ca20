import type { ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { receiveListeners } from './receive-listeners.ts';

function receive(message: unknown, handle?: unknown): readonly string[] {
  const heard: string[] = [];
  const child = Object.assign(new EventEmitter(), { kill: (signal: string) => heard.push(signal) });
  receiveListeners(child as unknown as ChildProcess, { tcp: () => heard.push('tcp'), dns: () => heard.push('dns'), forwarded: (id, handle) => heard.push(`forward ${id} ${handle === undefined ? 'refused' : 'connected'}`), complete: (reach) => heard.push(reach) });
  child.emit('message', message, handle);
  return heard;
}

test('takes listeners and the end of them', () => {
  const socket = createSocket('udp4');
  expect(receive({ listener: 'dns' }, socket)).toEqual(['dns']);
  socket.close();
  expect(receive({ listener: 'tcp' }, {})).toEqual(['tcp']);
  expect(receive({ forward: 7 }, {})).toEqual(['forward 7 connected']);
  expect(receive({ forward: 8 })).toEqual(['forward 8 refused']);
  expect(receive({ reach: 'every-port' })).toEqual(['every-port']);
  expect(receive({ reach: 'listed-ports' })).toEqual(['listed-ports']);
});

test.each([[null], ['tcp'], [{ listener: 'tcp' }], [{ listener: 'dns' }, {}], [{ reach: 'everywhere' }], [{}]])('ends a launcher that says %o', (message, handle?: unknown) => {
  expect(receive(message, handle)).toEqual(['SIGKILL']);
});
