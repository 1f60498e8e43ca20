import { HoldfastError, isHoldfastError } from '../../errors/index.ts';

export function brokenSettings(
  problem: string,
  file?: string,
  remedy = 'put the file right first; nothing was changed',
): HoldfastError {
  const name = file === undefined ? 'the settings' : file;
  return new HoldfastError('HF_AGENT_SETTINGS', `${name} cannot be changed: ${problem}`, { remedy });
}

/** What the system refuses about this file, or about one that belongs to it, in words. */
export function inSystem<Value>(file: string, doing: 'read' | 'written', work: () => Value): Value {
  try {
    return work();
  } catch (cause) {
    if (isHoldfastError(cause)) throw cause;
    const { code = 'an unknown error', path = file } = cause as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new HoldfastError('HF_DISK_FULL', `${path} cannot be ${doing}: the disk is full`, {
        remedy: 'make room, and run the command again; the settings are as they were',
        cause,
      });
    throw new HoldfastError('HF_AGENT_SETTINGS', `${path} cannot be ${doing}: ${code}`, {
      remedy: 'make it, and the directory that it is in, yours to read and write; the settings are as they were',
      cause,
    });
  }
}
