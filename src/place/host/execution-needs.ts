import { closeSync, openSync, readSync, realpathSync } from 'node:fs';
import { interpreterBytes, interpreterOf } from '../../notify/view/programs.ts';

const mostNeeds = 8;

const headBytes = 16_384;
const ptInterp = 3;
const longestPath = 4096;

/**
 * Returns real paths of files that the kernel executes together with a program: the chain of script interpreters, and
 * the loaders of all of them. Empty for an unreadable file.
 */
export function executionNeeds(program: string): readonly string[] {
  const found: string[] = [];
  for (let at: string | undefined = program; at !== undefined && found.length < mostNeeds; ) {
    const next: string | undefined = neededBy(at);
    at = next === undefined || found.includes(next) ? undefined : next;
    if (at !== undefined) found.push(at);
  }
  return found;
}

function neededBy(path: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    const start = bytesAt(descriptor, 0, headBytes);
    const needed = interpreterOf(start.toString('latin1', 0, interpreterBytes))?.path ?? loaderOf(descriptor, start);
    // A relative interpreter is another file in each directory.
    return needed?.startsWith('/') === true ? realpathSync(needed) : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * `PT_INTERP` of an ELF file; elf(5). Supports both classes, in the byte order of the machine, which is little-endian.
 */
function loaderOf(descriptor: number, start: Buffer): string | undefined {
  if (start.length < 64 || start.toString('latin1', 0, 4) !== '\x7fELF' || start[5] !== 1) return undefined;
  const wide = start[4] === 2;
  const number = (buffer: Buffer, at: number): number =>
    wide ? Number(buffer.readBigUInt64LE(at)) : buffer.readUInt32LE(at);
  const [offset, size, count] = [
    number(start, wide ? 32 : 28),
    start.readUInt16LE(wide ? 54 : 42),
    start.readUInt16LE(wide ? 56 : 44),
  ];
  const headers = bytesAt(descriptor, offset, Math.min(size * count, headBytes));
  // Smaller headers are invalid, and the loop would never end.
  if (size < 32) return undefined;
  for (let at = 0; at + size <= headers.length; at += size) {
    if (headers.readUInt32LE(at) !== ptInterp) continue;
    const text = bytesAt(
      descriptor,
      number(headers, at + (wide ? 8 : 4)),
      Math.min(number(headers, at + (wide ? 32 : 16)), longestPath),
    ).toString('latin1');
    return text.slice(0, Math.max(text.indexOf('\0'), 0)) || undefined;
  }
  return undefined;
}

function bytesAt(descriptor: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(descriptor, buffer, 0, length, position));
}
