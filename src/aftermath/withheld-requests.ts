import type { Refusal } from '../place/refusals/refusal.ts';
import { withheldPlace } from '../place/withheld-place.ts';
import type { PolicyRequest } from '../policy/request.ts';
import type { Verdict } from '../policy/verdict.ts';

export interface WithheldFrom {
  /** Real path of the workspace. */
  readonly root: string;
  /** Components of the withheld names. */
  readonly names: readonly (readonly string[])[];
  /** Absolute paths that the box saw anyway. */
  readonly approved: readonly string[];
  /** Returns whether a path of the host exists. A file that a command would make is not withheld. */
  readonly exists: (path: string) => boolean;
}

export interface SortedRequests {
  readonly withheld: readonly Refusal[];
  readonly others: readonly PolicyRequest[];
}

/** Separates requests for unapproved files from those that the policy decides. */
export function withheldRequests(
  requests: readonly PolicyRequest[],
  { root, names, approved, exists }: WithheldFrom,
): SortedRequests {
  const isWithheld = (request: PolicyRequest): boolean => {
    if (request.kind !== 'file' || !request.path.startsWith(`${root}/`)) return false;
    const path = request.path.slice(root.length + 1);
    const place = withheldPlace(names, path);
    const shown = place?.kind === 'in-directory' ? `${root}/${place.directory}` : request.path;
    return place !== undefined && !approved.includes(shown) && exists(shown);
  };
  const paths = new Set(
    requests.filter(isWithheld).flatMap((request) => (request.kind === 'file' ? [request.path] : [])),
  );
  return {
    withheld: [...paths].map((path) => ({
      request: { kind: 'file', operation: 'read', path },
      verdict: withheldVerdict(path, root),
    })),
    others: requests.filter((request) => !isWithheld(request)),
  };
}

function withheldVerdict(path: string, root: string): Verdict {
  return {
    decision: 'deny',
    code: 'withheld',
    rule: 'trust',
    layer: 'required',
    file: 'built-in',
    line: 0,
    message: `${path} is withheld: programs load it automatically, and nobody has approved its current content`,
    remedy: `look at it with \`holdfast trust diff\`, and approve it with \`holdfast trust add ${JSON.stringify(path.slice(root.length + 1))}\``,
  };
}

/** Returns refusals of files that are hidden because their content holds a secret. The policy knows no content. */
export function secretRefusals(requests: readonly PolicyRequest[], hidden: ReadonlySet<string>): readonly Refusal[] {
  const paths = new Set(
    requests.flatMap((request) => (request.kind === 'file' && hidden.has(request.path) ? [request.path] : [])),
  );
  return [...paths].map((path) => ({
    request: { kind: 'file', operation: 'read', path },
    verdict: {
      decision: 'deny',
      code: 'hidden-file',
      rule: 'secret',
      layer: 'required',
      file: 'built-in',
      line: 0,
      message: `${path} is hidden: its content looks like a secret`,
      remedy: `give it to the command with \`--read ${JSON.stringify(path)}\``,
    },
  }));
}
