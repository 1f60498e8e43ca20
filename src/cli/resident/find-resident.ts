import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { connectServer, type ServerConnection } from '../../serve/client/connect-server.ts';
import type { Results } from '../../serve/requests/index.ts';
import { installedFiles, residentName } from '../../serve/resident/resident-name.ts';
import type { CommandIo } from '../command.ts';
import { runtimeOf } from '../serve/server-of.ts';

/** Connects to the supervisor of this version. Undefined if none runs. */
async function findResident(io: CommandIo): Promise<ServerConnection | undefined> {
  try {
    return await connectServer({ runtime: runtimeOf(io), name: residentName('serve', installedFiles()) });
  } catch (error) {
    if (isHoldfastError(error) && (error.code === 'HF_SERVE_ABSENT' || error.code === 'HF_LAUNCHER_MISSING'))
      return undefined;
    throw error;
  }
}

/** Lists its content. Undefined if none runs. */
export async function listResident(io: CommandIo): Promise<Results['ps'] | undefined> {
  const resident = await findResident(io);
  try {
    return await resident?.call({ kind: 'ps' }).result;
  } finally {
    resident?.close();
  }
}

/** Ends the supervisor after its last run. Throws `HF_SERVE_ABSENT` if none runs. */
export async function stopResident(io: CommandIo): Promise<void> {
  const resident = await findResident(io);
  if (resident === undefined)
    throw new HoldfastError('HF_SERVE_ABSENT', 'no resident supervisor of this version runs', {
      remedy: 'there is nothing to stop; the next `holdfast run` starts one',
    });
  await resident.call({ kind: 'stop', what: { kind: 'server' } }).result;
}

/** Returns a line for a person, without a line break. */
export function describeResident(listed: Results['ps'] | undefined, now = Date.now()): string {
  if (listed === undefined) return 'resident supervisor: none runs; the next `holdfast run` starts one';
  const { server, runs } = listed;
  const minutes = Math.floor((now - server.startedAt) / 60_000);
  const megabytes = Math.round(server.memoryBytes / 1_000_000);
  return `resident supervisor: process ${server.process}, up ${minutes} min, ${megabytes} MB, ${runs.length === 0 ? 'no' : runs.length} ${runs.length === 1 ? 'run' : 'runs'} now`;
}
