import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import type { BackendName } from '../../backends/backend.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { Plan } from '../../plan/types.ts';
import { planOwnCommand, startOwnCommand } from '../../session/own-command.ts';
import type { RunningBox } from '../../session/running-box.ts';
import type { Session } from '../../session/session.ts';
import type { WorkerProcess } from '../index.ts';

/** Milliseconds until a worker must be ready, on slow backends: an emulated guest boots for many seconds. */
const patienceOf: Readonly<Partial<Record<BackendName, number>>> = { microvm: 60_000 };

/** Bytes of stderr that an error can quote. */
const mostSaid = 4096;

/** Starts a files worker as the command of its own box. The journal gets its start and its end, as for any command. */
export function startWorker(session: Session): WorkerProcess {
  const { filesWorker } = session.place.installation;
  if (!existsSync(filesWorker)) {
    throw new HoldfastError('HF_FILES_UNAVAILABLE', `${filesWorker} does not exist`, {
      remedy: `run \`make -C ${session.place.installation.root}/native\`, which needs a C compiler`,
    });
  }
  const plan = workerPlan(session, filesWorker);
  const running = startOwnCommand(session, plan, { stdio: ['pipe', 'pipe', 'pipe'], stderr: 'direct' });
  const patience = patienceOf[session.backend.name];
  return { ...workerProcess(running), ...(patience === undefined ? {} : { patience }) };
}

/**
 * The worker opens no connections and reads no environment. So its box has neither, in case someone takes over the
 * worker.
 */
function workerPlan(session: Session, filesWorker: string): Plan {
  const plan = planOwnCommand(session, { argv: [filesWorker] });
  return {
    ...plan,
    network: { kind: 'closed' },
    command: { ...plan.command, cwd: workingDirectory(plan), environment: {} },
  };
}

/** A narrowed box may not have the working directory. Then relative paths lead nowhere, but absolute ones work. */
function workingDirectory({ mounts, command: { cwd } }: Plan): string {
  const there = mounts.some(({ kind, target }) => isWithin(target, cwd) || (kind === 'bind' && isWithin(cwd, target)));
  return there ? cwd : '/';
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || directory === '/' || path.startsWith(`${directory}/`);
}

function workerProcess({ box, ended }: RunningBox): WorkerProcess {
  const { stdin, stdout, stderr, stdio } = box.process;
  const said = lastOf(stderr as Readable);
  const hold = (how: 'ref' | 'unref'): void => {
    box.process[how]();
    for (const stream of stdio) (stream as Socket | null | undefined)?.[how]();
  };
  return {
    stdin: stdin as Writable,
    stdout: stdout as Readable,
    ended: ended.then(({ exitCode }) => ({ exitCode, said: said() })),
    end: box.end,
    hold,
  };
}

function lastOf(stream: Readable): () => string {
  let last = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => (last = Buffer.concat([last, chunk]).subarray(-mostSaid)));
  return () => last.toString().trim();
}
