import type { FileEntry, FileResult, FileStat } from '../../types.ts';
import { fileTypes, type WorkerReply, watchEvents } from '../reply.ts';

/** The frames after the greeting. */
export type SentReply = Exclude<WorkerReply, { readonly kind: 'hello' }>;

/** The worker's frames, for tests of their readers. Handwritten here, so that the codec does not test itself. */
export function frameOf(reply: SentReply): Buffer {
  switch (reply.kind) {
    case 'result':
      return frame(reply.id, 2, [u32(reply.index), ...resultBytes(reply.result)]);
    case 'end':
      return frame(reply.id, 3, [u32(reply.done)]);
    case 'event':
      return eventFrame(reply.event.handle, watchEvents.indexOf(reply.event.event), reply.event.path);
    case 'error':
      return errorFrame(reply.message);
  }
}

export function frame(id: number, kind: number, payload: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat(payload);
  return Buffer.concat([u32(bytes.length + 5), u32(id), Buffer.from([kind]), bytes]);
}

export function helloFrame({ magic = 0x3146_4648, version = 1 } = {}): Buffer {
  return frame(0, 1, [magic, version, 1024 * 1024, 256 * 1024, 256, 64].map(u32));
}

export function eventFrame(handle: number, event: number, path: string | Uint8Array): Buffer {
  return frame(0, 4, [u32(handle), Buffer.from([event]), Buffer.from(path)]);
}

export function errorFrame(message: string): Buffer {
  return frame(0, 5, [Buffer.from(message)]);
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value));
  return bytes;
}

function resultBytes(result: FileResult): readonly Uint8Array[] {
  switch (result.kind) {
    case 'done':
      return [Buffer.from([0])];
    case 'data':
      return [Buffer.from([1]), u64(BigInt(result.size)), result.data];
    case 'opened':
      return [Buffer.from([2]), u32(result.handle)];
    case 'written':
      return [Buffer.from([3]), u32(result.length)];
    case 'path':
      return [Buffer.from([4]), result.path];
    case 'stat':
      return [Buffer.from([5]), ...statBytes(result.stat)];
    case 'entries':
      return [Buffer.from([6]), u32(result.more), ...result.entries.flatMap(entryBytes)];
    case 'failed':
      return [
        Buffer.from([7]),
        u32(result.errno),
        Buffer.from([result.syscall.length]),
        Buffer.from(result.syscall),
        result.path,
      ];
  }
}

function statBytes(stat: FileStat): readonly Buffer[] {
  const words = [stat.mode, stat.links, stat.uid, stat.gid, stat.blockSize].map(u32);
  const large = [stat.size, stat.inode, stat.device, stat.specialDevice, stat.blocks].map(u64);
  return [
    Buffer.from([fileTypes.indexOf(stat.type)]),
    ...words,
    ...large,
    ...[stat.accessed, stat.modified, stat.changed, stat.born].flatMap(timeBytes),
  ];
}

function timeBytes(time: bigint): readonly Buffer[] {
  const nanoseconds = ((time % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  return [u64((time - nanoseconds) / 1_000_000_000n), u32(Number(nanoseconds))];
}

function entryBytes({ name, type, stat }: FileEntry): readonly Uint8Array[] {
  const number = fileTypes.indexOf(type) + (stat === undefined ? 0 : 0x80);
  return [
    Buffer.from([number, name.length & 0xff, name.length >> 8]),
    name,
    ...(stat === undefined ? [] : statBytes(stat)),
  ];
}
