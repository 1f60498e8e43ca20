/** What a server or a carrier is asked, and says, over its channel. */
export type Ask = { readonly kind: 'memory' } | { readonly kind: 'release' };

export type Say =
  | {
      readonly kind: 'ready';
      readonly port: number /** PEM of the authority that it proves its names by. */;
      readonly authority: string /** Of a proxy. */;
      readonly secret?: string;
    }
  /** Octets. */
  | { readonly kind: 'memory'; readonly rss: number };

export interface CarrierStart {
  readonly kind: 'carrier';
  /** Whether the gateway is among what requests go through. */
  readonly gateway: 'with' | 'without';
  readonly serverPort: number;
  /** PEM of the authority of the server. */
  readonly serverAuthority: string;
  /** Where the journal is put. */
  readonly directory: string;
  readonly secrets: readonly string[];
}
