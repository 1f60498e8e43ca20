import type { Startup } from '../protocol/startup.ts';
import { isSafeEncoding, settings } from '../read-only/settings.ts';
import { LoginFailure } from './failure.ts';

/** What a startup message may say besides settings. */
const own: ReadonlySet<string> = new Set(['user', 'database']);

/**
 * What of a client's startup message goes to the server. Replication is another protocol, and is refused. A read-only session
 * takes the settings that it could change later as well; command-line `options` could hold any other.
 */
export function upstreamParameters({ parameters }: Startup, mode: 'read-write' | 'read-only'): ReadonlyMap<string, string> {
  const replication = parameters.get('replication')?.toLowerCase() ?? 'off';
  if (!['off', 'false', 'no', '0'].includes(replication)) throw refused('replication is not passed on', 'connect without the parameter replication');
  const passed = new Map([...parameters].filter(([name]) => name !== 'replication'));
  if (mode === 'read-write') return passed;
  for (const [name, value] of passed) {
    if (own.has(name)) continue;
    if (name === 'options' && value.trim() === '') passed.delete(name);
    else if (name === 'options') throw refused('a read-only session takes no options', 'connect without options (PGOPTIONS), and use SET for the settings that it may change');
    else if (!settings.has(name.toLowerCase())) throw refused(`a read-only session may not change the setting "${name}"`, 'connect without it');
    else if (name.toLowerCase() === 'client_encoding' && !isSafeEncoding(value)) throw refused('a read-only session needs a client encoding in which ASCII means ASCII', 'connect with client_encoding UTF8');
  }
  return passed;
}

function refused(message: string, remedy: string): LoginFailure {
  return new LoginFailure({ code: '42501', message, remedy }, 'policy');
}
