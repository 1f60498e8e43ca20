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

/** Files that a box does not have as they are, because their content holds a secret. */
export interface SecretFiles {
  readonly hidden: ReadonlySet<string>;
  /** The box has a read-only copy without the secrets. */
  readonly copied: ReadonlySet<string>;
}

/** Returns refusals of such files. The policy knows no content. */
export function secretRefusals(
  requests: readonly PolicyRequest[],
  { hidden, copied }: SecretFiles,
): readonly Refusal[] {
  const files = requests.filter((request) => request.kind === 'file');
  const paths = new Set(files.map(({ path }) => path).filter((path) => hidden.has(path)));
  const written = new Set(
    files.flatMap(({ path, operation }) => (operation !== 'read' && copied.has(path) ? [path] : [])),
  );
  return [
    ...[...paths].map((path) => secretRefusal('hidden-file', path)),
    ...[...written].map((path) => secretRefusal('protected-path', path)),
  ];
}

function secretRefusal(code: 'hidden-file' | 'protected-path', path: string): Refusal {
  const hidden = code === 'hidden-file';
  return {
    request: { kind: 'file', operation: hidden ? 'read' : 'write', path },
    verdict: {
      decision: 'deny',
      code,
      rule: 'secret',
      layer: 'required',
      file: 'built-in',
      line: 0,
      message: `${path} is ${hidden ? 'hidden: its content looks like a secret' : 'a read-only copy: the original holds a secret'}`,
      remedy: `give ${hidden ? 'it' : 'the original'} to the command with \`--read ${JSON.stringify(path)}\``,
    },
  };
}
