import type { CommandStatement } from '../policy/layers/layer.ts';
import type { BoxEnvironment } from '../policy/settings/build-environment.ts';
import type { Mount } from './mount.ts';
import { type Architecture, architectures } from './seccomp/architecture.ts';
import type { SeccompOptions } from './seccomp/filter.ts';
import { rulesFor } from './seccomp/denylist.ts';
import { type ArgumentTest, actionName, type SyscallRule } from './seccomp/rule.ts';
import type { DeniedProgram, LandlockPlan, NetworkPlan, NotifyPlan, Plan } from './types.ts';
import { originPlace } from '../policy/origin.ts';

/**
 * Returns the plan as text for a person: mounts, protections, limits and filters, in the order in which they are
 * applied.
 */
export function describePlan(plan: Plan, architecture: Architecture, notes?: PlanNotes): string {
  const { command, limits } = plan;
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['command', [command.argv.map((word) => JSON.stringify(word)).join(' '), `in ${command.cwd}`]],
    ['environment', Object.entries(command.environment).map(([name, value]) => `${name}=${value}`)],
    ['mounts', plan.mounts.map(describeMount)],
    [
      'protected names',
      plan.protection.names.map(
        (name) =>
          `${name.effect.padEnd(9)} ${name.components.join('/')}${name.except.length > 0 ? ` (not ${name.except.join(', ')})` : ''}: ${name.reason}`,
      ),
    ],
    ['looked for in', plan.protection.roots],
    [
      'Landlock',
      [
        `ABI ${plan.landlock.minimumAbi} or newer`,
        ...plan.landlock.rules.map((rule) => `${rule.access.padEnd(7)} ${rule.path}`),
        ...describeExecution(plan.landlock),
      ],
    ],
    [
      'system calls',
      describeSeccomp({ ...plan.seccomp, architecture }).map(
        (row) => `${row.action.padEnd(14)} ${row.names.join(' ')}: ${row.reason}`,
      ),
    ],
    [
      'refused programs',
      [
        ...plan.programs.map(describeProgram),
        ...(plan.runnable === 'installed' ? ['every file on a mount that the box can write, and files in memory'] : []),
      ],
    ],
    ['calls that stop', [describeNotify(plan.notify)]],
    ['network', describeNetwork(plan.network)],
    [
      'limits',
      Object.entries(limits).flatMap(([name, value]) =>
        typeof value === 'number'
          ? [`${name} ${value}`]
          : limits.cgroups.map((group) => `control group ${group.directory}`),
      ),
    ],
    [
      'requires',
      [plan.requires.join(' '), ...(plan.expects === undefined ? [] : [`at least in part: ${plan.expects.join(' ')}`])],
    ],
    ...(notes === undefined ? [] : describeNotes(plan, notes)),
  ];
  return sections.map(([title, lines]) => `${title}\n${lines.map((line) => `  ${line}\n`).join('')}`).join('\n');
}

function describeProgram({ program, path, held, sharedWith }: DeniedProgram): string {
  if (held === 'mask') return `${program}: nothing is there at ${path}`;
  const why = sharedWith.length === 0 ? 'the box could write it' : `the same file is ${sharedWith.join(', ')}`;
  return `${program}: the supervisor refuses it, which is not a boundary, because ${why}`;
}

/** If there are `execute` rules, those lines list the programs. */
function describeExecution({ execution, rules }: LandlockPlan): readonly string[] {
  return execution === 'listed' && rules.every(({ access }) => access !== 'execute')
    ? ['execute nothing: no program that may run is there']
    : [];
}

function describeNotify(notify: NotifyPlan): string {
  switch (notify.kind) {
    case 'none':
      return 'none';
    case 'guard':
      return notify.groups.map((group) => guarded[group]).join('; ');
    case 'supervisor':
      return `those that rules cover, for the supervisor: ${notify.groups.join(' ')}`;
  }
}

const guarded = {
  creations: 'those that make a name: a protected one is refused at once',
  connections: 'those that connect: a Unix socket of the host is refused',
  watches: 'those that watch: a file that the host shows for reading alone is refused',
} as const;

function describeMount(mount: Mount): string {
  switch (mount.kind) {
    case 'bind':
      return `${mount.access.padEnd(10)} ${mount.target}${mount.source === mount.target ? '' : ` from ${mount.source}`}${mount.ownership === 'foreign' ? ' (owners hidden)' : ''}${mount.names === 'held' ? ' (names held)' : ''}`;
    case 'overlay':
      return mount.layer === undefined
        ? `throw-away ${mount.target}`
        : `staged     ${mount.target} into ${mount.layer.upper.path}`;
    case 'tmpfs':
      return `private    ${mount.target} (mode ${mount.mode.toString(8)}${mount.size > 0 ? `, ${mount.size} bytes` : ''})`;
    case 'proc':
      return `procfs     ${mount.target} (read-only)`;
    case 'devices':
      return `devices    ${mount.target}`;
    case 'directory':
      return `directory  ${mount.target}`;
    case 'symlink':
      return `link       ${mount.target} -> ${mount.to}`;
    case 'file':
      return `file       ${mount.target} (${mount.content.length} characters)`;
    case 'mask':
      return `hidden     ${mount.target}`;
  }
}

function describeNetwork(network: NetworkPlan): readonly string[] {
  if (network.kind === 'closed') return ['closed: a loopback of its own and nothing else'];
  const { families, dns, resolver, fallbackPorts, loopbackPorts, forward, authority } = network;
  return [
    `names on every port over ${families.join(' and ')}; where the kernel has no transparent proxying, on ${fallbackPorts.join(' ')}`,
    `look-ups   answered at ${resolver} with ${dns === 'fake' ? 'an address of its own for each name' : 'the real addresses'}`,
    ...(loopbackPorts.length > 0 ? [`host ports ${loopbackPorts.join(' ')}`] : []),
    ...forward.map(({ host, box }) => `shown      port ${box} of the box on port ${host} of the host's loopback`),
    `TLS        ${authority === 'none' ? 'passes unseen' : "ended where rules about requests need it, by an authority of the session's own"}`,
  ];
}

/** One line that explains the filter, as `holdfast plan` prints it. */
export interface SeccompRow {
  /** Names of system calls. Empty if the row is about calls by their number or ABI. */
  readonly names: readonly string[];
  /** The condition in words. Empty means always. */
  readonly when: string;
  /** `allow`, `kill`, or the caller's errno. */
  readonly action: string;
  readonly reason: string;
}

/** Returns the filter as rows: the ABI first, then the list in its order, then all calls without a name. */
export function describeSeccomp(options: SeccompOptions): readonly SeccompRow[] {
  const { architecture } = options;
  const rows = rulesFor(options).map((rule) => row(rule, architecture));
  return [foreignAbi[architecture], ...rows.filter(({ names }) => names.length > 0), unnamed];
}

const foreignReason = 'its calls have other numbers, which this list does not judge';

const foreignAbi: Readonly<Record<Architecture, SeccompRow>> = {
  x64: { names: [], when: 'the call comes through the i386 or x32 ABI', action: 'kill', reason: foreignReason },
  arm64: { names: [], when: 'the call comes through the 32-bit ABI', action: 'kill', reason: foreignReason },
};

const unnamed: SeccompRow = {
  names: [],
  when: 'the number is newer than Linux 6.18 or has no name',
  action: 'ENOSYS',
  reason: 'a new call stays closed until it has been reviewed',
};

function row(rule: SyscallRule, architecture: Architecture): SeccompRow {
  const { numbers } = architectures[architecture];
  return {
    names: rule.syscalls.filter((name) => numbers[name] !== undefined),
    when: (rule.when ?? []).map(inWords).join(' and '),
    action: actionName(rule.action),
    reason: rule.reason,
  };
}

function inWords(test: ArgumentTest): string {
  const names = Object.keys(test.values).join(', ');
  switch (test.kind) {
    case 'any-bit':
      return `${test.called} has any of ${names}`;
    case 'bits-outside':
      return `${test.called} has bits other than ${names}`;
    case 'one-of':
      return `${test.called} is one of ${names}`;
    case 'none-of':
      return `${test.called} is none of ${names}`;
  }
}

/** Rules that a person may ask about and that the plan leaves out, or enforces only by arguments. */
export interface PlanNotes {
  readonly environment: Pick<BoxEnvironment, 'dropped' | 'untrustedPath' | 'acknowledged'>;
  /** Statements of all layers. */
  readonly commands: readonly CommandStatement[];
  /** `listed`: some layer has a list of all allowed commands. */
  readonly others: 'listed' | 'any';
}

type Section = readonly [title: string, lines: readonly string[]];

/** Further sections for a person. */
function describeNotes({ programs }: Plan, { environment, commands, others }: PlanNotes): readonly Section[] {
  const { dropped, untrustedPath, acknowledged } = environment;
  const stayed = reasons.flatMap(([reason, text]) => {
    const names = dropped.flatMap((each) => (each.reason === reason ? [each.name] : []));
    return names.length === 0 ? [] : [`${text}: ${names.map(plainName).join(' ')}`];
  });
  return [
    ['variables that stay outside', stayed],
    [
      'secrets that enter',
      acknowledged.map(({ name, rule, file, line }) => `${name} (${rule}, ${originPlace({ file, line })})`),
    ],
    [
      'taken out of PATH',
      [...new Set(untrustedPath)].map((entry) =>
        entry === ''
          ? 'an empty entry, which means the working directory'
          : `${JSON.stringify(entry)}, which is relative`,
      ),
    ],
    ['held by the supervisor alone', supervised({ programs }, { commands, others })],
  ];
}

const reasons: readonly (readonly [BoxEnvironment['dropped'][number]['reason'], string])[] = [
  ['loads-code', 'programs run the code that they name'],
  ['secret-name', 'named like a secret'],
  ['secret-value', 'a value like a secret'],
  ['name', 'not a name that shells know'],
  ['not-passed', 'no line of the policy lets them in'],
];

/** Shell functions travel in variables called `BASH_FUNC_x%%`. */
function plainName(name: string): string {
  return /^\w+$/u.test(name) ? name : JSON.stringify(name);
}

/**
 * Describes rules that only a supervisor's answers enforce, not the kernel. Commands that other programs start can
 * change their arguments while the supervisor reads them. The text says so for each.
 */
export function supervised(
  { programs }: Pick<Plan, 'programs'>,
  { commands, others }: Pick<PlanNotes, 'commands' | 'others'>,
): readonly string[] {
  const found = new Set(programs.map(({ program }) => program));
  const lines = commands.flatMap(({ pattern: { source, program, words }, decision, context }) => {
    if (decision === 'allow' || context === 'direct') return [];
    const isWhole = decision === 'deny' && words.length === 0 && context === undefined && program.literal !== undefined;
    if (isWhole && found.has(program.literal)) return [];
    return [`${decision} ${source}${isWhole ? ', which has no file here' : ''}`];
  });
  return [
    ...new Set([...lines, ...(others === 'listed' ? ['deny commands outside the lists of allowed commands'] : [])]),
  ];
}
