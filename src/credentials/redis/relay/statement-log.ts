import type { BrokerEvent } from '../../../egress/types.ts';
import type { RedisCommand } from '../commands/command.ts';

type Statement = Extract<BrokerEvent, { readonly kind: 'statement' }>;
type Decision = Statement['decision'];

/** Records the commands of one connection: names and first keys, never values. */
export interface StatementLog {
  /** Returns true if the next command gets its own journal entry, with its key. */
  wantsKey(): boolean;
  /** Records a command. Undefined stands for an unknown command, whose name could be anything. */
  note(command: RedisCommand | undefined, decision: Decision, key: string | undefined): void;
  /** Records commands that were only counted. */
  close(): void;
}

/** Milliseconds for which frequent commands are only counted. */
const period = 1000;
const unknownName = '(unknown command)';
const outcomes: Readonly<Record<Decision, string>> = { allow: 'SENT', deny: 'DENIED' };

interface Counted {
  count: number;
}

/** Commands beyond the budget are counted by name, and recorded together every second. */
export function createStatementLog(budget: StatementBudget, record: (statement: Statement) => void): StatementLog {
  const counts: Readonly<Record<Decision, Map<string, Counted>>> = { allow: new Map(), deny: new Map() };
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    for (const decision of ['allow', 'deny'] as const) {
      for (const [text, { count }] of counts[decision])
        record({ kind: 'statement', text, decision, outcome: outcomes[decision], count });
      counts[decision].clear();
    }
  };
  return {
    wantsKey: () => budget.hasRoom(),
    note(command, decision, key) {
      const name = command?.name ?? unknownName;
      if (budget.hasRoom()) {
        budget.take();
        record({
          kind: 'statement',
          text: key === undefined ? spoken(name) : `${spoken(name)} ${printable(key)}`,
          decision,
          outcome: outcomes[decision],
        });
        return;
      }
      const counted = counts[decision].get(name);
      if (counted === undefined) counts[decision].set(name, { count: 1 });
      else counted.count += 1;
      timer ??= setTimeout(flush, period).unref();
    },
    close() {
      clearTimeout(timer);
      flush();
    },
  };
}

function spoken(name: string): string {
  return name.replace('|', ' ');
}

/** Makes a key printable. A key may hold any octets, including control characters of terminals. */
function printable(key: string): string {
  return Buffer.from(key, 'latin1').toString().replaceAll(/\p{C}/gu, '?');
}

/** Limits how many commands get their own journal entries. */
export interface StatementBudget {
  /** Returns true if this second has room for one more entry. */
  hasRoom(): boolean;
  /** Uses the room of one entry. */
  take(): void;
}

/**
 * Creates a budget that all connections of one credential share. Without it a pipeline would fill the journal, and the
 * journal would slow down the pipeline. Does not read the clock for each command.
 */
export function createStatementBudget(perSecond = 100): StatementBudget {
  let left = perSecond;
  const refill = (): void => {
    left = perSecond;
  };
  return {
    hasRoom: () => left > 0,
    take() {
      if (left === perSecond) setTimeout(refill, period).unref();
      left -= 1;
    },
  };
}
