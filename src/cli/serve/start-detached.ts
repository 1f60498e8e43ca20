import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { makePrivateDirectory } from '../../approvals/socket/socket-place.ts';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { connectServer } from '../../serve/client/connect-server.ts';
import { type CommandInput, printResult } from '../command.ts';
import { type MetricsWish, metricsWords } from './metrics-options.ts';

/** Milliseconds between connection attempts. */
const pause = 20;

/** Starts the server in its own session, and waits until it answers. Its output is in `serve.log` beside its socket. */
export async function startDetached(
  runtime: string,
  input: CommandInput,
  metrics: MetricsWish | undefined,
): Promise<number> {
  const { io } = input;
  await refuseSecond(runtime);
  const path = join(makePrivateDirectory(runtime), 'serve.log');
  const log = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW, 0o600);
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'serve', ...metricsWords(metrics)], {
    detached: true,
    stdio: ['ignore', log, log],
    cwd: '/',
    env: { ...io.environment },
  });
  closeSync(log);
  const ended = once(child, 'exit').then(() => 'ended' as const);
  while ((await Promise.race([reached(runtime), ended])) !== 'yes') {
    if (child.exitCode !== null || child.signalCode !== null) {
      io.stderr.write(readFileSync(path, 'utf8'));
      return child.exitCode ?? 125;
    }
    await Promise.race([setTimeout(pause), ended]);
  }
  child.unref();
  printResult(input, { pid: child.pid }, `${child.pid}\n`);
  return 0;
}

async function refuseSecond(runtime: string): Promise<void> {
  if ((await reached(runtime)) === 'yes')
    throw new HoldfastError('HF_SERVE_RUNNING', 'your server is already running', {
      remedy: 'use that one, or stop it with `holdfast stop --server`',
    });
}

async function reached(runtime: string): Promise<'yes' | 'no'> {
  try {
    (await connectServer({ runtime })).close();
    return 'yes';
  } catch (error) {
    if (isHoldfastError(error) && error.code === 'HF_SERVE_ABSENT') return 'no';
    throw error;
  }
}
