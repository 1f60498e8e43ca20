import { builtinFile, defaultUserFile } from '../origin.ts';
import { type PatternBase, patternRoots } from '../patterns/resolve-path.ts';
import { policyFileAtoms, requiredDenials, requiredProtections } from './builtin-atoms.ts';
import { compileSource } from './compile-source.ts';
import { noRules } from './document-source.ts';
import type { Layer } from './layer.ts';

export interface RequiredContext extends PatternBase {
  /**
   * Holdfast's own directories if they are not in the usual places (`XDG_STATE_HOME` …): neither readable nor writable.
   * Patterns: see `pathPatternOf`.
   */
  readonly ownDirectories?: readonly string[];
  /** Policy files in force, wherever they are: readable, never writable. Patterns: see `pathPatternOf`. */
  readonly policyFiles?: readonly string[];
  readonly seconds?: SecondPaths;
}

/** Other paths at which bind mounts show files that a policy hides or protects by their first path. Patterns. */
export interface SecondPaths {
  readonly hidden: readonly string[];
  readonly protected: readonly string[];
}

/**
 * Returns the layer that no file can change: denials for credential stores, Holdfast's own files, and signals that
 * leave the box.
 */
export function builtinRequired(context: RequiredContext): Layer {
  const { home, workspace, ownDirectories = [], policyFiles = [], seconds = noSeconds } = context;
  const denials = requiredDenials(ownDirectories, seconds.hidden);
  return compileSource(
    {
      kind: 'required',
      file: builtinFile,
      editFile: defaultUserFile,
      roots: patternRoots({ home, workspace }),
      role: 'ceiling',
      lists: { 'files.deny': denials, 'files.protect': requiredProtections(policyFiles, seconds.protected) },
      listOrigins: {},
      rules: noRules,
      names: policyFileAtoms(),
      hiddenPlaces: [],
      registryKeys: [],
      credentials: [],
      settings: { limits: {}, variables: [], requirements: [] },
    },
    JSON.stringify(['required', home, workspace, ownDirectories, policyFiles, seconds]),
  );
}

const noSeconds: SecondPaths = { hidden: [], protected: [] };
