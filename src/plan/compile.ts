/**
 * The plan room: `policy + host facts → Plan`, as a pure function over data.
 *
 * Nothing here touches the host: no file system, no environment, no clock. Knowledge of the host comes in as facts. A
 * `Plan` goes out, and backends render it. The room knows no backends, sessions or commands.
 */
import type { Policy } from '../policy/policy.ts';
import { namedPrograms } from '../policy/programs/programs.ts';
import { environmentOf } from '../policy/settings/build-environment.ts';
import { everyBox } from '../policy/settings/levels.ts';
import { limitsOf } from '../policy/settings/limits.ts';
import { networkPlan } from '../policy/settings/network-plan.ts';
import {
  processSettings,
  programsOf,
  newProtectedOf,
  laterSocketsOf,
  isStrictPolicy,
} from '../policy/settings/switches.ts';
import { demandsOf } from '../policy/settings/requirements.ts';
import { resolveAnchors } from './anchors.ts';
import type { HostFacts } from './facts.ts';
import { planLimits, planNetwork, resolverMounts } from './limits.ts';
import { mountFinder, planPrograms, programMasks } from './mount-finder.ts';
import type { Mount } from './mount.ts';
import { planMounts } from './mounts.ts';
import { planProtection, holdNames } from './protection.ts';
import { sessionFile } from './fixed-paths.ts';
import type { Guarantee, LandlockPlan, LandlockRule, NotifyGroup, NotifyPlan, Plan, Protection } from './types.ts';

export interface CompileOptions {
  readonly argv: readonly string[];
  /** Value of `HOLDFAST` in the environment. */
  readonly sessionId: string;
  /** Name of the control groups. Unique among running boxes. */
  readonly boxId: string;
  /** Content of `/run/holdfast/session.json`, from which `holdfast why` answers inside the box. */
  readonly session: string;
  /**
   * The required strength of the guarantees that every box has. `partial`: a person has named the backend. Default:
   * `kernel`.
   */
  readonly always?: 'kernel' | 'partial';
  /** Variables set or replaced after the policy has filtered the environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Returns the plan of a policy. Pure: equal policy, facts and options give an equal plan. Throws `HoldfastError` for
 * demands that cannot be enforced.
 */
export function compilePlan(policy: Policy, facts: HostFacts, options: CompileOptions): Plan {
  const anchors = resolveAnchors(policy, facts);
  const limits = limitsOf(policy, { memory: facts.memory });
  const network = planNetwork(policy, facts);
  const mounts = planMounts(anchors, facts, {
    tmp: limits.tmp ?? 0,
    files: [{ path: sessionFile, content: options.session }],
    resolver: resolverMounts(network, facts),
  });
  const programs = planPrograms(policy, facts, mounts);
  const executables = planExecutables(policy, facts, mounts);
  const protection = planProtection(policy, {
    mounts,
    anchors,
    workspace: facts.workspace,
    gitPrograms: facts.gitPrograms,
    home: facts.user.home,
    withheld: facts.withheld ?? [],
  });
  const allMounts = [...mounts, ...programMasks(programs, facts)];
  return {
    command: {
      argv: options.argv,
      cwd: facts.workspace.cwd,
      environment: planEnvironment(policy, facts, { options, network }),
    },
    mounts: isStrictPolicy(policy) ? holdNames(allMounts, protection) : allMounts,
    protection,
    landlock: planLandlock(mounts, executables),
    ...(programsOf(policy) === 'installed' ? ({ runnable: 'installed' } as const) : {}),
    seccomp: {
      ptrace: processSettings(policy).ptrace,
      ...(programsOf(policy) === 'installed' ? ({ memoryFiles: 'none' } as const) : {}),
    },
    notify: planNotify(policy, protection, executables),
    programs,
    limits: planLimits(limits, facts, options.boxId),
    network,
    ...planDemands(policy, options.always),
  };
}

/**
 * Package managers try again, and npm says nothing for 70 seconds meanwhile. In a closed network no later try succeeds.
 * With open hosts a refused one stays refused, so npm waits 1 and 5 instead of 10 and 60 seconds. The manuals say
 * `fetch-retries`, `--retries`, `net.retry` and `httpRetry`.
 */
export const retries = {
  closed: {
    npm_config_fetch_retries: '0',
    PIP_RETRIES: '0',
    CARGO_NET_RETRY: '0',
    YARN_HTTP_RETRY: '0',
    UV_HTTP_RETRIES: '0',
  },
  names: { npm_config_fetch_retry_mintimeout: '1000', npm_config_fetch_retry_maxtimeout: '5000' },
} as const;

function planEnvironment(
  policy: Policy,
  facts: HostFacts,
  { options, network }: { readonly options: CompileOptions; readonly network: Plan['network'] },
): Readonly<Record<string, string>> {
  const { environment } = environmentOf(policy, facts.environment);
  // Without SHLVL, bash takes a socket on stdin for a remote login and runs ~/.bashrc, even with `-c` (bash, shell.c).
  return {
    ...retries[network.kind],
    ...environment,
    TMPDIR: '/tmp',
    SHLVL: '1',
    HOLDFAST: options.sessionId,
    ...options.environment,
  };
}

/**
 * Returns the guarantees that boxes of a policy demand of their backend. `partial`: a person has named the backend, so
 * the guarantees of every box may have gaps. The kernel must always enforce guarantees that a policy names, and the
 * network's.
 */
export function planDemands(
  policy: Policy,
  always: 'kernel' | 'partial' = 'kernel',
): Pick<Plan, 'requires' | 'expects'> {
  const network: Guarantee = networkPlan(policy).kind === 'closed' ? 'net.closed' : 'net.names';
  const demanded = [network, ...demandsOf(policy).map(({ value }) => value)];
  if (always === 'kernel') return { requires: [...new Set([...everyBox, ...demanded])] };
  const requires = [...new Set(demanded)];
  return { requires, expects: everyBox.filter((guarantee) => !requires.includes(guarantee)) };
}

/**
 * Returns who judges stopped system calls. A supervisor judges only if some rule needs it, and only calls that the rule
 * concerns. Without such a rule it costs nothing. The supervisor also guards new names, because a box has only one
 * listener.
 */
function planNotify(
  policy: Policy,
  protection: Protection,
  { execution }: Pick<LandlockPlan, 'execution'>,
): NotifyPlan {
  const guards = newProtectedOf(policy) === 'refuse' && protection.roots.length > 0 && protection.names.length > 0;
  const wanted = new Set(
    policy.layers
      .flatMap((layer) => layer.uses().flatMap(groupsOf))
      .concat(namedPrograms(policy)?.nested === 'judged' ? ['executions'] : []),
  );
  // Files created in memory have no path, so Landlock cannot judge them.
  if (execution === 'listed') wanted.add('memory-files');
  if (wanted.size === 0) return planGuard(guards, laterSocketsOf(policy));
  return {
    kind: 'supervisor',
    groups: inOrder.filter(
      (group) => wanted.has(group) || (guards && group === 'creations') || group === 'own-sockets',
    ),
    ...(wanted.has('executions') && isStrictPolicy(policy) ? { started: 'compared' } : {}),
  };
}

function planGuard(creations: boolean, laterSockets: 'refuse' | 'reach'): NotifyPlan {
  const groups = [
    ...(creations ? (['creations'] as const) : []),
    ...(laterSockets === 'refuse' ? (['connections'] as const) : []),
  ];
  // Watches alone need no listener: without one, a box still starts below another sandbox that has one.
  return groups.length === 0 ? { kind: 'none' } : { kind: 'guard', groups: [...groups, 'watches'] };
}

type Use = ReturnType<Policy['layers'][number]['uses']>[number];

const inOrder: readonly NotifyGroup[] = [
  'opens',
  'creations',
  'deletions',
  'renames',
  'truncations',
  'metadata',
  'own-sockets',
  'sockets',
  'signals',
  'executions',
  'memory-files',
];
const readingGroups: readonly NotifyGroup[] = ['opens'];
const changingGroups: readonly NotifyGroup[] = [
  'opens',
  'creations',
  'deletions',
  'renames',
  'truncations',
  'metadata',
];

function groupsOf({ kind, decision, operations, from }: Use): readonly NotifyGroup[] {
  // Mounts enforce the lists, and file rules that allow or deny.
  if (from === 'list' || decision === 'allow') return [];
  switch (kind) {
    case 'file':
      if (decision === 'deny') return [];
      // A path that is hidden from reading is hidden from every operation. The supervisor then acts for the box.
      return decision === 'audit' &&
        operations?.every((operation) => operation === 'read' || operation === 'execute') === true
        ? readingGroups
        : changingGroups;
    case 'socket':
      return ['sockets'];
    case 'signal':
      return ['signals'];
    default:
      return [];
  }
}

/**
 * Returns the second layer below the mounts. The private root holds nothing unreadable, so one rule grants reading.
 * Writing is granted mount by mount, because a rule close to the files shortens the kernel's walk upwards.
 */
export function planLandlock(mounts: readonly Mount[], { execution, rules }: ExecutionPlan): LandlockPlan {
  const writable = mounts.flatMap((mount): LandlockRule[] =>
    isWritable(mount) ? [{ path: mount.target, access: 'write' }] : [],
  );
  return {
    // No other mechanism keeps an unlisted program from running.
    minimumAbi: execution === 'listed' ? 1 : 0,
    execution,
    rules: [
      { path: '/', access: 'read' },
      { path: '/dev', access: 'devices' },
      { path: '/dev/shm', access: 'write' },
      ...writable,
      ...rules,
    ],
  };
}

/** Whether the box can write to a mount. Devices and `/dev/shm` have their own rules and do not count. */
function isWritable(mount: Mount | undefined): boolean {
  switch (mount?.kind) {
    case 'bind':
      return mount.access === 'read-write';
    case 'overlay':
    case 'tmpfs':
      return true;
    case 'proc':
    case 'devices':
    case 'directory':
    case 'symlink':
    case 'file':
    case 'mask':
    case undefined:
      return false;
  }
}

/** The programs that the box may execute, with the rules of `execute`. */
type ExecutionPlan = Pick<LandlockPlan, 'execution' | 'rules'>;

/**
 * Returns the programs that the kernel alone lets the box execute, if the policy lists all of them: those programs,
 * their interpreters and loaders. If all are missing, nothing may run. The supervisor decides instead if a pattern
 * names no file, or if the box could change one of the files. Otherwise the kernel would refuse a changed program that
 * the policy allows.
 */
export function planExecutables(policy: Policy, { executables }: HostFacts, mounts: readonly Mount[]): ExecutionPlan {
  if (namedPrograms(policy)?.only === undefined) return anything;
  const shows = mountFinder(mounts);
  const canChange = (path: string): boolean => isWritable(shows(path));
  // A bare name never means a file that the box could have written.
  const meant = executables.filter(({ program, real }) => program.startsWith('/') || !canChange(real));
  const files = [...new Set(meant.flatMap(({ real, needs }) => [real, ...needs]))];
  return files.some((path) => canChange(path))
    ? anything
    : { execution: 'listed', rules: files.sort().map((path) => ({ path, access: 'execute' })) };
}

const anything: ExecutionPlan = { execution: 'any', rules: [] };
