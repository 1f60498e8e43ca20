import { homedir } from 'node:os';
import { HoldfastError } from '../../errors/index.ts';
import { statePaths } from '../../place/host/state-paths.ts';
import { connectServer, type ServerConnection } from '../../serve/client/connect-server.ts';
import type { CommandInput, CommandIo } from '../command.ts';

/** Connects to the server of this user. Throws `HF_SERVE_ABSENT` if none runs. */
export function serverOf({ io }: CommandInput): Promise<ServerConnection> {
  return connectServer({ runtime: runtimeOf(io) });
}

/** Returns the single word of a command: the name of a session, or the ID of a command. Throws `HF_USAGE`. */
export function onlyName({ positionals }: CommandInput, command: string): string {
  const [name, ...more] = positionals;
  if (name !== undefined && more.length === 0) return name;
  throw new HoldfastError(
    'HF_USAGE',
    name === undefined ? `${command} needs a name` : `${command} takes one name, not ${positionals.length}`,
    { remedy: `\`holdfast ps\` lists the names; see \`holdfast ${command} --help\`` },
  );
}

/** Returns the runtime directory of this user's server. */
export function runtimeOf({ environment }: CommandIo): string {
  return statePaths(homedir(), environment).runtime;
}
