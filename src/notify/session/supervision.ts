import type { BackendStart, LaunchedBox } from '../../backends/backend.ts';
import type { NetworkDoor } from '../../egress/session/session-network.ts';
import type { Plan } from '../../plan/types.ts';
import type { SettledCommands, WholeData } from './messages.ts';
import type { ClosedSupervision, SupervisedSession } from './session-supervisor.ts';

/** The supervisor of one box, as its session sees it. */
export interface BoxSupervisor {
  readonly listener: NonNullable<BackendStart['listener']>;
  readonly known: NonNullable<BackendStart['known']>;
  /** Names the box that this supervisor serves. The box is ended if the supervisor fails. */
  readonly belongsTo: (box: LaunchedBox) => void;
  /** Whether the supervisor keeps the process alive. The supervision of a waiting box does not. */
  readonly hold: (how: 'ref' | 'unref') => void;
  /** Resolves when the calls are answered, or never will be. */
  readonly served: Promise<void>;
  /** Passes on the decisions made when the command entered. Call it before the command begins. */
  readonly settle: (settled: SettledCommands) => void;
  readonly close: () => Promise<ClosedSupervision>;
}

/**
 * Starts the supervisor of a box while the launcher builds it. Returns undefined and loads nothing if no rule needs a
 * supervisor.
 */
export function superviseBox(
  session: SupervisedSession,
  plan: Plan,
  door?: Pick<NetworkDoor, 'local'>,
): BoxSupervisor | undefined {
  if (plan.notify.kind !== 'supervisor') return undefined;
  const { groups } = plan.notify;
  let box: LaunchedBox | undefined;
  const starting = Promise.all([import('./session-supervisor.ts'), wholeOf(plan, door)]).then(
    ([{ startSupervisor }, whole]) =>
      startSupervisor(session, {
        mounts: plan.mounts,
        groups,
        programs: plan.programs,
        settled: plan.command.settled ?? [],
        pinned: session.guard?.pinned ?? [],
        ...(whole === undefined ? {} : { whole }),
        endBox: () => box?.end(),
      }),
  );
  // Callers that wait for the supervisor get the error themselves.
  starting.catch(() => undefined);
  return {
    listener: async (pid, descriptor, found) => (await starting).take(pid, descriptor, found),
    known: async (found) => (await starting).know(found),
    belongsTo: (launched) => {
      box = launched;
    },
    served: starting.then(({ served }) => served).catch(() => undefined),
    hold: (how) => void starting.then((supervisor) => supervisor.hold(how)).catch(() => undefined),
    settle: (settled) => void starting.then((supervisor) => supervisor.settle(settled)).catch(() => undefined),
    close: async () => (await starting).close(),
  };
}

/** Undefined if mounts and namespaces enforce every grant. */
async function wholeOf(
  { notify, protection, network, confinement }: Plan,
  door: Pick<NetworkDoor, 'local'> | undefined,
): Promise<WholeData | undefined> {
  if (notify.kind !== 'supervisor' || notify.reach !== 'everything') return undefined;
  if (confinement !== 'landlock' || network.kind === 'closed' || door === undefined) return { protection };
  const { port, announcements } = await door.local();
  return {
    protection,
    network: { listener: port, announcements, resolver: network.resolver, loopbackPorts: network.loopbackPorts },
  };
}
