import { HoldfastError } from '../../errors/index.ts';

export function brokenSettings(problem: string, file?: string): HoldfastError {
  const name = file === undefined ? 'the settings' : file;
  return new HoldfastError('HF_AGENT_SETTINGS', `${name} cannot be changed: ${problem}`, { remedy: 'put the file right first; nothing was changed' });
}
