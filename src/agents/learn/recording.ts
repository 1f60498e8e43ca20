import { statSync } from 'node:fs';
import { decide, parsePolicy, type PolicyRequest, type Verdict } from '../../policy/index.ts';
import { policyOfPlace } from '../../sandbox/planner.ts';
import { type Grants, readPlace, type SessionOptions } from '../../sandbox/place.ts';
import type { PolicyText } from '../../sandbox/policy-texts.ts';
import { render } from '../import/render.ts';
import type { Observation } from './observe.ts';
import { type LearnFacts, propose, type Withheld } from './propose.ts';

/** `refuse`: hosts are noted and not reached. `record`: those that have public addresses are reached. */
export type NetworkWhileLearning = 'refuse' | 'record';

export interface RecordingOptions {
  readonly network: NetworkWhileLearning;
  /** Further directories that may be read, absolute. The home directory and the workspace are, and nothing else of the host's data. */
  readonly look: readonly string[];
}

/**
 * The session that a run is recorded in. The home directory can be read and written, in a layer that is thrown away with the box; so
 * is the workspace. Credential stores and hidden files stay closed, and every opening is journalled.
 */
export function recordingSession(options: SessionOptions, { network, look }: RecordingOptions): SessionOptions {
  const place = readPlace(options);
  const given = options.grants ?? {};
  const grants: Grants = {
    ...given,
    read: [...(given.read ?? []), ...look],
    ephemeral: [place.home, place.workspace.root],
    hosts: [...(given.hosts ?? []), 'any'],
  };
  // Names are answered only where a host could be reached: it is asked about, and the answer is no.
  return { ...options, grants, layers: network === 'refuse' ? [journalled, refusing] : [journalled], approve: () => Promise.resolve('deny') };
}

/** A layer that only takes away: what it is about is allowed as before, and written down. */
const journalled: PolicyText = {
  kind: 'session',
  file: 'holdfast learn',
  text: 'version = 1\n[[file]]\nname = "learn"\ndecision = "audit"\npaths = ["/"]\noperations = ["read", "write", "create", "delete"]\n',
};

const refusing: PolicyText = {
  kind: 'session',
  file: 'holdfast learn --network refuse',
  text: 'version = 1\n[[connect]]\nname = "learn-network"\ndecision = "ask"\nhosts = ["any"]\n',
};

export interface Learned {
  /** A user policy with one line for each thing that was used; empty but for its version when the policy that holds is enough. */
  readonly policy: string;
  readonly lines: number;
  readonly withheld: readonly Withheld[];
}

/** What the policy that holds without the recording lacks for the run. */
export function learnFrom(observations: readonly Observation[], options: SessionOptions): Learned {
  const place = readPlace(options);
  const base = policyOfPlace(place);
  const { items, withheld } = propose(observations, { home: place.home, workspace: place.workspace.root, decide: (request) => withoutRecording(decide(base, request), request, place.home), typeOf });
  const { text } = render(items, 'what a recorded run needs beyond the policy that holds');
  const parsed = parsePolicy(text, { file: 'proposal', kind: 'user' });
  if (parsed.kind === 'problems') throw new Error(`a proposal is no policy: ${parsed.problems[0]?.message ?? ''}`);
  return { policy: text, lines: items.length, withheld };
}

/** A home below `/tmp` is another place in the box, which is empty there: the recording alone has shown it. */
function withoutRecording(verdict: Verdict, request: PolicyRequest, home: string): Verdict {
  if (request.kind !== 'file' || !verdict.rule.startsWith('private:') || !request.path.startsWith(`${home}/`)) return verdict;
  return { ...verdict, decision: 'deny', code: 'not-granted' };
}

function typeOf(path: string): ReturnType<LearnFacts['typeOf']> {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? 'missing' : stats.isDirectory() ? 'directory' : 'file';
  } catch {
    // A directory above it that its user may not enter, links that lead round, or a name longer than any.
    return 'closed';
  }
}
