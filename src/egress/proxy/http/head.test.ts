import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byteByByte } from '../testing/split.ts';
import { longestHead, parseHead } from './head.ts';

describe('a head', () => {
  test('ends with an empty line, and what follows is kept apart', () => {
    expect(parseHead(Buffer.from('CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n\x16\x03'))).toEqual({ kind: 'parsed', value: 'CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443', length: 49 });
    expect(parseHead(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).toEqual({ kind: 'parsed', value: 'GET / HTTP/1.1', length: 18 });
  });

  test.each(['G', 'GET / HTTP/1.1', 'GET / HTTP/1.1\r', 'GET / HTTP/1.1\r\n', 'GET / HTTP/1.1\r\n\r', 'GET / HTTP/1.1\r\nA: b\r\n'])('%j is not all of it', (text) => {
    expect(parseHead(Buffer.from(text))).toEqual({ kind: 'incomplete' });
  });

  test.each(['GET / HTTP/1.1\n', '\n', 'GET / HTTP/1.1\n\n', 'GET / HTTP/1.1\r\nA: b\nC: d'])('%j is refused for its bare LF at once', (text) => {
    expect(parseHead(Buffer.from(text))).toMatchObject({ kind: 'malformed', reason: expect.stringContaining('bare LF') });
  });

  test('may have 16 KiB and not one octet more', () => {
    const head = (size: number): Buffer => Buffer.from(`${'a'.repeat(size)}\r\n\r\n`);
    expect(parseHead(head(longestHead))).toMatchObject({ kind: 'parsed', length: longestHead + 4 });
    expect(parseHead(head(longestHead + 1))).toMatchObject({ kind: 'malformed', reason: expect.stringContaining('16384') });
    expect(parseHead(Buffer.alloc(longestHead, 0x61)).kind).toBe('incomplete');
    expect(parseHead(Buffer.alloc(longestHead + 1, 0x61)).kind).toBe('malformed');
  });

  test('keeps every octet as it came', () => {
    expect(parseHead(Buffer.from([0x61, 0xff, 0x80, 0x0d, 0x0a, 0x0d, 0x0a]))).toMatchObject({ value: 'a\u00ff\u0080' });
  });
});

describe('hostile bytes', () => {
  const unit = fc.constantFrom(0x0d, 0x0a, 0x0d, 0x0a, 0x61, 0x00, 0xff, 0x20);
  const input = fc.array(unit, { maxLength: 60 }).map((each) => Buffer.from(each));

  test('never make a head that holds an empty line or runs past its end', () => {
    fc.assert(
      fc.property(input, (bytes) => {
        const parsed = parseHead(bytes);
        if (parsed.kind !== 'parsed') return;
        expect(parsed.value).not.toContain('\r\n\r\n');
        expect(parsed.length).toBe(parsed.value.length + 4);
        expect(bytes.toString('latin1').startsWith(`${parsed.value}\r\n\r\n`)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('that are a head in pieces are the same head at once', () => {
    fc.assert(
      fc.property(input, (bytes) => {
        const { parsed } = byteByByte(parseHead, bytes);
        if (parsed.kind === 'parsed') expect(parseHead(bytes)).toEqual(parsed);
      }),
      { numRuns: 1000 },
    );
  });
});
