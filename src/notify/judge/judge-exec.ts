import type { DeniedProgram } from '../../plan/types.ts';
import { plantedVerdict } from '../../policy/command/decide-command.ts';
import { decide } from '../../policy/decide.ts';
import type { Policy } from '../../policy/policy.ts';
import { namedPrograms } from '../../policy/programs/programs.ts';
import type { ExecRequest } from '../../policy/request.ts';
import { strictnessOf, type Verdict } from '../../policy/verdict.ts';
import { readable } from '../view/byte-text.ts';
import type { Program } from '../view/programs.ts';
import { innerOf, runsInner } from './loader-word.ts';

/** One command that another program starts, and the decision about it. */
export interface ExecJudgement {
  readonly request: ExecRequest;
  readonly verdict: Verdict;
}

export interface ExecSubject {
  readonly program: Program;
  /** Bytes as latin1. Holds only the first argument if no rule can match the program. */
  readonly argv: readonly string[];
  /** The interpreters of a script, in order. An interpreter may itself be a script. */
  readonly interpreters: readonly Program[];
}

export interface ExecJudge {
  /** Whether some pattern could match the program, so that its arguments matter. */
  readonly concerns: (program: Program, shown: string) => boolean;
  readonly judge: (subject: ExecSubject) => ExecJudgement;
}

export interface ExecJudgeOptions {
  readonly policy: Policy;
  readonly programs: readonly DeniedProgram[];
  /** Whether the box could have put a program there. */
  readonly isPlanted: (path: string) => boolean;
  /** The names in the policy for a system file, by `device:inode`. A link that the box makes would hide them. */
  readonly aliases?: ReadonlyMap<string, readonly string[]>;
}

/** Judges a program by its path, not by the name that it gives itself. A refused name counts as well. */
export function execJudge({ policy, programs, isPlanted, aliases = noAliases }: ExecJudgeOptions): ExecJudge {
  const names = namedPrograms(policy);
  const masked = new Map(
    programs
      .filter(({ held }) => held === 'mask')
      .map(({ identity, path }) => [`${identity.device}:${identity.inode}`, path]),
  );
  const known = (identity: string): readonly string[] => [
    ...(masked.has(identity) ? [masked.get(identity) ?? ''] : []),
    ...(aliases.get(identity) ?? []),
  ];
  return {
    concerns: (program, shown) =>
      runsInner(program.real) ||
      known(program.identity).length > 0 ||
      names?.concerns([program.named, program.real, shown].map(readable)) === true,
    judge: (subject) => {
      const judged = candidatesOf(subject, isPlanted, known(subject.program.identity)).flatMap(
        ({ part, program, argv }): readonly ExecJudgement[] => {
          const request: ExecRequest = {
            kind: 'exec',
            program: readable(program),
            argv: argv.map(readable),
            context: 'nested',
          };
          const verdict = decide(policy, request);
          return part === 'itself' || isExplicit(verdict) ? [{ request, verdict }] : [];
        },
      );
      const worst = judged.reduce((strictest, next) =>
        strictnessOf(next.verdict.decision) > strictnessOf(strictest.verdict.decision) ? next : strictest,
      );
      return plantedName(policy, subject.program, { isPlanted, worst, names: names?.names }) ?? worst;
    },
  };
}

const noAliases: ReadonlyMap<string, readonly string[]> = new Map();

interface Candidate {
  /** `itself` must be allowed. `beside` counts only if a rule refuses it, asks about it or inspects it. */
  readonly part: 'itself' | 'beside';
  readonly program: string;
  readonly argv: readonly string[];
}

/**
 * In a directory that the box can write to, the box decides the target of a link. There the target itself must be
 * allowed.
 */
function candidatesOf(
  { program, argv, interpreters }: ExecSubject,
  isPlanted: ExecJudgeOptions['isPlanted'],
  known: readonly string[],
): readonly Candidate[] {
  const { named, real } = program;
  const [itself, other] = isPlanted(named) ? [real, named] : [named, real];
  const inner = innerOf(real, argv);
  return [
    { part: 'itself', program: itself, argv },
    ...(other === itself ? [] : [{ part: 'beside', program: other, argv } as const]),
    ...known
      .filter((path) => path !== named && path !== real)
      .map((path): Candidate => ({ part: 'beside', program: path, argv })),
    ...(inner === undefined ? [] : [{ part: 'beside', ...inner } as const]),
    ...interpreted(program, argv, interpreters),
  ];
}

/**
 * Builds the arguments as the kernel does: the interpreter, the argument in its `#!` line, the script, the script's
 * arguments.
 */
function interpreted(script: Program, argv: readonly string[], interpreters: readonly Program[]): readonly Candidate[] {
  const candidates: Candidate[] = [];
  let [at, words] = [script, argv];
  for (const interpreter of interpreters) {
    const argument = at.interpreter?.argument;
    words = [interpreter.named, ...(argument === undefined ? [] : [argument]), at.named, ...words.slice(1)];
    candidates.push(
      { part: 'beside', program: interpreter.named, argv: words },
      { part: 'beside', program: interpreter.real, argv: words },
    );
    at = interpreter;
  }
  return candidates;
}

function isExplicit({ decision, code }: Verdict): boolean {
  return decision !== 'allow' && (code === 'rule' || code === 'deny-set');
}

interface Planting {
  readonly isPlanted: ExecJudgeOptions['isPlanted'];
  readonly worst: ExecJudgement;
  readonly names: ReadonlySet<string> | undefined;
}

/** A program that the policy names, found where the box could have put it (attack: `node_modules/.bin/git`). */
function plantedName(
  policy: Policy,
  { named, real }: Program,
  { isPlanted, names, worst: { request, verdict } }: Planting,
): ExecJudgement | undefined {
  if (verdict.decision === 'deny' || (!isPlanted(named) && !isPlanted(real))) return undefined;
  // If a link of the box has the same name as the system program that it points to, it counts as that program.
  const paths = isPlanted(real) ? [named, real] : baseName(named) === baseName(real) ? [] : [named];
  const refused = paths
    .map(readable)
    .filter((path) => names?.has(baseName(path)) === true)
    .flatMap((path) => plantedVerdict(policy, { ...request, program: path, argv: [baseName(path)] }) ?? []);
  return refused[0] === undefined ? undefined : { request, verdict: refused[0] };
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
