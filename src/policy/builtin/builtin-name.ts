/** A chain of names that is protected or hidden at any depth. Case is ignored. */
export interface BuiltinName {
  /** Components below any directory, in lower case. Each may hold `*` and `?`. */
  readonly components: readonly string[];
  readonly effect: 'read-only' | 'hidden';
  /** Exceptions: last components that match but are not protected or hidden. */
  readonly except: readonly string[];
  /** `outside-packages`: does not apply below `node_modules`, or in references of git. */
  readonly scope: 'anywhere' | 'outside-packages';
  /**
   * `itself`: protects the path against changes and deletion, but not its content, because git itself makes such files.
   */
  readonly depth: 'beneath' | 'itself';
  readonly kind: 'git' | 'agent' | 'editor' | 'ci' | 'shell' | 'tool' | 'package' | 'holdfast' | 'secret' | 'history';
  /** The reason: completes "it is protected because …". */
  readonly reason: string;
}
