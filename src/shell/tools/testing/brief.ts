/** Effects in one line, for long tables of command lines. */
import { shortEffects } from './effects.ts';

/**
 * `reads:… writes:… deletes:… hosts:… commands:… scripts:… opaque:…` in this order, without empty ones. Reasons appear
 * only by kind, each once. `nothing` if the line has no effect at all. Paths below /srv/project are relative.
 */
export function brief(line: string): string {
  const effects = shortEffects(line);
  const lists = (['reads', 'writes', 'deletes', 'hosts', 'commands', 'scripts'] as const).map(
    (name) => [name, effects[name] ?? []] as const,
  );
  const kinds = [...new Set((effects.opaque ?? []).map((reason) => reason.split(':', 1)[0] ?? ''))].toSorted();
  const shown = [...lists, ['opaque', kinds] as const]
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => `${name}:${[...new Set(list.map(relative))].join('|')}`);
  return shown.length === 0 ? 'nothing' : shown.join(' ');
}

const relative = (path: string): string =>
  path.replace(/^\/srv\/project(?:\/(?!\*)|(?=\/\*|$))/u, (start) => (start === '/srv/project' ? '.' : ''));
