import type { CommandVerdict, ExecRequest, Verdict } from '../../policy/index.ts';
import { neutralGit } from '../../shell/tools/git/index.ts';
import type { AnalysedInvocation, Analysis } from '../../shell/types.ts';
import type { Rewriting } from './rewrite.ts';

export interface Judged {
  readonly analysis: Analysis;
  readonly verdict: CommandVerdict;
  /** Those whose program lies where the box changes nothing. */
  readonly fixed: ReadonlySet<number>;
}

/** What rules put in the place of commands, or give them. */
export function ruledChanges({ analysis: { invocations }, verdict: { parts } }: Judged): ReadonlyMap<AnalysedInvocation, Rewriting> {
  const changes = new Map<AnalysedInvocation, Rewriting>();
  for (const part of parts) {
    const invocation = part.kind === 'invocation' ? invocations[part.invocation] : undefined;
    if (invocation === undefined || part.kind !== 'invocation') continue;
    const { redirectArgv } = part.verdict;
    if (part.verdict.decision === 'redirect') changes.set(invocation, { argv: redirectArgv, environment: part.environment });
    else if (Object.keys(part.environment).length > 0) changes.set(invocation, { environment: part.environment });
  }
  return changes;
}

/** A command of git in the form in which the repository's configuration names no program, with what the rules give it. */
export interface NeutralChange extends Rewriting {
  readonly argv: readonly string[];
  readonly request: ExecRequest;
  readonly verdict: Verdict;
}

/** `git status` runs what `core.fsmonitor` of `.git/config` says. Only what no rule redirects, and the system's git. */
export function neutralChanges({ analysis: { invocations }, verdict: { parts }, fixed }: Judged): ReadonlyMap<AnalysedInvocation, NeutralChange> {
  const changes = new Map<AnalysedInvocation, NeutralChange>();
  for (const part of parts) {
    const invocation = part.kind === 'invocation' ? invocations[part.invocation] : undefined;
    if (invocation === undefined || part.kind !== 'invocation' || part.verdict.decision === 'redirect' || !fixed.has(invocation.id) || !runsRepository(invocation, part.request)) continue;
    const neutral = neutralGit(part.request.argv);
    if (neutral !== undefined) changes.set(invocation, { argv: neutral.argv, environment: { ...neutral.environment, ...part.environment }, request: part.request, verdict: part.verdict });
  }
  return changes;
}

function runsRepository({ argv, effects }: AnalysedInvocation, { program }: ExecRequest): boolean {
  return program.endsWith('/git') && effects.opaque.some(({ kind }) => kind === 'repository-code') && argv.every((word) => word.kind === 'static' && word.lead === undefined);
}
