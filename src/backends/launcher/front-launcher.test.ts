import process from 'node:process';
import { type Duplex, PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { FrontLauncher } from './front-launcher.ts';

test('the reply and the plan leave together, before anything else is written', () => {
  const pieces: string[] = [];
  const socket = Object.assign(new PassThrough(), { ref: () => undefined, unref: () => undefined });
  socket.on('data', (piece: Buffer) => pieces.push(piece.toString()));
  socket.cork();
  socket.write('reply');
  const control = new FrontLauncher(process.pid, socket).stdio[3] as Duplex;
  expect(pieces).toEqual([]);
  control.write('plan');
  expect(pieces.join(' ')).toBe('reply plan');
  control.write('g');
  expect(pieces.join(' ')).toBe('reply plan g');
});
