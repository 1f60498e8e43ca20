/** A chain of names that is protected or hidden wherever it occurs. Compared without regard to case. */
export interface BuiltinName {
  /** Components below any directory; each may hold `*` and `?`. Lower case. */
  readonly components: readonly string[];
  readonly effect: 'read-only' | 'hidden';
  /** Last components that are not meant although they match. */
  readonly except: readonly string[];
  /** `outside-packages` does not apply below a `node_modules` directory. */
  readonly scope: 'anywhere' | 'outside-packages';
  /** `itself` leaves alone what lies beneath; only changing and deleting count, since git itself makes such files. */
  readonly depth: 'beneath' | 'itself';
  readonly kind: 'git' | 'agent' | 'editor' | 'ci' | 'shell' | 'tool' | 'package' | 'holdfast' | 'secret' | 'history';
  /** Why: completes "it is protected because …". */
  readonly reason: string;
}
