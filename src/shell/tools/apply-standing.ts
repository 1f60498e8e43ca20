import type { Opacity, Span } from '../types.ts';
import type { Findings } from './findings.ts';
import { isOfProject, pathEffect, type Place } from './paths.ts';
import type { StandingEffect } from './types.ts';
import { staticWord } from './words.ts';

/** Notes what a tool or an option does whatever its words are. */
export function applyStanding(effect: StandingEffect, where: { readonly findings: Findings; readonly place: Place; readonly span: Span; readonly concerns?: Opacity['concerns'] }): void {
  const { findings, place, span, concerns } = where;
  switch (effect.kind) {
    case 'opaque':
      findings.opaque.push(asOfPlace({ kind: effect.reason, message: effect.message, span, ...(concerns === undefined ? {} : { concerns }) }, place));
      return;
    case 'runs':
      findings.runs.push(effect.runs);
      return;
    case 'reads':
      findings.reads.push(pathEffect(standingWord(effect.path, span), place, { use: 'read', scope: effect.scope }));
      return;
    case 'writes':
      findings.writes.push(pathEffect(standingWord(effect.path, span), place, { use: 'write', scope: effect.scope }));
      return;
    case 'host':
      findings.hosts.push({ host: effect.host, port: effect.port, text: effect.host });
  }
}

/** What `make` or `git` finds where it runs is the project's code only within the project: `cd /tmp/x && make`. */
export function asOfPlace(reason: Opacity, place: Place): Opacity {
  if (reason.kind !== 'repository-code' || isOfProject(place.cwd, place)) return reason;
  return { ...reason, kind: 'unknown-tool', message: `${reason.message}, outside of the project` };
}

function standingWord(path: string, span: Span): ReturnType<typeof staticWord> {
  return path === '~' || path.startsWith('~/') ? { ...staticWord(path.slice(1), span), lead: 'home' } : staticWord(path, span);
}
