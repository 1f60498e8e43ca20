import { fileAnchors } from '../../policy/anchors.ts';
import type { Policy } from '../../policy/policy.ts';

/** With more paths than this, asking the policy is faster. */
const mostPlaces = 32;

/**
 * Returns a check that a real path (bytes as latin1) is out of reach of all file rules, for every operation. May
 * wrongly answer no, but never wrongly yes. Most files that a box opens are far from its rules. The policy decides the
 * rest, which is a hundred times slower until the engine has compiled it.
 */
export function outOfReach(policy: Policy): (path: string) => boolean {
  const places = [...new Set(ruleBases(policy).map(asciiPart))];
  if (places.length > mostPlaces || places.includes('/')) return () => false;
  const beneath = places.map((place) => `${place}/`);
  return (path) => {
    if (!isAscii(path)) return false;
    // Restrictions also apply to other spellings of a name.
    const folded = `${path.toLowerCase()}/`;
    return !beneath.some((place) => folded.startsWith(place));
  };
}

/** The fixed start of the paths that each rule covers. */
function ruleBases(policy: Policy): readonly string[] {
  const anchors = fileAnchors(policy);
  const rules = policy.layers
    .flatMap((layer) => layer.uses())
    .filter(({ kind, from, decision }) => kind === 'file' && from === 'rule' && decision !== 'allow');
  return rules.flatMap(({ origin }) => {
    const bases = anchors
      .filter(({ rule, file }) => rule === origin.rule && file === origin.file)
      .map(({ pattern }) => pattern.base);
    return bases.length === 0 ? ['/'] : bases;
  });
}

/**
 * Stops at the first component with non-ASCII letters, because some of those are other spellings of an ASCII letter.
 */
function asciiPart(base: string): string {
  const names = base.toLowerCase().split('/');
  const other = names.findIndex((name) => !isAscii(name));
  return (other < 0 ? names : names.slice(0, other)).join('/') || '/';
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/u.test(text);
}
