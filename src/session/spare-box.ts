import type { Socket } from 'node:net';
import type { Nursery } from '../backends/launcher/nursery.ts';
import type { Plan } from '../plan/types.ts';
import { startBox, startWarmBox, warmBox, type RunningBox, type WarmBox } from './running-box.ts';
import { planBox, type BoxOptions, type Session } from './session.ts';

/** Milliseconds that a command may take before the next box is built beside it. */
const patience = 10;

const pipes = { stdio: ['pipe', 'pipe', 'pipe'], stderr: 'direct' } as const;

/**
 * Keeps one box built ahead, so that the next command starts at once. The spare has no data of any command. It does not
 * keep the process alive, and ends with it.
 */
export class SpareBox {
  readonly #session: Session;
  readonly #launchers: Nursery;
  #spare: WarmBox | undefined;
  #state: 'open' | 'resting' | 'closed' = 'open';

  constructor(session: Session, launchers: Nursery) {
    this.#session = session;
    this.#launchers = launchers;
    this.#prepare();
  }

  /** Throws like `planCommand` and `startBox`. */
  start(command: BoxOptions): RunningBox {
    const running = this.#begin(command);
    this.#prepareAfter(running);
    return running;
  }

  #begin(command: BoxOptions): RunningBox {
    const spare = this.#spare;
    if (spare === undefined || hasEnded(spare)) return this.#build(planBox(this.#session, command));
    const plan = planBox(this.#session, { ...command, box: spare.id });
    if (!showsTheSame(spare.plan, plan)) {
      this.#drop().catch(() => undefined);
      return this.#build(planBox(this.#session, command));
    }
    this.#spare = undefined;
    hold(spare, 'ref');
    return startWarmBox(this.#session, plan, spare);
  }

  #build(plan: Plan): RunningBox {
    this.#spare = undefined;
    return startBox(this.#session, plan, { ...pipes, launchers: this.#launchers });
  }

  /**
   * Waits until the command has ended, or has run for a while. Building a box beside a short command would slow the
   * command down.
   */
  #prepareAfter({ ended }: RunningBox): void {
    const prepare = (): void => void this.#launchers.ready().then(() => this.#prepare());
    const timer = setTimeout(prepare, patience).unref();
    const now = (): void => {
      clearTimeout(timer);
      setImmediate(prepare);
    };
    ended.then(now, now);
  }

  close(): Promise<void> {
    this.#state = 'closed';
    return this.#drop();
  }

  /** Ends the spare, and builds none until `resume`. A spare has mounted the files that its command will see. */
  rest(): Promise<void> {
    if (this.#state === 'open') this.#state = 'resting';
    return this.#drop();
  }

  /** Ends a spare that was built from an older plan. */
  async renew(): Promise<void> {
    await this.#drop();
    this.#prepare();
  }

  resume(): void {
    if (this.#state !== 'resting') return;
    this.#state = 'open';
    this.#prepare();
  }

  async #drop(): Promise<void> {
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare === undefined) return;
    hold(spare, 'ref');
    spare.box.end();
    await spare.box.outcome;
    await spare.door?.close();
    await spare.supervision?.close();
  }

  /** Builds no spare over a staged layer that takes one box at a time, because the spare would occupy it. */
  #prepare(): void {
    if (
      this.#state !== 'open' ||
      this.#spare !== undefined ||
      this.#session.backend.warm === 'impossible' ||
      this.#session.staging?.boxes === 'one'
    )
      return;
    const spare = warmBox(this.#session, this.#launchers);
    // If the spare fails, the next command finds that it has ended. That command then fails itself and reports why.
    spare.box.outcome.catch(() => undefined);
    hold(spare, 'unref');
    this.#spare = spare;
  }
}

/** If files were approved or revoked since, the built box would show other files. */
function showsTheSame(built: Plan, wanted: Plan): boolean {
  return JSON.stringify(lateMounts(built)) === JSON.stringify(lateMounts(wanted));
}

function lateMounts({ mounts, protection }: Plan): unknown {
  return [protection.approved, mounts.filter((mount) => mount.kind === 'file')];
}

function hasEnded({ box }: WarmBox): boolean {
  return box.process.exitCode !== null || box.process.signalCode !== null;
}

/** Holds the process, its pipes, and the channel of its listeners. */
function hold({ box, supervision }: WarmBox, how: 'ref' | 'unref'): void {
  supervision?.hold(how);
  box.process[how]();
  box.process.channel?.[how]();
  for (const stream of box.process.stdio) (stream as Socket | null | undefined)?.[how]();
}
