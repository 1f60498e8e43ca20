/** Effects in a short form, for the tests of specifications. */
import type { PathEffect } from '../../types.ts';
import { effectsOf, type ToolEffects } from '../effects-of.ts';
import { toolFor } from '../tool-for.ts';
import { wordAsTyped } from '../words.ts';
import { words } from './words.ts';

/** Effects of a line such as `cp a b` in /srv/project, one short text each. Empty ones are omitted. */
export interface ShortEffects {
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  readonly deletes?: readonly string[];
  readonly runs?: readonly string[];
  readonly hosts?: readonly string[];
  /** `kind: message`. */
  readonly opaque?: readonly string[];
  readonly commands?: readonly string[];
  readonly scripts?: readonly string[];
}

/** The effects by the specification of the line's first word. A tree ends in `/**`, an unknown path is `?`. */
export function shortEffects(line: string): ShortEffects {
  const { effects, commands, scripts } = toolEffects(line);
  const lists = {
    reads: effects.reads.map(shownPath),
    writes: effects.writes.filter(({ use }) => use !== 'delete').map(shownPath),
    deletes: effects.writes.filter(({ use }) => use === 'delete').map(shownPath),
    runs: effects.runs.map(({ kind, what }) => `${kind} ${what}`),
    hosts: effects.hosts.map(({ host, port }) => `${host ?? '?'}${port === undefined ? '' : `:${port}`}`),
    opaque: effects.opaque.map(({ kind, message }) => `${kind}: ${message}`),
    commands: commands.map((command) => command.map(wordAsTyped).join(' ')),
    scripts: scripts.map(wordAsTyped),
  };
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

export function toolEffects(line: string): ToolEffects {
  const [program, ...rest] = words(line);
  const spec = program?.kind === 'static' ? toolFor(program.value) : undefined;
  if (program === undefined || spec === undefined) throw new Error(`nothing is known of ${line}`);
  return effectsOf(spec, rest, { cwd: '/srv/project', home: '/home/dev', span: program.span });
}

/** The kinds of reasons, without duplicates, for tests that ignore the message. */
export function opaqueKinds(line: string): readonly string[] {
  return [...new Set(toolEffects(line).effects.opaque.map(({ kind }) => kind))];
}

function shownPath({ path, scope }: PathEffect): string {
  return scope === 'tree' ? `${path === '/' ? '' : (path ?? '?')}/**` : (path ?? '?');
}
