import type { FileStatement, FileUse } from './layers/layer.ts';
import type { ResolvedPath } from './patterns/resolve-path.ts';
import type { Policy } from './policy.ts';
import type { LayerKind } from './verdict.ts';

/** A path pattern in force. The planner asks `decide` at each and turns the answers into mounts. */
export interface FileAnchor {
  readonly pattern: {
    /** A `subtree` is its base and everything beneath; a `glob` matches some of what lies beneath its base. */
    readonly kind: 'subtree' | 'glob';
    /** The longest absolute path without wildcards. */
    readonly base: string;
    /** As written in the policy. */
    readonly source: string;
  };
  readonly use: FileUse;
  readonly layer: LayerKind;
  readonly rule: string;
  /** The policy file, or `built-in`. */
  readonly file: string;
}

/** Every path that the policy names. Built-in names at any depth are in `protectedNames` and `hiddenNames` instead. */
export function fileAnchors(policy: Policy): readonly FileAnchor[] {
  return policy.layers.flatMap((layer) => layer.files().map(anchorOf));
}

function anchorOf({ use, pattern, origin }: FileStatement): FileAnchor {
  const kind = pattern.kind === 'subtree' ? 'subtree' : 'glob';
  return {
    pattern: { kind, base: baseOf(pattern), source: pattern.source },
    use,
    layer: origin.layer,
    rule: origin.rule,
    file: origin.file,
  };
}

function baseOf(pattern: ResolvedPath): string {
  return pattern.kind === 'name' ? '/' : `/${pattern.base.join('/')}`;
}
