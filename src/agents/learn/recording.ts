import { statSync } from 'node:fs';
import type { Grants } from '../../place/grants.ts';
import { readPlace } from '../../place/place.ts';
import { policyOfPlace } from '../../place/planner.ts';
import type { PolicyText } from '../../place/policy-texts.ts';
import { decide } from '../../policy/decide.ts';
import { parsePolicy } from '../../policy/document/parse.ts';
import { parseHostPattern } from '../../policy/patterns/host-pattern.ts';
import { pathPatternOf } from '../../policy/patterns/path-pattern.ts';
import type { PolicyRequest } from '../../policy/request.ts';
import type { Verdict } from '../../policy/verdict.ts';
import type { SessionOptions } from '../../session/session-options.ts';
import { render } from '../import/settle.ts';
import type { Item, PolicyList } from '../import/types.ts';
import type { Observation } from './observe.ts';

/** `refuse`: hosts are recorded and not reached. `record`: hosts with public addresses are reached. */
export type NetworkWhileLearning = 'refuse' | 'record';

export interface RecordingOptions {
  readonly network: NetworkWhileLearning;
  /**
   * Further directories that may be read, as absolute paths. Besides them, only the home directory and the workspace
   * are readable of the host's data.
   */
  readonly look: readonly string[];
}

/**
 * Returns the session of a recorded run. The home directory and the workspace are writable, in a layer that is thrown
 * away with the box. Credential stores and hidden files stay closed, and every open is journalled.
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
  // A name is resolved only if its host could be reached. So the policy asks, and the answer is no.
  return {
    ...options,
    grants,
    layers: network === 'refuse' ? [journalled, refusing] : [journalled],
    approve: () => Promise.resolve('deny'),
  };
}

/** A layer that only removes permissions. Its requests are allowed as before, and journalled. */
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
  /** A user policy with one line for each used path or host. Holds only its version if the current policy is enough. */
  readonly policy: string;
  readonly lines: number;
  readonly withheld: readonly Withheld[];
}

/** Returns the grants that the policy without the recording lacks for the run. */
export function learnFrom(observations: readonly Observation[], options: SessionOptions): Learned {
  const place = readPlace(options);
  const base = policyOfPlace(place);
  const { items, withheld } = propose(observations, {
    home: place.home,
    workspace: place.workspace.root,
    decide: (request) => withoutRecording(decide(base, request), request, place.home),
    typeOf,
  });
  const { text } = render(items, 'grants that a recorded run needs beyond the current policy');
  const parsed = parsePolicy(text, { file: 'proposal', kind: 'user' });
  if (parsed.kind === 'problems') throw new Error(`a proposal is not a policy: ${parsed.problems[0]?.message ?? ''}`);
  return { policy: text, lines: items.length, withheld };
}

/** In the box, a home below `/tmp` is a separate, empty directory. Only the recording showed the home of the host. */
function withoutRecording(verdict: Verdict, request: PolicyRequest, home: string): Verdict {
  if (request.kind !== 'file' || !verdict.rule.startsWith('private:') || !request.path.startsWith(`${home}/`))
    return verdict;
  return { ...verdict, decision: 'deny', code: 'not-granted' };
}

function typeOf(path: string): ReturnType<LearnFacts['typeOf']> {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? 'missing' : stats.isDirectory() ? 'directory' : 'file';
  } catch {
    // A directory on the way is closed to its user, links form a loop, or the name is too long.
    return 'closed';
  }
}

/** Facts about the host, and about the policy without the recording. */
export interface LearnFacts {
  readonly home: string;
  readonly workspace: string;
  readonly decide: (request: PolicyRequest) => Verdict;
  /** Type of a path's target after the run. `missing`: nothing is there. `closed`: only its owner could know. */
  readonly typeOf: (path: string) => 'file' | 'directory' | 'missing' | 'closed';
}

/** A request of the run that is not proposed. */
interface Withheld {
  readonly what: string;
  readonly why: string;
}

interface Proposal {
  readonly items: readonly Item[];
  readonly withheld: readonly Withheld[];
}

/**
 * Returns the smallest grants that a run needs beyond the current policy. Each used path and host gets a line. A grant
 * has no wildcards, and covers nothing that a rule refuses. Pure.
 */
export function propose(observations: readonly Observation[], facts: LearnFacts): Proposal {
  const items = new Map<string, Item & { readonly times: number }>();
  const withheld = new Map<string, Withheld>();
  for (const { request, times, outcome, why } of observations) {
    const verdict = facts.decide(request);
    const needed = writable(neededFor(request, facts));
    if (needed.kind === 'nothing' || (outcome === 'seen' && verdict.decision !== 'deny')) continue;
    if (verdict.code !== 'not-granted' || needed.kind === 'withheld') {
      withheld.set(described(request), {
        what: described(request),
        why:
          needed.kind === 'withheld' && verdict.code === 'not-granted'
            ? needed.why
            : verdict.decision === 'deny'
              ? verdict.message
              : why,
      });
      continue;
    }
    const key = `${needed.place} ${needed.text}`;
    const before = items.get(key)?.times ?? 0;
    items.set(key, {
      place: needed.place,
      text: needed.text,
      times: before + times,
      from: `${needed.verb} ${times + before === 1 ? 'once' : `${times + before} times`}`,
    });
  }
  return {
    items: withoutCovered([...items.values()].map(({ place, text, from }) => ({ place, text, from }))),
    withheld: [...withheld.values()],
  };
}

type Needed =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'withheld'; readonly why: string }
  | { readonly kind: 'grant'; readonly place: PolicyList; readonly text: string; readonly verb: string };

const nothing: Needed = { kind: 'nothing' };

/**
 * Attack: a name with hidden characters, or one that a terminal shows as another. One invalid line would break the
 * whole policy.
 */
function writable(needed: Needed): Needed {
  if (needed.kind !== 'grant') return needed;
  const { text } = render([{ ...needed, from: 'used' }], 'one line');
  const parsed = parsePolicy(text, { file: 'proposal', kind: 'user' });
  return parsed.kind === 'problems'
    ? { kind: 'withheld', why: `no policy can express it: ${parsed.problems[0]?.message ?? ''}` }
    : needed;
}

function neededFor(request: PolicyRequest, facts: LearnFacts): Needed {
  switch (request.kind) {
    case 'file':
      return request.operation === 'read' || request.operation === 'execute'
        ? readGrant(request.path, facts)
        : writeGrant(request.path, facts);
    case 'connect':
      return hostGrant(`${request.host}:${request.port}`, request.host);
    case 'socket':
      return {
        kind: 'withheld',
        why: 'a socket of the host leads out of the box: to allow it, name it in sockets.allow',
      };
    default:
      return nothing;
  }
}

/** Attack: a host whose name is a keyword of the policy, such as `any`, and means more there. */
function hostGrant(text: string, host: string): Needed {
  if (!isName(host))
    return { kind: 'withheld', why: 'it is an address, not a name: add it yourself if you know its owner' };
  const pattern = parseHostPattern(text);
  const isOne = pattern.kind === 'host' && (pattern.host.kind === 'exact' || pattern.host.kind === 'localhost');
  return isOne
    ? { kind: 'grant', place: 'network.hosts', text, verb: 'connected to' }
    : { kind: 'withheld', why: 'in a policy its name means other hosts, too' };
}

/** Resolvers take a name that ends with a number for an address. */
function isName(host: string): boolean {
  return /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/iu.test(host) && !/(?:^|\.)(?:\d+|0x[\da-f]*)$/iu.test(host);
}

/**
 * A program does without a missing file, or one that the kernel denies to its user. So only existing files were needed.
 */
function readGrant(path: string, facts: LearnFacts): Needed {
  const type = facts.typeOf(path);
  if (type === 'missing' || type === 'closed') return nothing;
  if (type === 'directory')
    return isAround(path, facts)
      ? nothing
      : { kind: 'withheld', why: 'it was listed: a grant would show everything in it' };
  return { kind: 'grant', place: 'files.read', text: patternOf(path, facts), verb: 'opened' };
}

/** Grants an existing file itself, and a new one by its directory. */
function writeGrant(path: string, facts: LearnFacts): Needed {
  if (facts.typeOf(path) === 'closed') return nothing;
  if (facts.typeOf(path) === 'file')
    return { kind: 'grant', place: 'files.write', text: patternOf(path, facts), verb: 'changed' };
  let directory = path;
  while (facts.typeOf(directory) === 'missing' && directory !== '/')
    directory = directory.slice(0, directory.lastIndexOf('/')) || '/';
  if (isAround(directory, facts) || isShared(directory, facts))
    return { kind: 'withheld', why: `it would be made in ${directory}, and opening all of that is too much` };
  return { kind: 'grant', place: 'files.write', text: patternOf(directory, facts), verb: 'made something in it' };
}

/** Whether a path is the home, the workspace, or above one of them. */
function isAround(path: string, { home, workspace }: LearnFacts): boolean {
  return path === '/' || [home, workspace].some((place) => place === path || place.startsWith(`${path}/`));
}

/**
 * Whether a directory belongs to the system, or is shared by every program. Such a directory may also hold programs
 * that start with the next login.
 */
function isShared(path: string, { home }: LearnFacts): boolean {
  if (path.startsWith(`${home}/`))
    return ['.config', '.cache', '.local', '.local/share', '.local/state', '.local/bin'].includes(
      path.slice(home.length + 1),
    );
  return path.lastIndexOf('/') === 0 || /^\/(?:etc|usr|run|var|boot|lib|opt\/[^/]*$)(?:\/|$)/u.test(path);
}

function patternOf(path: string, { home }: LearnFacts): string {
  const pattern = pathPatternOf(path);
  return path.startsWith(`${home}/`) ? `~${pattern.slice(pathPatternOf(home).length)}` : pattern;
}

/** Drops items that others cover: a write grant covers reading, and a directory covers its entries. */
function withoutCovered(items: readonly Item[]): readonly Item[] {
  const written = items.filter(({ place }) => place === 'files.write').map(({ text }) => text);
  return items.filter(
    (item) =>
      !written.some(
        (text) =>
          (item.place === 'files.read' && item.text === text) ||
          (item.place.startsWith('files.') && item.text.startsWith(`${text}/`)),
      ),
  );
}

function described(request: PolicyRequest): string {
  switch (request.kind) {
    case 'file':
      return `${request.operation} ${request.path}`;
    case 'connect':
      return `connect to ${request.host}:${request.port}`;
    case 'socket':
      return `${request.operation} ${request.address}`;
    default:
      return request.kind;
  }
}
