import type { Authority, Refused, Resolution, Resolver } from '../types.ts';
import type { NameTable } from './name-table.ts';

/** Whether a refused name does not exist, or gets an address where a connection can be told why it is refused. */
export type RefusedNames = 'nxdomain' | 'explain';

/** What an allowed name is answered with. */
export type AddressMode =
  /** An address of its own in 198.18.0.0/15. Nothing is looked up, so no look-up can carry anything out. */
  | { readonly kind: 'fake' }
  /** Its real addresses, as far as `vet` lets them pass. */
  | RealAddresses;

export interface RealAddresses {
  readonly kind: 'real';
  readonly resolver: Resolver;
  /** Which of the addresses may be handed out. */
  vet(name: string, resolution: Resolution): Resolution | Refused | Promise<Resolution | Refused>;
}

export interface AnswerContext {
  readonly authority: Pick<Authority, 'decide'>;
  readonly names: NameTable;
  readonly mode: AddressMode;
  readonly refusedNames: RefusedNames;
  /**
   * Names that exist only in the box: they have a fake address whatever the policy and name servers say. Default: none.
   */
  readonly routes?: Pick<ReadonlyMap<string, unknown>, 'has'>;
}
