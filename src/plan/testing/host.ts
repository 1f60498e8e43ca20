import { buildPolicy } from '../../place/build-policy.ts';
import type { Policy } from '../../policy/policy.ts';
import { type Anchor, resolveAnchors, wantedPaths } from '../anchors.ts';
import { compilePlan } from '../compile.ts';
import type { CgroupFacts, HostFacts, PathFact, WorkspaceFacts } from '../facts.ts';
import { resolverFiles } from '../limits.ts';
import type { Mount } from '../mount.ts';
import type { Plan } from '../types.ts';

/** A file system in short form: the content of each path, and links with their text. Parent directories exist. */
export type Tree = Readonly<Record<string, 'directory' | 'file' | 'other' | `-> ${string}`>>;

export interface HostOptions {
  readonly tree?: Tree;
  /** The user's policy, without its first line. */
  readonly policy?: string;
  /** The project's policy, without its first line. */
  readonly project?: string;
  readonly uid?: number;
  readonly ipv6?: HostFacts['ipv6'];
  readonly overlay?: HostFacts['overlay'];
  readonly cgroups?: CgroupFacts;
  readonly memory?: number;
  readonly gitPrograms?: HostFacts['gitPrograms'];
  readonly workspace?: WorkspaceFacts;
  readonly environment?: HostFacts['environment'];
  readonly programs?: HostFacts['programs'];
  readonly executables?: HostFacts['executables'];
}

const home = '/home/me';
const usual: WorkspaceFacts = { root: '/home/me/project', cwd: '/home/me/project/sub', gitDirectories: [] };
const installation = ['/opt/holdfast/dist'];
const always: Tree = {
  '/home/me/project/sub': 'directory',
  '/usr/bin': 'directory',
  '/etc': 'directory',
  '/opt/holdfast/dist': 'directory',
};

export interface Host {
  readonly policy: Policy;
  readonly facts: HostFacts;
  readonly anchors: () => readonly Anchor[];
  readonly plan: () => Plan;
  /** Mounts of the plan with this target. */
  readonly at: (target: string) => readonly Mount[];
}

/** A machine with `/usr`, `/etc`, a home and a project, and the additions of a test. */
export function host(options: HostOptions = {}): Host {
  const tree = { ...always, ...options.tree };
  const workspace = options.workspace ?? usual;
  const source = (kind: 'user' | 'project', text: string | undefined) =>
    text === undefined ? [] : [{ kind, file: `/${kind}.toml`, text: `version = 1\n${text}` }];
  const policy = buildPolicy({
    home,
    workspace,
    visible: installation,
    userFile: `${home}/.config/holdfast/policy.toml`,
    sources: [...source('user', options.policy), ...source('project', options.project)],
    grants: {},
    ownDirectories: ['/home/me/.local/state/holdfast'],
  });
  const facts: HostFacts = {
    user: { uid: options.uid ?? 1000, home },
    workspace,
    paths: new Map(
      [...wantedPaths(policy, workspace, installation), ...resolverFiles].map((path) => [path, factOf(tree, path)]),
    ),
    memory: options.memory ?? 8e9,
    gitPrograms: options.gitPrograms ?? [],
    cgroups: options.cgroups ?? { kind: 'none', reason: 'a test' },
    installation,
    overlay: options.overlay ?? 'available',
    ipv6: options.ipv6 ?? 'available',
    environment: options.environment ?? {},
    programs: options.programs ?? [],
    executables: options.executables ?? [],
  };
  const plan = (): Plan =>
    compilePlan(policy, facts, { argv: ['true'], sessionId: 'id', boxId: 'id-1', session: '{}' });
  return {
    policy,
    facts,
    anchors: () => resolveAnchors(policy, facts),
    plan,
    at: (target) => plan().mounts.filter((mount) => mount.target === target),
  };
}

/** The fact about a path in the tree, as `pathFact` would report it. */
export function factOf(tree: Tree, path: string): PathFact {
  const symlinks: string[] = [];
  let done = '';
  let rest = path.split('/').filter((part) => part !== '');
  while (rest.length > 0) {
    const next = rest[0] === '..' ? done.slice(0, done.lastIndexOf('/')) : `${done}/${rest[0] ?? ''}`;
    const node = tree[next];
    if (node?.startsWith('-> ') !== true) {
      if (node === undefined && next !== '' && !Object.keys(tree).some((known) => known.startsWith(`${next}/`)))
        return { kind: 'missing' };
      [done, rest] = [next, rest.slice(1)];
      continue;
    }
    symlinks.push(next);
    const text = node.slice(3);
    [done, rest] = [
      text.startsWith('/') ? '' : done,
      [...text.split('/').filter((part) => part !== ''), ...rest.slice(1)],
    ];
  }
  const real = done === '' ? '/' : done;
  const found = tree[real] ?? 'directory';
  const type = found === 'file' ? 'file' : found === 'other' ? 'other' : 'directory';
  const own = tree[path];
  return {
    kind: 'present',
    real,
    identity: { device: '1', inode: String(inodeOf(real)), type },
    symlinks,
    ...(own?.startsWith('-> ') === true ? { linkText: own.slice(3) } : {}),
  };
}

/** Differs for every path of a test. */
function inodeOf(path: string): number {
  return [...path].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003, 7);
}
