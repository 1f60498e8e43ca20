import type { LayerKind } from './verdict.ts';

/** Where something in a policy comes from. */
export interface Origin {
  /** Unique name of the rule, e.g. `ask-migrations` or `files.write[0]`. */
  readonly rule: string;
  readonly layer: LayerKind;
  /** The policy file, or `built-in`. */
  readonly file: string;
  /** 1-based; 0 for what is built in. */
  readonly line: number;
}

export const builtinFile = 'built-in';

/** Where the user's policy lies unless the caller knows better. */
export const defaultUserFile = '~/.config/holdfast/policy.toml';
