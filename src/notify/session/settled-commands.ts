import type { Plan } from '../../plan/index.ts';
import type { ExecRequest } from '../../policy/index.ts';

export type SettledCommands = NonNullable<Plan['command']['settled']>;

type Command = Pick<ExecRequest, 'program' | 'argv'>;

/**
 * What was settled about commands of a box when the one that starts them entered: the same program with the same words.
 */
export interface Settled {
  add(commands: SettledCommands): void;
  /** Whether somebody has been asked about it. */
  isApproved(command: Command): boolean;
  /** The words of the command in whose place Holdfast has put this one. */
  judgedAs(command: Command): readonly string[] | undefined;
}

export function settledCommands(first: SettledCommands): Settled {
  const approved = new Set<string>();
  const placed = new Map<string, readonly string[]>();
  const keyOf = ({ program, argv }: Command): string => JSON.stringify([program, ...argv.slice(1)]);
  const add = (commands: SettledCommands): void => {
    for (const command of commands) {
      if (command.insteadOf === undefined) approved.add(keyOf(command));
      else placed.set(keyOf(command), command.insteadOf);
    }
  };
  add(first);
  return {
    add,
    isApproved: (command) => approved.has(keyOf(command)),
    judgedAs: (command) => (placed.size === 0 ? undefined : placed.get(keyOf(command))),
  };
}
