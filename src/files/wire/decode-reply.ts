import type { FileEntry, FileResult, FileStat, WatchEvent } from '../types.ts';
import type { Frame } from './frame-cutter.ts';
import { FieldReader } from './field-reader.ts';
import { fileTypes, watchEvents } from './numbers.ts';
import { protocolVersion, type Reply } from './reply.ts';

const magic = 0x3146_4648;

/** One frame of the worker as a reply. Throws `RangeError` for what is none. */
export function decodeReply({ id, kind, payload }: Frame): Reply {
  const decode = replies[kind];
  if (decode === undefined) throw new RangeError(`a frame of unknown kind ${kind}`);
  const fields = new FieldReader(payload);
  const reply = decode(fields, id);
  fields.end();
  return reply;
}

const replies: Readonly<Record<number, (from: FieldReader, id: number) => Reply>> = {
  1: decodeHello,
  2: (from, id) => ({ kind: 'result', id, index: from.u32(), result: decodeResult(from) }),
  3: (from, id) => ({ kind: 'end', id, done: from.u32() }),
  4: (from) => ({ kind: 'event', event: decodeEvent(from) }),
  5: (from) => ({ kind: 'error', message: from.rest().toString() }),
};

function decodeHello(from: FieldReader): Reply {
  if (from.u32() !== magic) throw new RangeError('no greeting');
  const version = from.u32();
  if (version !== protocolVersion) throw new RangeError(`version ${version} of the protocol, ${protocolVersion} is spoken here`);
  return { kind: 'hello', version, limits: { largestFrame: from.u32(), largestPayload: from.u32(), handles: from.u32(), watches: from.u32() } };
}

const results: Readonly<Record<number, (from: FieldReader) => FileResult>> = {
  0: () => ({ kind: 'done' }),
  1: (from) => ({ kind: 'data', size: from.u64(), data: from.rest() }),
  2: (from) => ({ kind: 'opened', handle: from.u32() }),
  3: (from) => ({ kind: 'written', length: from.u32() }),
  4: (from) => ({ kind: 'path', path: from.rest() }),
  5: (from) => ({ kind: 'stat', stat: decodeStat(from) }),
  6: (from) => ({ kind: 'entries', more: from.u32(), entries: decodeEntries(from) }),
  7: (from) => ({ kind: 'failed', errno: from.u32(), syscall: from.bytes(from.u8()).toString('latin1'), path: from.rest() }),
};

function decodeResult(from: FieldReader): FileResult {
  const kind = from.u8();
  const decode = results[kind];
  if (decode === undefined) throw new RangeError(`a result of unknown kind ${kind}`);
  return decode(from);
}

function decodeStat(from: FieldReader): FileStat {
  return {
    type: word(from.u8(), fileTypes),
    mode: from.u32(),
    links: from.u32(),
    uid: from.u32(),
    gid: from.u32(),
    blockSize: from.u32(),
    size: from.big(),
    inode: from.big(),
    device: from.big(),
    specialDevice: from.big(),
    blocks: from.big(),
    accessed: from.time(),
    modified: from.time(),
    changed: from.time(),
    born: from.time(),
  };
}

const hasStat = 0x80;

function decodeEntries(from: FieldReader): FileEntry[] {
  const entries: FileEntry[] = [];
  while (from.left > 0) {
    const first = from.u8();
    const type = word(first & ~hasStat, fileTypes);
    const name = from.bytes(from.u16());
    entries.push(first & hasStat ? { name, type, stat: decodeStat(from) } : { name, type });
  }
  return entries;
}

function decodeEvent(from: FieldReader): WatchEvent {
  return { handle: from.u32(), event: word(from.u8(), watchEvents), path: from.rest() };
}

function word<Word extends string>(number: number, words: readonly Word[]): Word {
  const found = words[number];
  if (found === undefined) throw new RangeError(`${number} where one of ${words.join(', ')} was due`);
  return found;
}
