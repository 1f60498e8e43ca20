import * as v from 'valibot';
import { backendNames, type BackendName } from '../../src/backends/backend.ts';
import type { AttackFile } from './attack-text.ts';

export const families = [
  'fs',
  'git',
  'persistence',
  'policy',
  'environment',
  'procfs',
  'process',
  'signal',
  'descriptor',
  'socket',
  'network',
  'net',
  'ipc',
  'namespace',
  'mount',
  'privilege',
  'kernel',
  'terminal',
  'resource',
  'leftover',
  'tworun',
  'rule',
  'files',
  'race',
  'staged',
  'commands',
  'text',
  'credentials',
  'databases',
  'approvals',
  'mindgard',
  'dashboard',
  'llm',
  'tools',
  'code',
  'serve',
  'agents',
  'mcp',
] as const;
export type Family = (typeof families)[number];

export const users = ['root', 'user'] as const;
export type UserName = (typeof users)[number];

/** As `holdfast run --backend` accepts them. */
export const backends = backendNames;
export type Backend = BackendName;

/**
 * `mayRefuse`: the attacks that the backend may refuse. The native backend carries out every plan, so it tries each
 * attack at least. `patience`: the factor for the seconds of an attack in its boxes.
 */
interface Manner {
  readonly mayRefuse: 'nothing' | 'what lacks a guarantee';
  readonly patience: number;
}

export const manners: Readonly<Record<Backend, Manner>> = {
  native: { mayRefuse: 'nothing', patience: 1 },
  bubblewrap: { mayRefuse: 'what lacks a guarantee', patience: 1 },
  landlock: { mayRefuse: 'what lacks a guarantee', patience: 1 },
  gvisor: { mayRefuse: 'what lacks a guarantee', patience: 2 },
  microvm: { mayRefuse: 'what lacks a guarantee', patience: 8 },
};

/**
 * The requirements of an attack. `own-network`: namespaces for a `world`. `throw-away-user`: an id that nobody else
 * uses. `process-limit` and `memory-group`: the mechanism of the limit, where the machine decides whether the user has
 * it.
 */
export const needs = [
  'git',
  'own-network',
  'python3',
  'node',
  'postgres',
  'redis',
  'tty',
  'throw-away-user',
  'process-limit',
  'memory-group',
] as const;
export type Need = (typeof needs)[number];

/** The schema of the block `attack.json`. */
export const attackSchema = v.strictObject({
  title: v.pipe(v.string(), v.nonEmpty()),
  family: v.picklist(families),
  /** The reporter, or the origin of a derived attack. */
  source: v.pipe(v.string(), v.nonEmpty()),
  needs: v.optional(v.array(v.picklist(needs)), []),
  users: v.optional(v.pipe(v.array(v.picklist(users)), v.minLength(1)), [...users]),
  backends: v.optional(v.pipe(v.array(v.picklist(backends)), v.minLength(1)), [...backends]),
  /** Seconds for each of its runs, on a slow and busy machine. */
  seconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(300)), 90),
  /** The number of boxes, in turn, over the same workspace: `attack.sh`, then `attack2.sh`. */
  runs: v.optional(v.picklist([1, 2]), 1),
  expect: v.picklist(['blocked', 'open']),
  /**
   * The reason why an `open` attack is not blocked yet, and its future control. The runner reports it, and never counts
   * it as blocked.
   */
  gap: v.optional(v.pipe(v.string(), v.nonEmpty())),
  /** The backends on which it is open. Default: all. */
  openOn: v.optional(v.pipe(v.array(v.picklist(backends)), v.minLength(1)), [...backends]),
  /** Each is a separate attack. The scripts get it as `$CASE`. */
  cases: v.optional(v.pipe(v.array(v.pipe(v.string(), v.nonEmpty())), v.minLength(1))),
  /**
   * The attack's network, instead of the machine's own. `hosts` are lines for the machine's hosts file. `records` are
   * additional answers of name servers. `tls` tells whether the attack needs `ca.pem`. See attacks/world.
   */
  world: v.optional(
    v.strictObject({
      hosts: v.optional(v.array(v.string()), []),
      records: v.optional(v.record(v.string(), v.union([v.array(v.string()), v.array(v.array(v.string()))])), {}),
      tls: v.optional(v.picklist(['at once', 'on demand']), 'on demand'),
    }),
  ),
  /**
   * Options of `holdfast run` for the first and the second box. The runner replaces `$ARENA`, `$HOME`, `$CANARY` and
   * `$CASE` by their values.
   */
  flags: v.optional(v.array(v.string()), []),
  flags2: v.optional(v.array(v.string()), []),
  /**
   * The target. `run`: a box, in which the attack runs. `proxy` and `fetch`: the attack runs on the machine. The proxy
   * in its variables, or the command `$FETCH`, is Holdfast's; in the control, both trust everyone. `files`: `$FILES`
   * performs file operations through `sandbox.files`. In the control, it performs them itself, after checks that are
   * too early. `tool`: `$TOOL` runs a tool by its manifest, and in the control in a Node process. `code`: `$CODE` runs
   * texts through `sandbox.code`, and in the control as a notebook does.
   */
  via: v.optional(v.picklist(['run', 'proxy', 'fetch', 'files', 'tool', 'code']), 'run'),
  /** Start directory of the command, below the workspace. */
  cwd: v.optional(v.string(), '.'),
  /** `found`: the runner does not tell Holdfast the workspace. */
  workspace: v.optional(v.picklist(['named', 'found']), 'named'),
});

export interface Attack extends Readonly<v.InferOutput<typeof attackSchema>> {
  /** Its family, a hyphen, and the name of its file. */
  readonly name: string;
  /** The contents of its Markdown: its prose, its scripts and its data. */
  readonly files: readonly AttackFile[];
  /** Names of the rows of `rows.tsv`: one attack with many spellings, each of which has to succeed without Holdfast. */
  readonly rows: readonly string[];
}

/** One attack with one of its cases, under one user. */
export interface Trial {
  readonly attack: Attack;
  readonly variant: string | undefined;
  readonly user: UserName;
}

/** The Markdown of an attack, below `attacks`: `net-dns-raw` is `net/dns-raw.md`. */
export function attackPath(name: string): string {
  return `${name.replace('-', '/')}.md`;
}

/** The text of one of its files. */
export function textOf({ files }: Pick<Attack, 'files'>, name: string): string | undefined {
  return files.find((file) => file.name === name)?.text;
}

/** `fs-read-secret` or `fs-read-secret[.aws/credentials]`. */
export function trialName({ attack, variant }: Pick<Trial, 'attack' | 'variant'>): string {
  return variant === undefined ? attack.name : `${attack.name}[${variant}]`;
}
