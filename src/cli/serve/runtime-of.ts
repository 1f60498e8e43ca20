import { homedir } from 'node:os';
import { statePaths } from '../../place/host/state-paths.ts';
import type { CommandIo } from '../command.ts';

/** Where the server of this user is. */
export function runtimeOf({ environment }: CommandIo): string {
  return statePaths(homedir(), environment).runtime;
}
