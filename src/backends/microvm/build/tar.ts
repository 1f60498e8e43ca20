export interface TarMember {
  /** As it stands in the archive, without a leading `./` or `/`. */
  readonly path: string;
  readonly bytes: Buffer;
}

export interface TarReader {
  /** The regular files of interest that end in this piece of the archive. Throws nothing. */
  push(chunk: Buffer): readonly TarMember[];
  /** Whether everything so far was an archive, and it came to its end. */
  state(): 'reading' | 'complete' | 'invalid';
}

/**
 * Reads a tar archive (ustar, and the long names of GNU and pax) piece by piece. Links, devices and whatever else is not a regular file are
 * passed over, and nothing is written anywhere, so a member's path is only ever a name. Keeps at most one file of interest at a time;
 * `wanted` says for which paths and sizes it may.
 */
export function tarReader(wanted: (path: string, size: number) => boolean): TarReader {
  let state: 'reading' | 'complete' | 'invalid' = 'reading';
  let rest = Buffer.alloc(0);
  let longName: string | undefined;
  let current: Current | undefined;
  return { state: () => state, push };

  function push(chunk: Buffer): readonly TarMember[] {
    const members: TarMember[] = [];
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (state === 'reading') {
      if (current === undefined) {
        if (bytes.length < block) break;
        begin(bytes.subarray(0, block));
        bytes = bytes.subarray(block);
        continue;
      }
      bytes = take(current, bytes);
      if (current.left > 0) break;
      finish(current, members);
      current = undefined;
    }
    rest = state === 'reading' ? Buffer.from(bytes) : Buffer.alloc(0);
    return members;
  }

  function begin(header: Buffer): void {
    const read = readHeader(header);
    if (read === 'end') state = 'complete';
    else if (read === undefined) state = 'invalid';
    else current = purposeOf(read, longName, wanted);
  }

  function finish({ purpose, path, size, kept }: Current, members: TarMember[]): void {
    const bytes = Buffer.concat(kept).subarray(0, size);
    if (purpose === 'name') longName = bytes.toString('latin1').replace(/\0.*$/su, '');
    else if (purpose === 'pax') longName = /^\d+ path=([^\n]*)$/mu.exec(bytes.toString('latin1'))?.[1] ?? longName;
    else longName = undefined;
    if (purpose === 'member') members.push({ path, bytes });
  }
}

const block = 512;
/** Names and attributes of one member; more is no archive of a package. */
const mostAttributes = 1 << 16;

interface Header {
  readonly path: string;
  readonly size: number;
  readonly type: string;
}

interface Current {
  readonly purpose: 'member' | 'name' | 'pax' | 'passed-over';
  readonly path: string;
  readonly size: number;
  readonly kept: Buffer[];
  /** Bytes that are still to come, with the padding. */
  left: number;
}

function purposeOf({ path, size, type }: Header, longName: string | undefined, wanted: (path: string, size: number) => boolean): Current {
  const name = (longName ?? path).replace(/^(?:\.?\/)+/u, '');
  const base = { path: name, size, kept: [], left: Math.ceil(size / block) * block };
  if (type === 'L' && size <= mostAttributes) return { ...base, purpose: 'name' };
  if (type === 'x' && size <= mostAttributes) return { ...base, purpose: 'pax' };
  return { ...base, purpose: (type === '0' || type === '\0') && wanted(name, size) ? 'member' : 'passed-over' };
}

function take(current: Current, bytes: Buffer): Buffer {
  const piece = bytes.subarray(0, current.left);
  if (current.purpose !== 'passed-over') current.kept.push(piece);
  current.left -= piece.length;
  return bytes.subarray(piece.length);
}

function readHeader(header: Buffer): Header | 'end' | undefined {
  if (header.every((byte) => byte === 0)) return 'end';
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  const size = numberAt(header, 124, 12);
  if (numberAt(header, 148, 8) !== sum || size === undefined) return undefined;
  const prefix = header.toString('latin1', 257, 262) === 'ustar' && header[262] === 0 ? textAt(header, 345, 155) : '';
  return { path: `${prefix === '' ? '' : `${prefix}/`}${textAt(header, 0, 100)}`, size, type: header.toString('latin1', 156, 157) };
}

function numberAt(header: Buffer, at: number, length: number): number | undefined {
  const digits = textAt(header, at, length).trim();
  return /^[0-7]{1,11}$/u.test(digits) ? Number.parseInt(digits, 8) : undefined;
}

function textAt(header: Buffer, at: number, length: number): string {
  return header.toString('latin1', at, at + length).replace(/\0.*$/su, '');
}
