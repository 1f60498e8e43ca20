import { decide } from '../../policy/decide.ts';
import type { Policy } from '../../policy/policy.ts';
import type { ExecRequest } from '../../policy/request.ts';
import type { Verdict } from '../../policy/verdict.ts';
import type { ExecJudgement } from '../judge/judge-exec.ts';
import { readable } from '../view/byte-text.ts';

export function changedProgram({ request, verdict }: ExecJudgement): ExecJudgement {
  return {
    request,
    verdict: refusing(
      verdict,
      `${request.program} has changed since this session began: another file has replaced it`,
      'if you changed it yourself, start a new session',
    ),
  };
}

export function exchangedWhileAsked({ request, verdict }: ExecJudgement): ExecJudgement {
  return {
    request,
    verdict: refusing(
      verdict,
      `${verdict.message}; its arguments or files were exchanged while it waited for approval`,
      'run it again, and change nothing meanwhile',
    ),
  };
}

export function exchangedAtStart({ request, verdict }: ExecJudgement): ExecJudgement {
  return {
    request,
    verdict: refusing(
      verdict,
      `the arguments or the file of "${request.program}" were exchanged while it started, so it was killed`,
      'run it again, and change nothing meanwhile',
    ),
  };
}

export function unheldStart({ request, verdict }: ExecJudgement): ExecJudgement {
  return {
    request,
    verdict: refusing(
      verdict,
      `"${request.program}" cannot be stopped when it starts, so its arguments could be exchanged`,
      'end the debugger that traces it, or run without --strict',
    ),
  };
}

export function tooManyWords({ request, verdict }: ExecJudgement): ExecJudgement {
  return {
    request,
    verdict: refusing(
      verdict,
      `"${request.program}" has more arguments than rules can check`,
      'give it fewer at a time: at most 4,096 arguments and 256 KiB',
    ),
  };
}

export function notRedirected({ request, verdict }: ExecJudgement): ExecJudgement {
  return {
    request,
    verdict: refusing(
      verdict,
      `${verdict.message}; a command that another program starts is refused instead`,
      verdict.remedy,
    ),
  };
}

function refusing(verdict: Verdict, message: string, remedy: string): Verdict {
  return { ...verdict, decision: 'deny', message, remedy };
}

/**
 * When a shell is refused, it tries the next directory of its `PATH`. That is the same command, so nobody is asked
 * twice.
 */
export interface RefusedLately {
  readonly has: (thread: number, request: ExecRequest) => boolean;
  readonly add: (thread: number, request: ExecRequest) => void;
}

const oneSearch = 1000;

export function refusedLately(): RefusedLately {
  let last: { readonly key: string; readonly at: number } | undefined;
  const keyOf = (thread: number, { argv }: ExecRequest): string => JSON.stringify([thread, argv]);
  return {
    has: (thread, request) => last?.key === keyOf(thread, request) && performance.now() - last.at < oneSearch,
    add: (thread, request) => {
      last = { key: keyOf(thread, request), at: performance.now() };
    },
  };
}

/** The file is deleted, or was made in memory. No rule can name it, so any program could run this way. */
export function unnamedProgram(policy: Policy, text: string): ExecJudgement {
  const request: ExecRequest = { kind: 'exec', program: readable(text), argv: [readable(text)], context: 'nested' };
  return {
    request,
    verdict: refusing(
      decide(policy, request),
      `${readable(text)} is not a file with a name, and rules about commands apply here`,
      'run a program from a file',
    ),
  };
}
