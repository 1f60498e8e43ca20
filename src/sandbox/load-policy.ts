import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HoldfastError } from '../errors/index.ts';
import type { WorkspaceFacts } from '../plan/index.ts';
import { builtinRequired, compileLayer, parsePolicy, policyOf, userLayer, type GrantSource, type Policy, type PolicyDocument } from '../policy/index.ts';
import type { StatePaths } from './host/state-paths.ts';

/** What the person who starts a session grants on the command line or through the library. It counts as their policy. */
export interface Grants {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  /** `HOST` or `HOST:PORT`. */
  readonly hosts?: readonly string[];
  readonly environment?: readonly string[];
  readonly sockets?: readonly string[];
}

/** A policy file as it was read. */
export interface PolicyText {
  readonly kind: 'managed' | 'user' | 'project';
  readonly file: string;
  readonly text: string;
}

export interface LoadedPolicy {
  readonly policy: Policy;
  readonly sources: readonly PolicyText[];
  readonly grants: Grants;
  readonly ownDirectories: readonly string[];
  /** SHA-256 over the texts and grants, for the journal. */
  readonly digest: string;
}

export interface PolicyPlace {
  readonly home: string;
  readonly workspace: WorkspaceFacts;
  /** Files of Holdfast itself, visible in the box. */
  readonly installation: readonly string[];
  readonly grants: Grants;
  /** Holdfast's own directories, which no box sees. */
  readonly ownDirectories: readonly string[];
}

const largestFile = 1 << 20;
export const projectFile = 'holdfast.toml';

/** Reads every policy file that holds for a workspace. Throws one error that names every problem of all of them. */
export function loadPolicy(paths: StatePaths, place: Omit<PolicyPlace, 'ownDirectories'>): LoadedPolicy {
  const sources = [
    readSource('managed', paths.managedPolicy),
    readSource('user', paths.userPolicy),
    readSource('project', join(place.workspace.root, projectFile)),
  ].flatMap((source) => source ?? []);
  return buildPolicy(sources, { ...place, ownDirectories: [dirname(paths.userPolicy), paths.state, dirname(paths.managedPolicy)] });
}

/** The policy of texts that were read before; `why` inside a box builds the same one again. */
export function buildPolicy(sources: readonly PolicyText[], place: PolicyPlace): LoadedPolicy {
  const documents = parseAll(sources);
  const at = { home: place.home, workspace: place.workspace.root };
  const user = documents.find(({ kind }) => kind === 'user')?.document;
  const others = documents.filter(({ kind }) => kind !== 'user').map(({ kind, document }) => compileLayer(document, { kind, ...at }));
  const required = builtinRequired({ ...at, ownDirectories: place.ownDirectories, policyFiles: sources.map(({ file }) => file) });
  const policy = policyOf([required, userLayer(user, at, [ownGrants(place), ...givenGrants(place.grants)]), ...others]);
  return { policy, sources, grants: place.grants, ownDirectories: place.ownDirectories, digest: createHash('sha256').update(JSON.stringify([sources, place.grants])).digest('hex') };
}

/** What every session needs: the git directories of a linked worktree, and Holdfast's own files. */
function ownGrants({ workspace, installation }: PolicyPlace): GrantSource {
  return { name: 'session', file: 'built-in', grants: { files: { write: [...workspace.gitDirectories], read: [...installation] } } };
}

function givenGrants(grants: Grants): readonly GrantSource[] {
  const file = 'command line';
  return [
    { name: '--read', file, grants: { files: { read: grants.read ?? [] } } },
    { name: '--write', file, grants: { files: { write: grants.write ?? [] } } },
    { name: '--host', file, grants: { network: { hosts: grants.hosts ?? [] } } },
    { name: '--socket', file, grants: { sockets: { allow: grants.sockets ?? [] } } },
    { name: '--env', file, grants: { environment: { pass: grants.environment ?? [] } } },
  ];
}

interface ParsedSource {
  readonly kind: PolicyText['kind'];
  readonly document: PolicyDocument;
}

function parseAll(sources: readonly PolicyText[]): readonly ParsedSource[] {
  const parsed = sources.map((source) => ({ kind: source.kind, result: parsePolicy(source.text, { file: source.file, kind: source.kind }) }));
  const problems = parsed.flatMap(({ result }) => (result.kind === 'problems' ? result.problems : []));
  const [first] = problems;
  if (first !== undefined) {
    const lines = problems.map((problem) => `${problem.file}:${problem.line}: ${problem.message}; ${problem.remedy}`);
    throw new HoldfastError(first.code, lines.join('\n'), { remedy: 'correct the policy, and check it with `holdfast policy check`', details: { problems } });
  }
  return parsed.flatMap(({ kind, result }) => (result.kind === 'document' ? [{ kind, document: result.document }] : []));
}

/** Undefined when there is no such file. A policy that cannot be read is never taken for one that is not there. */
function readSource(kind: PolicyText['kind'], file: string): PolicyText | undefined {
  try {
    const { size } = statSync(file);
    if (size > largestFile) throw new HoldfastError('HF_POLICY_TOO_LARGE', `${file} has ${size} bytes, ${largestFile} are allowed`, { remedy: 'a policy is a small file: split or shorten it' });
    return { kind, file, text: new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file)) };
  } catch (error) {
    if (error instanceof HoldfastError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    const reason = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not valid UTF-8' : (code ?? String(error));
    throw new HoldfastError('HF_POLICY_UNREADABLE', `the policy ${file} cannot be read: ${reason}`, { remedy: 'make it readable UTF-8, or remove it', cause: error });
  }
}
