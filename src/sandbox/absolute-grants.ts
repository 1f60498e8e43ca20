import { resolve } from 'node:path';
import { HoldfastError } from '../errors/index.ts';
import type { Grants } from './place.ts';

/** Where `~` and relative paths point. Both absolute. */
export interface GrantPlaces {
  readonly cwd: string;
  readonly home: string;
}

/**
 * Grants with the paths that they mean. What a person gives on the command line is a path and no pattern, whatever characters it
 * has; `~` is the home, because a shell leaves it alone in `--read=~/data`. Throws `HF_USAGE` and `HF_PATH_UNREPRESENTABLE`.
 */
export function absoluteGrants(grants: Grants, places: GrantPlaces): Grants {
  const { read, write, sockets, ...others } = grants;
  return {
    ...others,
    ...(read === undefined ? {} : { read: read.map((path) => absolutePath('--read', path, places)) }),
    ...(write === undefined ? {} : { write: write.map((path) => absolutePath('--write', path, places)) }),
    ...(sockets === undefined ? {} : { sockets: sockets.map((socket) => (socket.startsWith('@') ? socket : absolutePath('--socket', socket, places))) }),
  };
}

function absolutePath(flag: string, path: string, { cwd, home }: GrantPlaces): string {
  if (path === '') throw new HoldfastError('HF_USAGE', `${flag} needs a path, and got an empty one`, { remedy: `write \`${flag} .\` for the working directory` });
  if (/[\p{Cc}\p{Cs}\uFFFD]/u.test(path)) {
    throw new HoldfastError('HF_PATH_UNREPRESENTABLE', `${flag} ${JSON.stringify(path)} holds a control character or is not valid UTF-8`, { remedy: 'rename it, or grant the directory around it' });
  }
  return path === '~' || path.startsWith('~/') ? resolve(home, path.slice(2)) : resolve(cwd, path);
}
