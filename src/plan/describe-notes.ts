import type { BoxEnvironment, CommandStatement } from '../policy/index.ts';
import type { Plan } from './types.ts';

/** What a plan leaves out, and what it holds by words alone: no part of the box, but what people ask about it. */
export interface PlanNotes {
  readonly environment: Pick<BoxEnvironment, 'dropped' | 'untrustedPath' | 'acknowledged'>;
  /** Of all layers. */
  readonly commands: readonly CommandStatement[];
  /** `listed`: some layer has a list of all commands that may run. */
  readonly others: 'listed' | 'any';
}

type Section = readonly [title: string, lines: readonly string[]];

/** Further sections for a person. */
export function describeNotes({ programs }: Plan, { environment, commands, others }: PlanNotes): readonly Section[] {
  const { dropped, untrustedPath, acknowledged } = environment;
  const stayed = reasons.flatMap(([reason, text]) => {
    const names = dropped.flatMap((each) => (each.reason === reason ? [each.name] : []));
    return names.length === 0 ? [] : [`${text}: ${names.map(plainName).join(' ')}`];
  });
  return [
    ['variables that stay outside', stayed],
    [
      'secrets that enter',
      acknowledged.map(({ name, rule, file, line }) => `${name} (${rule}, ${file}${line === 0 ? '' : `:${line}`})`),
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
  ['loads-code', 'programs run what they name'],
  ['secret-name', 'called like a secret'],
  ['secret-value', 'a value like a secret'],
  ['name', 'not a name that shells know'],
  ['not-passed', 'no line of the policy lets them in'],
];

/** Functions of the shell travel in variables that are called `BASH_FUNC_x%%`. */
function plainName(name: string): string {
  return /^\w+$/u.test(name) ? name : JSON.stringify(name);
}

/**
 * What holds of commands that other programs start because a supervisor answers, and not because of the kernel: their
 * words can change while it reads them, which is why each is told.
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
    return [`${decision} ${source}${isWhole ? ', of which there is no file here' : ''}`];
  });
  return [...new Set([...lines, ...(others === 'listed' ? ['deny whatever no list of allowed commands names'] : [])])];
}
