import type { FileStatement, FileUse } from './layers/layer.ts';
import { builtinFile } from './origin.ts';
import type { ResolvedPath } from './patterns/resolve-path.ts';
import type { Policy } from './policy.ts';
import type { LayerKind } from './verdict.ts';

/** A path pattern in force. The planner asks `decide` about each, and turns the answers into mounts. */
export interface FileAnchor {
  readonly pattern: {
    /** `subtree`: the base and everything beneath it. `glob`: some paths beneath the base. */
    readonly kind: 'subtree' | 'glob';
    /** The longest absolute path without wildcards. */
    readonly base: string;
    /** The pattern as written in the policy. */
    readonly source: string;
  };
  readonly use: FileUse;
  readonly layer: LayerKind;
  readonly rule: string;
  /** The policy file, or `built-in`. */
  readonly file: string;
}

/**
 * Returns every path that the policy names. Built-in names at any depth are in `protectedNames` and `hiddenNames`
 * instead.
 */
export function fileAnchors(policy: Policy): readonly FileAnchor[] {
  return policy.layers.flatMap((layer) => layer.files().map(anchorOf));
}

/** Files that a person grants by their own names, who wants them as they are. Policies of others only take away. */
export function filesByName(policy: Policy): readonly string[] {
  return fileAnchors(policy).flatMap(({ pattern, use, layer, file }) =>
    layer === 'user' && file !== builtinFile && pattern.kind === 'subtree' && (use === 'read' || use === 'write')
      ? [pattern.base]
      : [],
  );
}

function anchorOf({ use, pattern, origin }: FileStatement): FileAnchor {
  const kind = pattern.kind === 'subtree' ? 'subtree' : 'glob';
  return {
    pattern: { kind, base: anchorBase(pattern), source: pattern.source },
    use,
    layer: origin.layer,
    rule: origin.rule,
    file: origin.file,
  };
}

/** Returns the longest absolute path without wildcards. */
export function anchorBase(pattern: ResolvedPath): string {
  return pattern.kind === 'name' ? '/' : `/${pattern.base.join('/')}`;
}
