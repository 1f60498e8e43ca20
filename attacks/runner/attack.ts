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

/** As `holdfast run --backend` takes them. */
export const backends = backendNames;
export type Backend = BackendName;

/**
 * `mayRefuse`: what it may answer to an attack whose plan it cannot enforce. The native backend carries out every plan,
 * so that
 * each attack is tried at least there. `patience`: how many times the seconds of an attack its boxes may take.
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
 * What an attack cannot be shown without. `own-network`: namespaces to build a `world` in. `throw-away-user`: an id
 * that nobody else uses. `process-limit` and
 * `memory-group`: the mechanism of the limit, where the machine decides whether the user has it.
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

/** The shape of the block `attack.json`. */
export const attackSchema = v.strictObject({
  title: v.pipe(v.string(), v.nonEmpty()),
  family: v.picklist(families),
  /** Who reported it, or what it is derived from. */
  source: v.pipe(v.string(), v.nonEmpty()),
  needs: v.optional(v.array(v.picklist(needs)), []),
  users: v.optional(v.pipe(v.array(v.picklist(users)), v.minLength(1)), [...users]),
  backends: v.optional(v.pipe(v.array(v.picklist(backends)), v.minLength(1)), [...backends]),
  /** Seconds that each of its runs may take, on a machine that is slow and busy. */
  seconds: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(300)), 90),
  /** How many boxes the attack takes, one after the other, over the same workspace: `attack.sh`, then `attack2.sh`. */
  runs: v.optional(v.picklist([1, 2]), 1),
  expect: v.picklist(['blocked', 'open']),
  /** Why an `open` attack is not blocked yet, and what will block it. It is reported, never counted as blocked. */
  gap: v.optional(v.pipe(v.string(), v.nonEmpty())),
  /** The backends on which it is open; without it, all. */
  openOn: v.optional(v.pipe(v.array(v.picklist(backends)), v.minLength(1)), [...backends]),
  /** Each is an attack of its own: the scripts get it as `$CASE`. */
  cases: v.optional(v.pipe(v.array(v.pipe(v.string(), v.nonEmpty())), v.minLength(1))),
  /**
   * The network that the attack is performed in, instead of the machine's own: `hosts` are lines for the machine's
   * hosts file, `records` what name servers answer beside the ordinary names, `tls` whether the
   * attack needs `ca.pem`; see attacks/world.
   */
  world: v.optional(
    v.strictObject({
      hosts: v.optional(v.array(v.string()), []),
      records: v.optional(v.record(v.string(), v.union([v.array(v.string()), v.array(v.array(v.string()))])), {}),
      tls: v.optional(v.picklist(['at once', 'on demand']), 'on demand'),
    }),
  ),
  /**
   * Options of `holdfast run` for the first and the second box; `$ARENA`, `$HOME`, `$CANARY` and `$CASE` stand for
   * their values.
   */
  flags: v.optional(v.array(v.string()), []),
  flags2: v.optional(v.array(v.string()), []),
  /**
   * What is attacked. `run`: a box, in which the attack runs. `proxy` and `fetch`: the attack runs on the machine, and
   * the proxy that its variables name, or the command `$FETCH`, is Holdfast's; in the control both believe everybody.
   * `files`:
   * `$FILES` does operations on files through `sandbox.files`, and in the control by itself, after checks that are too
   * early.
   * `tool`: `$TOOL` runs a tool by its manifest, and in the control in a process of Node. `code`: `$CODE` runs texts
   * through `sandbox.code`, and in the
   * control as a notebook does.
   */
  via: v.optional(v.picklist(['run', 'proxy', 'fetch', 'files', 'tool', 'code']), 'run'),
  /** Where the command starts, below the workspace. */
  cwd: v.optional(v.string(), '.'),
  /** `found`: Holdfast is not told where the workspace is. */
  workspace: v.optional(v.picklist(['named', 'found']), 'named'),
});

export interface Attack extends Readonly<v.InferOutput<typeof attackSchema>> {
  /** Its family, a hyphen, and the name of its file. */
  readonly name: string;
  /** What its Markdown holds: its prose, its scripts and its data. */
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

/** The Markdown of an attack, below `attacks`: that of `net-dns-raw` is `net/dns-raw.md`. */
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
