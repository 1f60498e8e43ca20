import { parseHostPattern, parsePolicy, pathPatternOf, type PolicyRequest, type Verdict } from '../../policy/index.ts';
import { render } from '../import/render.ts';
import type { Item, Place } from '../import/types.ts';
import type { Observation } from './observe.ts';

/** What has to be known of the host and of the policy that holds without the recording. */
export interface LearnFacts {
  readonly home: string;
  readonly workspace: string;
  readonly decide: (request: PolicyRequest) => Verdict;
  /** What a path leads to, after the run; `missing` where nothing is there, `closed` where nobody but its owner could know. */
  readonly typeOf: (path: string) => 'file' | 'directory' | 'missing' | 'closed';
}

/** Wanted by the run, and not proposed. */
export interface Withheld {
  readonly what: string;
  readonly why: string;
}

export interface Proposal {
  readonly items: readonly Item[];
  readonly withheld: readonly Withheld[];
}

/**
 * The smallest grants that a run needs beyond the policy that holds: a line for each path and host that it used, no wildcards,
 * nothing that any rule refuses. Pure.
 */
export function propose(observations: readonly Observation[], facts: LearnFacts): Proposal {
  const items = new Map<string, Item & { readonly times: number }>();
  const withheld = new Map<string, Withheld>();
  for (const { request, times, outcome, why } of observations) {
    const verdict = facts.decide(request);
    const needed = writable(neededFor(request, facts));
    if (needed.kind === 'nothing' || (outcome === 'seen' && verdict.decision !== 'deny')) continue;
    if (verdict.code !== 'not-granted' || needed.kind === 'withheld') {
      withheld.set(described(request), { what: described(request), why: needed.kind === 'withheld' && verdict.code === 'not-granted' ? needed.why : verdict.decision === 'deny' ? verdict.message : why });
      continue;
    }
    const key = `${needed.place} ${needed.text}`;
    const before = items.get(key)?.times ?? 0;
    items.set(key, { place: needed.place, text: needed.text, times: before + times, from: `${needed.verb} ${times + before === 1 ? 'once' : `${times + before} times`}` });
  }
  return { items: withoutCovered([...items.values()].map(({ place, text, from }) => ({ place, text, from }))), withheld: [...withheld.values()] };
}

type Needed = { readonly kind: 'nothing' } | { readonly kind: 'withheld'; readonly why: string } | { readonly kind: 'grant'; readonly place: Place; readonly text: string; readonly verb: string };

const nothing: Needed = { kind: 'nothing' };

/** Attack: a name with characters that do not show, or that reads as another in a terminal. One line that is none would be the end of all. */
function writable(needed: Needed): Needed {
  if (needed.kind !== 'grant') return needed;
  const { text } = render([{ ...needed, from: 'used' }], 'one line');
  const parsed = parsePolicy(text, { file: 'proposal', kind: 'user' });
  return parsed.kind === 'problems' ? { kind: 'withheld', why: `no policy can say it: ${parsed.problems[0]?.message ?? ''}` } : needed;
}

function neededFor(request: PolicyRequest, facts: LearnFacts): Needed {
  switch (request.kind) {
    case 'file':
      return request.operation === 'read' || request.operation === 'execute' ? readGrant(request.path, facts) : writeGrant(request.path, facts);
    case 'connect':
      return hostGrant(`${request.host}:${request.port}`, request.host);
    case 'socket':
      return { kind: 'withheld', why: 'a socket of the host leads out of the box: name it in sockets.allow when that is meant' };
    default:
      return nothing;
  }
}

/** Attack: a host whose name is a word of the policy, as `any` is, and means more there. */
function hostGrant(text: string, host: string): Needed {
  if (!isName(host)) return { kind: 'withheld', why: 'an address is no name: say yourself whose it is' };
  const pattern = parseHostPattern(text);
  const isOne = pattern.kind === 'host' && (pattern.host.kind === 'exact' || pattern.host.kind === 'localhost');
  return isOne ? { kind: 'grant', place: 'network.hosts', text, verb: 'connected to' } : { kind: 'withheld', why: 'in a policy its name means other hosts, too' };
}

/** What ends with a number is an address for whoever resolves it. */
function isName(host: string): boolean {
  return /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/iu.test(host) && !/(?:^|\.)(?:\d+|0x[\da-f]*)$/iu.test(host);
}

/** A program that finds nothing, or what the kernel keeps from its user, goes on without: only what is there was needed. */
function readGrant(path: string, facts: LearnFacts): Needed {
  const type = facts.typeOf(path);
  if (type === 'missing' || type === 'closed') return nothing;
  if (type === 'directory') return isAround(path, facts) ? nothing : { kind: 'withheld', why: 'it was listed: a grant would show everything in it' };
  return { kind: 'grant', place: 'files.read', text: patternOf(path, facts), verb: 'opened' };
}

/** A file that is there by itself, a new one by the directory that it is made in. */
function writeGrant(path: string, facts: LearnFacts): Needed {
  if (facts.typeOf(path) === 'closed') return nothing;
  if (facts.typeOf(path) === 'file') return { kind: 'grant', place: 'files.write', text: patternOf(path, facts), verb: 'changed' };
  let directory = path;
  while (facts.typeOf(directory) === 'missing' && directory !== '/') directory = directory.slice(0, directory.lastIndexOf('/')) || '/';
  if (isAround(directory, facts) || isShared(directory, facts)) return { kind: 'withheld', why: `it would be made in ${directory}, and all of that is too much to open` };
  return { kind: 'grant', place: 'files.write', text: patternOf(directory, facts), verb: 'made something in it' };
}

/** The home, the workspace, and what lies above them. */
function isAround(path: string, { home, workspace }: LearnFacts): boolean {
  return path === '/' || [home, workspace].some((place) => place === path || place.startsWith(`${path}/`));
}

/** Directories of the system, and those in which every program keeps something: what starts with the next login lies there, too. */
function isShared(path: string, { home }: LearnFacts): boolean {
  if (path.startsWith(`${home}/`)) return ['.config', '.cache', '.local', '.local/share', '.local/state', '.local/bin'].includes(path.slice(home.length + 1));
  return path.lastIndexOf('/') === 0 || /^\/(?:etc|usr|run|var|boot|lib|opt\/[^/]*$)(?:\/|$)/u.test(path);
}

function patternOf(path: string, { home }: LearnFacts): string {
  const pattern = pathPatternOf(path);
  return path.startsWith(`${home}/`) ? `~${pattern.slice(pathPatternOf(home).length)}` : pattern;
}

/** What may be written may be read, and what a directory opens needs no line of its own. */
function withoutCovered(items: readonly Item[]): readonly Item[] {
  const written = items.filter(({ place }) => place === 'files.write').map(({ text }) => text);
  return items.filter((item) => !written.some((text) => (item.place === 'files.read' && item.text === text) || (item.place.startsWith('files.') && item.text.startsWith(`${text}/`))));
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
