export interface HostAndPort {
  /** A name or an address in any spelling. */
  readonly host: string;
  /** 1 to 65535. */
  readonly port: number;
}
