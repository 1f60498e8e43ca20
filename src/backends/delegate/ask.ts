import { spawn } from 'node:child_process';
import type { DelegatedCommand } from './run.ts';

export type Answer =
  | { readonly kind: 'answered'; readonly stdout: Buffer; readonly exitCode: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** Seconds for a command that only tells something: an ssh connection to a guest may be made for it. */
const patience = 20_000;
const mostBytes = 1 << 20;

/** What a program of the host prints. Never rejects; a program that does not end in time, or prints without end, is killed. */
export function ask({ program, arguments: words, environment }: DelegatedCommand, milliseconds: number = patience): Promise<Answer> {
  return new Promise((resolve) => {
    const child = spawn(program, [...words], { env: environment, stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true });
    const chunks: Buffer[] = [];
    let length = 0;
    const fail = (reason: string): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      child.stdout.destroy();
      resolve({ kind: 'failed', reason });
    };
    const timer = setTimeout(() => fail(`it did not end within ${milliseconds / 1000} s`), milliseconds);
    child.once('error', (error) => fail(error.message));
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > mostBytes) fail('it prints too much');
      else chunks.push(chunk);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      resolve(code === null ? { kind: 'failed', reason: `${signal} ended it` } : { kind: 'answered', stdout: Buffer.concat(chunks), exitCode: code });
    });
  });
}
