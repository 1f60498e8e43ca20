import { join } from 'node:path';
import type { Arena } from './arena.ts';

const path = '/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin';

/** The environment of one performance's scripts. No variable of the runner reaches them. */
export function scriptEnvironment(arena: Arena, variant: string | undefined): Readonly<Record<string, string>> {
  return {
    PATH: path,
    LANG: 'C',
    TERM: 'xterm',
    HOLDFAST_RESIDENT: 'never',
    HOME: arena.home,
    XDG_STATE_HOME: join(arena.home, '.local/state'),
    XDG_CONFIG_HOME: join(arena.home, '.config'),
    XDG_RUNTIME_DIR: join(arena.root, 'run'),
    ...attackVariables(arena, variant),
    TOOLS: arena.tools,
  };
}

/** The part for the attack itself, in the box as outside. */
export function attackVariables(arena: Arena, variant: string | undefined): Readonly<Record<string, string>> {
  return {
    ARENA: arena.root,
    CANARY: arena.canary,
    TOOLS: join(arena.kit, 'tools'),
    ...(variant === undefined ? {} : { CASE: variant }),
  };
}
