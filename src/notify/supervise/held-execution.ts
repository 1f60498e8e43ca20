import { readFileSync, statSync } from 'node:fs';
import { isKernelError, kernelCall } from '../../kernel/index.ts';
import type { ExecCall } from '../calls/exec-calls.ts';
import type { Listener } from '../listener/listener.ts';
import type { Program } from '../view/programs.ts';
import { atWorkingDirectory } from './found-programs.ts';

/** The expected program after its start. Arguments are bytes as latin1. */
export interface ExpectedProgram {
  /** `device:inode` of the executed file: the program, or the last interpreter of a script. */
  readonly identity: string;
  readonly words: readonly string[];
  /** `first`: no rule is about the other arguments. */
  readonly compares: 'all' | 'first';
}

/** `linux/ptrace.h`. */
const requests = { detach: 17, seize: 0x4206, interrupt: 0x4207 } as const;
/** `PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL`. */
const stopAtExec = 0x10 | 0x100000;
const execEvent = 4;
const kill = 9;
/** `__WALL | __WNOTHREAD`. */
const ownTracees = 0x40000000 | 0x20000000;

/**
 * Lets an execution go ahead, and kills it before its first instruction if it is not the expected program. The kernel
 * reads the path and the arguments again, from memory that another thread may change. Once started, a program has its
 * own memory, which no other program writes. Holds one execution at a time: a second tracee that the first one kills
 * would wait for this thread.
 */
export function holdExecution(
  listener: Listener,
  { id, thread }: { readonly id: bigint; readonly thread: number },
  expected: ExpectedProgram,
): 'as-expected' | 'another' {
  kernelCall('ptrace', requests.seize, thread, 0, stopAtExec);
  // If the execution fails, the thread stops on its return instead.
  unlessGone(() => kernelCall('ptrace', requests.interrupt, thread, 0, 0));
  listener.resume(id);
  const status = Buffer.alloc(4);
  const stopped = kernelCall('wait4', -1, status, ownTracees, 0);
  const [state, signal, event] = [status[0] ?? 0, status[1] ?? 0, status[2] ?? 0];
  if (state !== 0x7f) return 'as-expected';
  const isAnother = event === execEvent && !isExpected(stopped, expected);
  unlessGone(() => {
    if (!isAnother) return kernelCall('ptrace', requests.detach, stopped, 0, event === 0 ? signal : 0);
    kernelCall('kill', stopped, kill);
    return kernelCall('wait4', stopped, status, ownTracees, 0);
  });
  return isAnother ? 'another' : 'as-expected';
}

/** The process may be killed at any time. */
function unlessGone(act: () => number): void {
  try {
    act();
  } catch (error) {
    if (!isKernelError(error, 'ESRCH') && !isKernelError(error, 'ECHILD')) throw error;
  }
}

function isExpected(stopped: number, { identity, words, compares }: ExpectedProgram): boolean {
  const { file, started } = startedProgram(stopped);
  if (file !== identity) return false;
  const wanted = words.map((word) => `${word}\0`).join('');
  return compares === 'all' ? started === wanted : started.startsWith(wanted);
}

/** The texts are empty if the program was killed meanwhile. */
function startedProgram(stopped: number): { readonly file: string; readonly started: string } {
  try {
    const { dev, ino } = statSync(`/proc/${stopped}/exe`, { bigint: true });
    return { file: `${dev}:${ino}`, started: readFileSync(`/proc/${stopped}/cmdline`, 'latin1') };
  } catch {
    return { file: '', started: '' };
  }
}

/** Returns the arguments that the kernel passes to a program, or to the interpreters of a script at `path`. */
export function startedWords(
  path: string,
  words: readonly string[],
  files: readonly Pick<Program, 'interpreter'>[],
): readonly string[] {
  const [first = '', ...others] = words;
  const scripts = files.flatMap(({ interpreter }) => interpreter ?? []);
  if (scripts.length === 0) return [first, ...others];
  const before = scripts
    .toReversed()
    .flatMap(({ path: named, argument }) => [named, ...(argument === undefined ? [] : [argument])]);
  return [...before, path, ...others];
}

/** The path of a script that the kernel passes to its interpreter. */
export function scriptPath({ at: { directory } }: ExecCall, path: string): string {
  if (path.startsWith('/') || directory === atWorkingDirectory) return path;
  return `/dev/fd/${directory}${path === '' ? '' : `/${path}`}`;
}
