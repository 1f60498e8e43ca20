import process from 'node:process';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { SpareShelf } from '../../sandbox/spare-parts.ts';
import { startResident, type Resident } from '../../serve/resident/start-resident.ts';
import { text, type CommandInput } from '../command.ts';
import { safeText } from '../safe-text.ts';
import { installedFiles } from './find-resident.ts';
import { runForFront } from './run-for-front.ts';

/** Minutes of rest after which a supervisor ends. */
const idleMinutes = 15;

/** Serves fronts until nobody has asked for a while. Exits with 0 where another supervisor of this version runs already. */
export async function serveResident(runtime: string, { io, values }: CommandInput): Promise<number> {
  const files = installedFiles();
  const log = (line: string): void => void io.stderr.write(safeText(`${new Date().toISOString()} ${line}\n`));
  // Files that it makes are this user's alone, whatever the run that started it had in mind.
  process.umask(0o077);
  const spares = new SpareShelf();
  const rest = setTimeout(tidyUp, restMs).unref();
  const resident = await orAnother(() => startResident({ runtime, run: (front) => runForFront(front, spares).finally(() => rest.refresh()), files, idleMs: idleOf(text(values['idle'])), log }));
  if (resident === undefined) return 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resident.end());
  await resident.ended;
  await spares.close();
  return 0;
}

/** Milliseconds without the end of a run. */
const restMs = 500;

/** What a thousand runs have left is else collected when there is twice as much. */
function tidyUp(): void {
  globalThis.gc?.();
}

async function orAnother(start: () => Promise<Resident>): Promise<Resident | undefined> {
  try {
    return await start();
  } catch (error) {
    if (isHoldfastError(error) && error.code === 'HF_SERVE_RUNNING') return undefined;
    throw error;
  }
}

function idleOf(seconds: string | undefined): number {
  if (seconds === undefined) return idleMinutes * 60_000;
  if (/^\d{1,6}$/u.test(seconds) && Number(seconds) > 0) return Number(seconds) * 1000;
  throw new HoldfastError('HF_USAGE', `expected seconds after --idle, got ${JSON.stringify(seconds)}`, { remedy: 'as in --idle 900' });
}
