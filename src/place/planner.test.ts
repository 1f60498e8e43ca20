import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, describe, expect, test } from 'vitest';
import { assert, property, uint8Array } from 'fast-check';
import { rounds } from '../../scripts/testing/extent.ts';
import { executionNeeds } from './host/execution-needs.ts';

const root = mkdtempSync('/var/tmp/holdfast-needs-');
afterAll(() => rmSync(root, { recursive: true }));

let files = 0;
function file(content: string | Uint8Array): string {
  const path = join(root, `file-${(files += 1)}`);
  writeFileSync(path, content);
  return path;
}

const sh = realpathSync('/bin/sh');
const loader = expect.stringMatching(/\/ld-[^/]*$/u) as string;

/** The start of an ELF file with one program header, which says where its loader is. */
function elf(bits: 32 | 64, type: number, text: string): Buffer {
  const wide = bits === 64;
  const content = Buffer.alloc(512);
  content.write('\x7fELF', 'latin1');
  content[4] = wide ? 2 : 1;
  content[5] = 1;
  const number = (value: number, at: number): void =>
    void (wide ? content.writeBigUInt64LE(BigInt(value), at) : content.writeUInt32LE(value, at));
  number(128, wide ? 32 : 28);
  content.writeUInt16LE(wide ? 56 : 32, wide ? 54 : 42);
  content.writeUInt16LE(1, wide ? 56 : 44);
  content.writeUInt32LE(type, 128);
  number(256, 128 + (wide ? 8 : 4));
  number(text.length + 1, 128 + (wide ? 32 : 16));
  content.write(`${text}\0`, 256);
  return content;
}

describe('executionNeeds', () => {
  test('of a system program are its loader', () => {
    expect(executionNeeds(sh)).toEqual([loader]);
    expect(executionNeeds(process.execPath)).toEqual([loader]);
  });

  test('of a script are its interpreter, with its own needs', () => {
    expect(executionNeeds(file('#!/bin/sh -e\n'))).toEqual([sh, loader]);
    expect(executionNeeds(file(`#! ${file('#!/bin/sh\n')}\n`))).toEqual([join(root, `file-${files - 1}`), sh, loader]);
  });

  test('follows links', () => {
    symlinkSync('/bin/sh', join(root, 'link'));
    expect(executionNeeds(file(`#!${join(root, 'link')}\n`))).toEqual([sh, loader]);
  });

  test.each([32, 64] as const)('reads files of %i bits', (bits) => {
    expect(executionNeeds(file(elf(bits, 3, '/bin/sh')))).toEqual([sh, loader]);
    expect(executionNeeds(file(elf(bits, 1, '/bin/sh')))).toEqual([]);
  });

  test.each(['', 'text', '#!', '#!sh\n', '#!./sh\n', '#!/no/such/interpreter\n', '\x7fELF'])(
    'of %j are empty',
    (content) => {
      expect(executionNeeds(file(content))).toEqual([]);
    },
  );

  test('of a missing file are empty', () => {
    expect(executionNeeds(join(root, 'nothing'))).toEqual([]);
    expect(executionNeeds(root)).toEqual([]);
  });

  test('ends for scripts that run each other', () => {
    const [a, b] = [join(root, 'a'), join(root, 'b')];
    writeFileSync(a, `#!${b}\n`);
    writeFileSync(b, `#!${a}\n`);
    expect(executionNeeds(a)).toEqual([b, a]);
  });

  test('never throws, whatever the head of a file says', () => {
    assert(
      property(
        uint8Array({ minLength: 60, maxLength: 200 }),
        (bytes) => void executionNeeds(file(Buffer.concat([Buffer.from('\x7fELF\x02\x01', 'latin1'), bytes]))),
      ),
      { numRuns: rounds(100) },
    );
  });
});
