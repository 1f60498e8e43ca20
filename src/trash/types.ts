/** Something that was deleted, overwritten or truncated in a box and kept. It lives in `STATE/trash/ID/`: `entry.json` and `content`. */
export interface TrashEntry {
  /** Letters, digits and hyphens; sorts by time. */
  readonly id: string;
  /** Absolute path it had. Bytes that are no UTF-8 are written as `%FF`; `pathBytes` (base64) is exact. */
  readonly path: string;
  readonly pathBytes: string;
  readonly workspace: string;
  readonly session: string;
  readonly cause: 'deleted' | 'overwritten' | 'truncated';
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Bytes of everything in it. */
  readonly size: number;
}

export interface KeepRequest {
  /** Absolute, on the host. The last component is never followed when it is a symlink. */
  readonly path: Buffer;
  readonly workspace: string;
  readonly session: string;
  readonly cause: TrashEntry['cause'];
  /** `take` moves it away, which is the deletion; `copy` leaves it where it is. */
  readonly how: 'take' | 'copy';
}
