import type { LaunchedBox, StartOptions } from '../../backends/index.ts';
import type { Plan } from '../../plan/index.ts';
import type { SessionApprovals } from '../approvals/session-approvals.ts';
import type { CommandGuard } from '../judge/admission.ts';
import type { Place } from '../place.ts';
import type { Refusal } from '../refusals/refusal.ts';

/** The supervisor of one box, as its session sees it. */
export interface Supervision {
  readonly listener: NonNullable<StartOptions['listener']>;
  /** A box whose supervisor has failed is ended. */
  readonly belongsTo: (box: LaunchedBox) => void;
  /** Whether it keeps the process alive: that of a box that waits for a command does not. */
  readonly hold: (how: 'ref' | 'unref') => void;
  /** What was settled when the command entered. Before the command begins. */
  readonly settle: (settled: SettledCommands) => void;
  readonly close: () => Promise<ClosedSupervision>;
}

export type SettledCommands = NonNullable<Plan['command']['settled']>;

export interface ClosedSupervision {
  readonly refusals: readonly Refusal[];
  readonly error: Error | undefined;
}

export interface SupervisedSession {
  readonly id: string;
  readonly place: Place;
  readonly approvals: Pick<SessionApprovals, 'ask'>;
  readonly guard?: Pick<CommandGuard, 'pinned'> | undefined;
}

/** Starts the supervisor of a box while the launcher builds it. Undefined where no rule needs one, and then nothing is loaded. */
export function superviseBox(session: SupervisedSession, plan: Plan): Supervision | undefined {
  if (plan.notify.kind !== 'supervisor') return undefined;
  const { groups } = plan.notify;
  let box: LaunchedBox | undefined;
  const starting = import('./session-supervisor.ts').then(({ startSupervisor }) => startSupervisor(session, { mounts: plan.mounts, groups, programs: plan.programs, settled: plan.command.settled ?? [], pinned: session.guard?.pinned ?? [], endBox: () => box?.end() }));
  // Whoever waits for it hears of it.
  starting.catch(() => undefined);
  return {
    listener: async (pid, descriptor) => (await starting).take(pid, descriptor),
    belongsTo: (launched) => {
      box = launched;
    },
    hold: (how) => void starting.then((supervisor) => supervisor.hold(how)).catch(() => undefined),
    settle: (settled) => void starting.then((supervisor) => supervisor.settle(settled)).catch(() => undefined),
    close: async () => (await starting).close(),
  };
}
