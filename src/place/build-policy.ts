import { hash } from 'node:crypto';
import { HoldfastError } from '../errors/index.ts';
import type { WorkspaceFacts } from '../plan/facts.ts';
import { strictFile, strictText } from '../policy/builtin/strict.ts';
import { checkPolicy, type Mechanism } from '../policy/check-policy.ts';
import { parsePolicy } from '../policy/document/parse.ts';
import type { Problem } from '../policy/document/problem.ts';
import { decide } from '../policy/decide.ts';
import type { PolicyDocument } from '../policy/document/types.ts';
import { compileLayer, type GrantSource, userLayer } from '../policy/layers/compile-layer.ts';
import type { Layer } from '../policy/layers/layer.ts';
import { goesAhead } from '../policy/verdict.ts';
import { builtinRequired, type SecondPaths } from '../policy/layers/required.ts';
import { pathPatternOf } from '../policy/patterns/path-pattern.ts';
import type { PatternBase } from '../policy/patterns/resolve-path.ts';
import { type Policy, policyOf } from '../policy/policy.ts';
import { sayStrict } from '../policy/settings/switches.ts';
import type { Grants } from './grants.ts';
import type { SecondPath } from './host/bind-mounts.ts';
import type { PlacePlan } from './place-plan.ts';
import type { PolicyText } from './policy-texts.ts';

/** The inputs of a policy: its place, and grants other than those of its files. */
export interface PolicyPlace {
  readonly home: string;
  readonly workspace: WorkspaceFacts;
  /** Files of Holdfast itself that are visible in the box. */
  readonly visible: readonly string[];
  /** Path of the user's policy, even if no file exists. */
  readonly userFile: string;
  readonly sources: readonly PolicyText[];
  readonly bindMounts?: readonly SecondPath[];
  readonly grants: Grants;
  readonly ownDirectories: readonly string[];
}

/** The mechanisms that this version can carry out. */
const mechanisms: ReadonlySet<Mechanism> = new Set<Mechanism>([
  'file.allow',
  'file.audit',
  'file.redirect',
  'file.stage',
  'file.ask',
  'file.deny',
  'socket.allow',
  'socket.deny',
  'env.allow',
  'env.deny',
  'connect.allow',
  'connect.audit',
  'connect.redirect',
  'connect.ask',
  'connect.deny',
  'http.allow',
  'http.audit',
  'http.ask',
  'http.deny',
  'dns.allow',
  'dns.audit',
  'dns.deny',
  'real-dns.allow',
  'passthrough.allow',
  'credential.allow',
  'ca.allow',
  'forward.allow',
  'socket.audit',
  'socket.redirect',
  'socket.ask',
  // No box on this machine has a registry, so no program can reach one. `inertRules` reports the lines about it.
  'registry.allow',
  'registry.audit',
  'registry.ask',
  'registry.deny',
  'signal.allow',
  'signal.audit',
  'signal.redirect',
  'signal.ask',
  'signal.deny',
  // Enforced by `holdfast mcp wrap` and by the hooks of agents, because a box cannot recognise a tool call.
  'tool.allow',
  'tool.audit',
  'tool.ask',
  'tool.deny',
  'trust.allow',
  'trust.audit',
  'trust.ask',
  'trust.deny',
  'exec.allow',
  'exec.audit',
  'exec.redirect',
  'exec.ask',
  'exec.deny',
]);

/** Returns the policy of texts that were read before. Throws one error that lists the problems of all texts. */
export function buildPolicy(place: PolicyPlace): Policy {
  const documents = parseAll(place.sources);
  const at = { home: place.home, workspace: place.workspace.root };
  const user = documents.find(({ kind }) => kind === 'user')?.document;
  const policyFiles = [
    ...place.sources.flatMap(({ kind, file }) => (kind === 'session' ? [] : [file])),
    ...place.visible,
  ].flatMap(patternFor);
  const required = { ...at, ownDirectories: place.ownDirectories.map(pathPatternOf), policyFiles };
  const layers = [
    userLayer(user, { ...at, userFile: homely(place.userFile, place.home) }, [
      ownGrants(place),
      ...givenGrants(place.grants),
      ...givenCredentials(
        place.grants,
        documents.map(({ document }) => document),
      ),
    ]),
    ...documents
      .filter(({ kind }) => kind !== 'user')
      .map(({ kind, document }) => compileLayer(document, { kind, ...at })),
    ...(sayStrict(documents.map(({ document }) => document)) ? [strictLayer(at)] : []),
  ];
  const first = policyOf([builtinRequired(required), ...layers]);
  const seconds = secondPaths(first, place.bindMounts ?? []);
  const policy =
    seconds.hidden.length + seconds.protected.length === 0
      ? first
      : policyOf([builtinRequired({ ...required, seconds }), ...layers]);
  refuse(checkPolicy(policy, { approver: 'present', mechanisms }));
  return policy;
}

/**
 * Returns second paths of directories whose first path is refused for reading or writing. If the first path merely
 * lacks a grant, the grants of the second path decide: the person who mounted it there wants it there. Attack:
 * `fs-bind-mount-alias`.
 */
function secondPaths(policy: Policy, mounts: readonly SecondPath[]): SecondPaths {
  const refuses = (operation: 'read' | 'write', path: string): boolean => {
    const { decision, code } = decide(policy, { kind: 'file', operation, path });
    return !goesAhead(decision) && code !== 'not-granted' && code !== 'outside-ceiling';
  };
  const hidden = mounts.filter(({ sources }) => sources.some((source) => refuses('read', source)));
  const kept = mounts.filter(
    (mount) => !hidden.includes(mount) && mount.sources.some((source) => refuses('write', source)),
  );
  return {
    hidden: hidden.flatMap(({ path }) => patternFor(path)),
    protected: kept.flatMap(({ path }) => patternFor(path)),
  };
}

function strictLayer(at: PatternBase): Layer {
  const parsed = parsePolicy(strictText, { file: strictFile, kind: 'session' });
  if (parsed.kind !== 'document')
    throw new HoldfastError('HF_INTERNAL', 'the strict policy is not a policy', {
      remedy: 'Report this as a defect of Holdfast.',
    });
  return compileLayer(parsed.document, { kind: 'session', ...at });
}

/** Returns SHA-256 sums for the journal, over all texts and grants, and of the managed policy file. */
export function policyDigests({ sources, grants }: Pick<PolicyPlace, 'sources' | 'grants'>): PlacePlan['digests'] {
  const managed = sources.find(({ kind }) => kind === 'managed');
  return {
    policy: hash('sha256', JSON.stringify([sources, grants])),
    ...(managed === undefined ? {} : { managed: hash('sha256', managed.text) }),
  };
}

/**
 * Returns no pattern for a path with control characters, because patterns cannot contain them. So nobody gets a grant
 * for it, and a policy file is protected by its name.
 */
function patternFor(path: string): readonly string[] {
  return /\p{Cc}/u.test(path) ? [] : [pathPatternOf(path)];
}

/** Returns the path as a person would write it, with `~`. */
function homely(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/**
 * Returns the paths that every session needs: the git directories of a linked worktree, and Holdfast's own files. Does
 * not read their content.
 */
function ownGrants({ workspace, visible }: PolicyPlace): GrantSource {
  return {
    name: 'session',
    file: 'built-in',
    grants: { files: { write: workspace.gitDirectories.flatMap(patternFor), read: visible.flatMap(patternFor) } },
  };
}

/** In place of a file's name. */
const commandLine = 'command line';

function givenGrants(grants: Grants): readonly GrantSource[] {
  const file = commandLine;
  return [
    { name: '--read', file, grants: { files: { read: patternsOf(grants.read) } } },
    { name: '--write', file, grants: { files: { write: patternsOf(grants.write) } } },
    { name: '--preset', file, grants: { network: { presets: grants.presets ?? [] } } },
    {
      name: '--forward',
      file,
      grants: { network: { forward: (grants.forward ?? []).filter((port) => port !== 'none') } },
    },
    { name: '--host', file, grants: { network: { hosts: grants.hosts ?? [] } } },
    { name: '--socket', file, grants: { sockets: { allow: patternsOf(grants.sockets) } } },
    { name: '--env', file, grants: { environment: { pass: grants.environment ?? [] } } },
    {
      name: '--profile',
      file,
      grants: {
        environment: { set: grants.variables ?? {} },
        files: { ephemeral: patternsOf(grants.ephemeral), release: patternsOf(grants.release) },
      },
    },
  ];
}

/** Returns granted credentials as tables of a policy. */
function givenCredentials({ credentials = [] }: Grants, documents: readonly PolicyDocument[]): readonly GrantSource[] {
  const written = new Set(
    documents.flatMap(({ value }) =>
      (value.credentials ?? []).flatMap(({ name, provider }) => [name, provider ?? name]),
    ),
  );
  const tables = credentials
    .filter(({ provider }) => !written.has(provider))
    .map(
      ({ provider, environment, delivered }) =>
        `[[credentials]]\nname = ${JSON.stringify(provider)}\nprovider = ${JSON.stringify(provider)}\nsource = { env = ${JSON.stringify(environment)} }\n${delivered === undefined ? '' : `environment = ${JSON.stringify(delivered)}\n`}`,
    );
  if (tables.length === 0) return [];
  const parsed = parsePolicy(`version = 1\n${tables.join('')}`, { file: commandLine, kind: 'user' });
  if (parsed.kind === 'problems') refuse(parsed.problems);
  return parsed.kind === 'document'
    ? [{ name: '--profile', file: commandLine, grants: {}, credentials: parsed.document }]
    : [];
}

/** Paths, and names of abstract sockets, are literal. */
function patternsOf(paths: readonly string[] = []): readonly string[] {
  return paths.map(pathPatternOf);
}

interface ParsedSource {
  readonly kind: PolicyText['kind'];
  readonly document: PolicyDocument;
}

function parseAll(sources: readonly PolicyText[]): readonly ParsedSource[] {
  const parsed = sources.map((source) => ({
    kind: source.kind,
    result: parsePolicy(source.text, { file: source.file, kind: source.kind }),
  }));
  refuse(parsed.flatMap(({ result }) => (result.kind === 'problems' ? result.problems : [])));
  return parsed.flatMap(({ kind, result }) =>
    result.kind === 'document' ? [{ kind, document: result.document }] : [],
  );
}

function refuse(problems: readonly Problem[]): void {
  const [first] = problems;
  if (first === undefined) return;
  const lines = problems.map(
    (problem) => `${problem.file}${problem.line > 0 ? `:${problem.line}` : ''}: ${problem.message}; ${problem.remedy}`,
  );
  throw new HoldfastError(first.code, lines.join('\n'), {
    remedy:
      first.file === commandLine
        ? 'correct this option of the command line'
        : 'correct the policy, and check it with `holdfast policy check`',
    details: { problems },
  });
}
