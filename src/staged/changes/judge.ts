import type { FileOperation } from '../../policy/index.ts';
import type { Change } from '../types.ts';

/** One name that accepting would touch. A rename asks twice: a deletion where it was, a creation where it is. */
export interface JudgedName {
  /** Absolute path on the host. Bytes that are no UTF-8 stand as U+FFFD. */
  readonly path: string;
  readonly operation: Extract<FileOperation, 'write' | 'create' | 'delete'>;
  /** Leads to the staged entry through an open directory while the judge runs. Undefined for a deletion. */
  readonly staged?: Buffer;
}

/** Says why accepting is refused; undefined when it is not. */
export type Judge = (name: JudgedName) => Change['refusal'];
