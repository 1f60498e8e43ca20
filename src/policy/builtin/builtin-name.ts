/** A chain of names that is protected or hidden wherever it occurs. Case is ignored. */
export interface BuiltinName {
  /** Components below any directory, in lower case. Each may hold `*` and `?`. */
  readonly components: readonly string[];
  readonly effect: 'read-only' | 'hidden';
  /** Last components that match but do not count. */
  readonly except: readonly string[];
  /** `outside-packages`: does not apply below a `node_modules` directory. */
  readonly scope: 'anywhere' | 'outside-packages';
  /**
   * `itself`: protects the path against changes and deletion, but not its content, because git itself makes such files.
   */
  readonly depth: 'beneath' | 'itself';
  readonly kind: 'git' | 'agent' | 'editor' | 'ci' | 'shell' | 'tool' | 'package' | 'holdfast' | 'secret' | 'history';
  /** The reason: completes "it is protected because …". */
  readonly reason: string;
}
