import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { kernelCall, type SyscallName, syscallNumber } from '../../kernel/index.ts';
import type { Mount } from '../../plan/mount.ts';
import type { DeniedProgram, NotifyGroup } from '../../plan/types.ts';
import type { ExecRequest } from '../../policy/request.ts';
import type { KeepRequest } from '../../trash/entry-file.ts';
import { fileCalls } from '../calls/file-calls.ts';
import { openListener } from '../listener/listener.ts';
import type { WholeOptions } from '../supervise/context.ts';
import { serveCalls } from '../supervise/serve.ts';
import type { AllowOrDeny, Enforced, PinnedProgram, AccessQuestion } from '../types.ts';
import { policyIn } from './policy-in.ts';

export interface SupervisedOptions {
  readonly workspace: string;
  /** The user policy, without its first line. */
  readonly policy: string;
  readonly argv: readonly string[];
  readonly groups?: readonly NotifyGroup[];
  readonly answer?: (question: AccessQuestion) => AllowOrDeny;
  readonly programs?: readonly DeniedProgram[];
  readonly wasApproved?: (request: ExecRequest) => boolean;
  readonly pinned?: readonly PinnedProgram[];
  readonly keep?: (request: KeepRequest) => string;
  readonly mounts?: readonly Mount[];
  /** For a box without mounts. */
  readonly whole?: WholeOptions;
  /** The stopped calls. Default: all calls about files. */
  readonly calls?: readonly SyscallName[];
}

export interface SupervisedResult {
  readonly output: string;
  readonly events: readonly Enforced[];
  readonly questions: readonly AccessQuestion[];
}

/**
 * Runs a command, and answers its calls in this process. There is no box, so every call that is left to the kernel
 * succeeds. Blocks while it runs.
 */
export async function supervised(options: SupervisedOptions): Promise<SupervisedResult> {
  const directory = mkdtempSync('/var/tmp/holdfast-notify-');
  const [ready, output] = [join(directory, 'ready'), join(directory, 'output')];
  const out = openSync(output, 'w');
  const names = options.calls ?? (Object.keys(fileCalls) as SyscallName[]);
  const numbers = names.flatMap((name) => numberOf(name));
  // The box's filter does not apply to a launcher.
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      '"$@"; exit $?',
      'sh',
      process.execPath,
      fileURLToPath(new URL('confined.mjs', import.meta.url)),
      ready,
      numbers.join(','),
      ...options.argv,
    ],
    { stdio: ['pipe', out, out], cwd: options.workspace },
  );
  const ended = new Promise((resolve) => child.on('close', resolve));
  while (!existsSync(ready) || !readFileSync(ready, 'utf8').endsWith('\n')) await sleep(2);
  const [remote = 0, pid = 0] = readFileSync(ready, 'utf8').trim().split(' ').map(Number);
  const descriptor = fetchDescriptor(pid, remote);
  const wake = kernelCall('eventfd2', 0, 0);
  const result = answerAll(options, { descriptor, wake, start: () => child.stdin?.write('x') });
  await new Promise(setImmediate);
  const { events, questions } = await result;
  await ended;
  closeSync(out);
  closeSync(wake);
  const text = readFileSync(output, 'utf8');
  rmSync(directory, { recursive: true });
  return { output: text, events, questions };
}

function numberOf(name: SyscallName): readonly number[] {
  try {
    return [syscallNumber(name)];
  } catch {
    return [];
  }
}

function fetchDescriptor(pid: number, remote: number): number {
  const process_ = kernelCall('pidfd_open', pid, 0);
  const descriptor = kernelCall('pidfd_getfd', process_, remote, 0);
  closeSync(process_);
  return descriptor;
}

interface Running {
  readonly descriptor: number;
  readonly wake: number;
  readonly start: () => void;
}

async function answerAll(
  options: SupervisedOptions,
  { descriptor, wake, start }: Running,
): Promise<Pick<SupervisedResult, 'events' | 'questions'>> {
  const events: Enforced[] = [];
  const questions: AccessQuestion[] = [];
  const answers: { id: number; answer: AllowOrDeny }[] = [];
  start();
  await sleep(20);
  const listener = openListener(descriptor, wake);
  serveCalls(listener, {
    policy: policyIn(options.workspace, options.policy),
    mounts: options.mounts ?? [],
    groups: options.groups ?? ['opens', 'creations', 'deletions', 'renames', 'truncations', 'metadata'],
    home: '/home/dev',
    workspace: options.workspace,
    session: 'test',
    ask: (question) => {
      questions.push(question);
      answers.push({ id: question.id, answer: options.answer?.(question) ?? 'deny' });
      kernelCall('write', wake, Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]), 8);
    },
    answers: () => {
      kernelCall('read', wake, Buffer.alloc(8), 8);
      return { answers: answers.splice(0), next: 'continue' };
    },
    report: (event) => events.push(event),
    programs: options.programs ?? [],
    pinned: options.pinned ?? [],
    ...(options.wasApproved === undefined ? {} : { wasApproved: options.wasApproved }),
    ...(options.whole === undefined ? {} : { whole: options.whole }),
    ...(options.keep === undefined ? {} : { keep: options.keep }),
  });
  listener.close();
  return { events, questions };
}
