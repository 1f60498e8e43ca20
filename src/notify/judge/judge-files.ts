import { fileAnchors } from '../../policy/anchors.ts';
import { decide } from '../../policy/decide.ts';
import { normalisePath } from '../../policy/normalise/path.ts';
import type { Policy } from '../../policy/policy.ts';
import type { FileAccess, FileRequest } from '../../policy/request.ts';
import { newProtectedOf } from '../../policy/settings/switches.ts';
import { strictnessOf, type Verdict, type VerdictCode } from '../../policy/verdict.ts';
import { fromReadable, readable } from '../view/byte-text.ts';

/** One thing that a call would do, at the real path. */
export interface FileTouch {
  readonly operation: FileAccess;
  /** Bytes as latin1. */
  readonly path: string;
}

export interface FileJudgement extends FileTouch {
  readonly request: FileRequest;
  readonly verdict: Verdict;
  readonly treatment: Treatment;
}

/**
 * The supervisor's answer. `kernel` leaves the call to the box's own mounts, which refuse ungranted paths with the
 * errno that programs expect.
 */
export type Treatment = 'kernel' | 'audit' | 'redirect' | 'stage' | 'ask' | 'refuse';

/** In the order of the touches. */
export function judgeFiles(policy: Policy, touches: readonly FileTouch[]): readonly FileJudgement[] {
  return touches.map((touch) => {
    const request: FileRequest = { kind: 'file', operation: touch.operation, path: readable(touch.path) };
    const verdict = decide(policy, request);
    return { ...touch, request, verdict, treatment: treatmentOf(policy, touch, verdict) };
  });
}

/** The judgement that decides the call. */
export function strictest(judgements: readonly FileJudgement[]): FileJudgement | undefined {
  return judgements.reduce<FileJudgement | undefined>(
    (worst, next) => (worst === undefined || rank(next) > rank(worst) ? next : worst),
    undefined,
  );
}

function rank({ treatment, verdict }: FileJudgement): number {
  return treatment === 'kernel' ? 0 : strictnessOf(verdict.decision);
}

/** Codes for names that would be protected or hidden if they existed when a box starts. */
const kept: ReadonlySet<VerdictCode> = new Set(['protected-path', 'policy-file', 'hidden-file', 'deny-set']);

/**
 * In a new repository, the supervisor judges git's own files by their content after the box has ended. If the policy
 * demands it, it judges all other new files the same way.
 */
function isNewProtected(policy: Policy, { operation, path }: FileTouch, code: VerdictCode): boolean {
  return (
    operation === 'create' && kept.has(code) && newProtectedOf(policy) === 'refuse' && !/\/\.git(?:\/|$)/iu.test(path)
  );
}

/** Whether a path is a new protected name that is judged only after the box has ended. */
export function isLeftToTheEnd(
  policy: Policy,
  judgement: Pick<FileJudgement, 'operation' | 'path' | 'verdict'>,
): boolean {
  return (
    judgement.operation === 'create' &&
    kept.has(judgement.verdict.code) &&
    !isNewProtected(policy, judgement, judgement.verdict.code)
  );
}

/** Whether a rule closes a path to the box itself. Then the supervisor performs even calls that no rule mentions. */
export function isClosedByRule(policy: Policy, path: string): boolean {
  return judgeFiles(
    policy,
    everyOperation.map((operation) => ({ operation, path })),
  ).some(({ treatment }) => treatment === 'ask' || treatment === 'redirect' || treatment === 'stage');
}

const everyOperation: readonly FileAccess[] = ['read', 'write', 'create', 'delete'];

function treatmentOf(policy: Policy, touch: FileTouch, { decision, code }: Verdict): Treatment {
  const { operation } = touch;
  switch (decision) {
    case 'allow':
      return 'kernel';
    case 'audit':
    case 'redirect':
    case 'ask':
      return decision;
    case 'stage':
      // Reading destroys nothing, so nothing has to be kept.
      return operation === 'read' || operation === 'execute' ? 'kernel' : 'stage';
    case 'deny':
      return code === 'rule' || isNewProtected(policy, touch, code) ? 'refuse' : 'kernel';
  }
}

interface RedirectPlaces {
  readonly home: string;
  readonly workspace: string;
}

/**
 * Returns the target of a redirected path. A path beneath the rule's path maps to the same relative path beneath the
 * target. A pattern maps to the target itself. Undefined if the target is not a path.
 */
export function redirectTarget(
  policy: Policy,
  { path, verdict }: Pick<FileJudgement, 'path' | 'verdict'>,
  places: RedirectPlaces,
): string | undefined {
  const target = verdict.redirectTo === undefined ? undefined : normalisePath(absolute(verdict.redirectTo, places));
  if (target === undefined) return undefined;
  const text = readable(path);
  const base = fileAnchors(policy).find(
    ({ rule, file, pattern }) =>
      rule === verdict.rule && file === verdict.file && pattern.kind === 'subtree' && isWithin(text, pattern.base),
  )?.pattern.base;
  return fromReadable(target) + (base === undefined ? '' : path.slice(fromReadable(base).length));
}

function absolute(text: string, { home, workspace }: RedirectPlaces): string {
  if (text.startsWith('/')) return text;
  return text === '~' || text.startsWith('~/') ? `${home}${text.slice(1)}` : `${workspace}/${text}`;
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}
