import { homedir } from 'node:os';
import { HoldfastError } from '../../errors/index.ts';
import { statePaths } from '../../place/host/state-paths.ts';
import { connectServer, type ServerConnection } from '../../serve/client/connect-server.ts';
import type { CommandInput, CommandIo } from '../command.ts';

/** The server of this user. Throws `HF_SERVE_ABSENT` where none runs. */
export function serverOf({ io }: CommandInput): Promise<ServerConnection> {
  return connectServer({ runtime: runtimeOf(io) });
}

/** The one word that a command takes: the name of a session, or the ID of a command. Throws `HF_USAGE`. */
export function onlyName({ positionals }: CommandInput, command: string): string {
  const [name, ...more] = positionals;
  if (name !== undefined && more.length === 0) return name;
  throw new HoldfastError('HF_USAGE', `${command} takes one name, not ${positionals.length}`, {
    remedy: `see \`holdfast ${command} --help\``,
  });
}

/** Where the server of this user is. */
export function runtimeOf({ environment }: CommandIo): string {
  return statePaths(homedir(), environment).runtime;
}
