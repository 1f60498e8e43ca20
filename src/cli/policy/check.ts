import { type HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { inertRules, type Problem } from '../../policy/index.ts';
import { policyOfPlace } from '../../sandbox/planner.ts';
import type { PolicyText } from '../../sandbox/policy-texts.ts';
import { type CommandInput, isSet } from '../command.ts';
import { jsonText } from '../json-text.ts';
import { safeText } from '../safe-text.ts';
import { placeOf, policySources } from './sources.ts';

/** `holdfast policy check [FILE]`: 0 when a box could start with it, 1 with every problem otherwise. */
export function checkPolicies(input: CommandInput, file: string | undefined): number {
  const { problems, notes, files } = examine(input, file);
  input.io.stdout.write(isSet(input.values['json']) ? jsonText({ files, problems, notes }) : safeText(`${report(problems, files)}${notes.map(problemText).join('')}`));
  return problems.length === 0 ? 0 : 1;
}

interface Findings {
  readonly problems: readonly Problem[];
  /** What is sound and of no effect on this machine. */
  readonly notes: readonly Problem[];
  readonly files: readonly string[];
}

/** A policy is sound when the session that it is for could be opened, so that is what is tried. */
function examine(input: CommandInput, file: string | undefined): Findings {
  const sources: PolicyText[] = [];
  try {
    sources.push(...policySources(input, file));
    const place = placeOf(input);
    const notes = inertRules(policyOfPlace({ ...place, sources }));
    return { problems: [], notes, files: sources.map((source) => source.file) };
  } catch (error) {
    if (!isHoldfastError(error) || !error.code.startsWith('HF_POLICY')) throw error;
    return { problems: problemsOf(error), notes: [], files: sources.map((source) => source.file) };
  }
}

/** An error about one file, e.g. that it cannot be read, is one problem. */
function problemsOf(error: HoldfastError): readonly Problem[] {
  const problems = error.details['problems'] as readonly Problem[] | undefined;
  return problems ?? [{ code: 'HF_POLICY_INVALID', file: '', line: 0, message: error.message, remedy: error.remedy }];
}

function report(problems: readonly Problem[], files: readonly string[]): string {
  if (problems.length === 0) return files.length === 0 ? 'no policy file holds here: the built-in defaults do\n' : files.map((file) => `${file}: no problems\n`).join('');
  return problems.map(problemText).join('');
}

/** The form that editors and terminals make links of. */
export function problemText({ file, line, message, remedy }: Problem): string {
  const place = file === '' ? '' : line === 0 ? `${file}: ` : `${file}:${line}: `;
  return `${place}${message}\n  ${remedy}\n`;
}
