/** Requests to a server or a carrier, and its answers, over its channel. */
export type Ask = { readonly kind: 'memory' } | { readonly kind: 'release' };

export type Say =
  | {
      readonly kind: 'ready';
      readonly port: number /** PEM of the authority behind its names. */;
      readonly authority: string /** Port of a proxy. */;
      readonly secret?: string;
    }
  /** Bytes. */
  | { readonly kind: 'memory'; readonly rss: number };

export interface CarrierStart {
  readonly kind: 'carrier';
  /** Whether requests pass through the gateway. */
  readonly gateway: 'with' | 'without';
  readonly serverPort: number;
  /** PEM of the authority of the server. */
  readonly serverAuthority: string;
  /** Place of the journal. */
  readonly directory: string;
  readonly secrets: readonly string[];
}
