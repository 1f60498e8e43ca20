import type { CoveredName, LentHandle } from '../backend.ts';

/** Frames of `native/src/launch/report/report.c`: u32 length of the rest, u8 kind, payload. */
export type LauncherReport =
  | { readonly kind: 'started'; readonly landlockAbi: number; readonly initPid: number }
  | { readonly kind: 'failed'; readonly stage: string; readonly path: string; readonly errno: number }
  | { readonly kind: 'exit'; readonly code: number; readonly signal: number }
  | {
      readonly kind: 'protected';
      readonly effect: 'pinned' | 'read-only' | 'hidden';
      readonly symlink: 'symlink' | 'none';
      readonly identity: string;
      readonly born: string;
      readonly path: Buffer;
    }
  | { readonly kind: 'appeared'; readonly path: Buffer }
  | { readonly kind: 'tail'; readonly bytes: Buffer }
  | { readonly kind: 'timeout' }
  /** Number of the seccomp listener in the launcher's own process. */
  | { readonly kind: 'listener'; readonly descriptor: number }
  | { readonly kind: 'refused'; readonly path: Buffer }
  /** A name was covered while the command ran, again or for the first time. */
  | ({ readonly kind: 'covered' } & CoveredName)
  /** Protected names were reported after the listener. The command of a warm box waits until they are known. */
  | { readonly kind: 'found' }
  /** A handle from init, for a launcher that is not a child of this process. */
  | ({ readonly kind: 'handle' } & LentHandle);

const maximumFrame = 1 << 20;
/** Bytes in a protected name's report before its path. */
const hitHead = 26;

/**
 * Splits a byte stream into reports. Throws for any other bytes. The launcher is part of Holdfast, so such bytes mean a
 * broken build.
 */
export class ReportReader {
  #held: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): LauncherReport[] {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const reports: LauncherReport[] = [];
    for (let size = frameSize(this.#held); size !== undefined; size = frameSize(this.#held)) {
      reports.push(decodeReport(this.#held[4] ?? 0, this.#held.subarray(5, 4 + size)));
      this.#held = this.#held.subarray(4 + size);
    }
    return reports;
  }
}

function frameSize(held: Buffer): number | undefined {
  if (held.length < 5) return undefined;
  const size = held.readUInt32LE(0);
  if (size < 1 || size > maximumFrame) throw new RangeError(`the launcher sent a frame of ${size} bytes`);
  return held.length < 4 + size ? undefined : size;
}

const effects = ['pinned', 'read-only', 'hidden'] as const;

const decoders: Readonly<Record<number, (payload: Buffer) => LauncherReport>> = {
  1: (payload) => ({ kind: 'started', landlockAbi: payload.readUInt32LE(0), initPid: payload.readUInt32LE(4) }),
  2: decodeFailure,
  3: (payload) => ({ kind: 'exit', code: payload.readUInt32LE(0), signal: payload.readUInt32LE(4) }),
  4: (payload) => ({
    kind: 'protected',
    identity: `${payload.readBigUInt64LE(0)}:${payload.readBigUInt64LE(8)}${linkText(payload)}`,
    born: String(payload.readBigUInt64LE(16)),
    effect: effects[payload[24] ?? 0] ?? 'pinned',
    symlink: payload[25] === 1 ? 'symlink' : 'none',
    path: payload.subarray(hitHead, pathEnd(payload)),
  }),
  5: (payload) => ({ kind: 'appeared', path: payload }),
  6: (payload) => ({ kind: 'tail', bytes: payload }),
  7: () => ({ kind: 'timeout' }),
  9: (payload) => ({ kind: 'listener', descriptor: payload.readUInt32LE(0) }),
  10: (payload) => ({ kind: 'refused', path: payload }),
  11: () => ({ kind: 'found' }),
  12: decodeHandle,
  13: (payload) => ({
    kind: 'covered',
    effect: effects[payload[0] ?? 0] ?? 'pinned',
    change: payload[1] === 1 ? 'appeared' : 'replaced',
    path: payload.subarray(2),
  }),
};

const noDescriptor = 0xffffffff;

function decodeHandle(payload: Buffer): LauncherReport {
  const descriptor = payload.readUInt32LE(0);
  return { kind: 'handle', text: payload.toString('utf8', 4), ...(descriptor === noDescriptor ? {} : { descriptor }) };
}

/** A new symlink may have the same inode as the one it replaces, so its text is part of its identity. */
function linkText(payload: Buffer): string {
  return payload.toString('latin1', pathEnd(payload));
}

function pathEnd(payload: Buffer): number {
  const end = payload.indexOf(0, hitHead);
  return end === -1 ? payload.length : end;
}

function decodeReport(kind: number, payload: Buffer): LauncherReport {
  const decode = decoders[kind];
  if (decode === undefined) throw new RangeError(`the launcher sent a report of unknown kind ${kind}`);
  return decode(payload);
}

function decodeFailure(payload: Buffer): LauncherReport {
  const end = payload.indexOf(0, 4);
  const pathEnd = payload.indexOf(0, end + 1);
  if (end < 0 || pathEnd < 0) throw new RangeError('the launcher sent a malformed failure');
  return {
    kind: 'failed',
    errno: payload.readUInt32LE(0),
    stage: payload.toString('utf8', 4, end),
    path: payload.toString('utf8', end + 1, pathEnd),
  };
}
