import { findProgram } from './find-program.ts';
import { programEnvironment } from './program-environment.ts';
import type { ProgramEnd } from './run-program.ts';
import type { Failure, ProgramContext } from './types.ts';

export interface Question {
  readonly program: string;
  readonly words: readonly string[];
  readonly input?: string;
  /** Milliseconds. */
  readonly timeout: number;
  /** What to try where it fails, in one line. */
  readonly remedy: string;
  /** Exit statuses that say that there is no such secret. Default: none. */
  readonly missing?: readonly number[];
}

/** What a program says, or why it says nothing: by its exit status, never by a word of its own. */
export async function askProgram({ program, words, input, timeout, remedy, missing = [] }: Question, context: ProgramContext): Promise<{ readonly kind: 'output'; readonly text: string } | Failure> {
  const found = findProgram(program, context);
  if (found.kind !== 'found') return found;
  const end = await context.runner({ path: found.path, words, environment: programEnvironment(program, context), timeout, signal: context.signal, ...(input === undefined ? {} : { input }) });
  if (end.kind === 'output') return end;
  const kind = end.kind === 'status' && missing.includes(end.status) ? 'missing' : 'unavailable';
  return { kind, why: `${program} ${howItEnded(end, timeout)}`, remedy };
}

function howItEnded(end: Exclude<ProgramEnd, { readonly kind: 'output' }>, timeout: number): string {
  switch (end.kind) {
    case 'status':
      return `failed with exit status ${end.status}`;
    case 'signal':
      return `was ended by ${end.signal}`;
    case 'not-started':
      return `could not be started: ${end.code}`;
    case 'time-out':
      return `gave no answer within ${timeout / 1000} seconds`;
    case 'too-long':
      return 'answered with more than 64 KiB';
    case 'not-text':
      return 'answered with something that is not UTF-8';
    case 'aborted':
      return 'was stopped, because the session has ended';
  }
}
