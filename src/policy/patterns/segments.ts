import type { Segment } from './resolve-path.ts';
import { matchesWildcard } from './wildcard.ts';

/**
 * True when the components from `start` on begin with what the segments describe (what lies beneath a match matches
 * too). Falls back to the last `**` only, which is enough and keeps hostile patterns polynomial.
 */
export function matchesSegments(segments: readonly Segment[], components: readonly string[], start: number): boolean {
  let at = start;
  let index = 0;
  let resume = -1;
  let resumeIndex = -1;
  while (index < segments.length) {
    const segment = segments[index];
    const component = components[at];
    if (segment === 'any-depth') {
      index += 1;
      resumeIndex = index;
      resume = at;
    } else if (segment !== undefined && component !== undefined && matchesWildcard(segment, component)) {
      at += 1;
      index += 1;
    } else if (resumeIndex >= 0 && resume < components.length) {
      resume += 1;
      at = resume;
      index = resumeIndex;
    } else return false;
  }
  return segments[segments.length - 1] !== 'any-depth' || at < components.length;
}
