import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';

const child = `
import { DescriptorStream } from ${JSON.stringify(join(import.meta.dirname, 'descriptor-stream.ts'))};
const stream = new DescriptorStream({ descriptor: 3, peer: process.ppid, first: Buffer.from('first ') });
stream.on('data', (chunk) => stream.write(\`heard \${chunk}\`)).on('end', () => process.kill(process.pid, 'SIGKILL'));
stream.write('second');
`;

function start(): { readonly heard: () => string; readonly process: ReturnType<typeof spawn> } {
  const process_ = spawn(process.execPath, ['--input-type=module', '-e', child], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  let text = '';
  process_.stdio[3]?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { heard: () => text, process: process_ };
}

test('the first bytes leave with the next, and input arrives until the other end closes', async () => {
  const { heard, process: served } = start();
  await expect.poll(heard).toBe('first second');
  const stream = served.stdio[3] as Socket;
  stream.write('news');
  await expect.poll(heard).toBe('first secondheard news');
  stream.end();
  expect(await new Promise((resolve) => served.on('exit', (_, signal) => resolve(signal)))).toBe('SIGKILL');
});
