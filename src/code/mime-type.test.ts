import { describe, expect, test } from 'vitest';
import { mimeType } from './mime-type.ts';

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('the type of a file', () => {
  test.each([
    ['plot.png', latin('\x89PNG\r\n\x1a\n....'), 'image/png'],
    ['picture.png', latin('\x7fELF....'), 'application/x-executable'],
    ['page.pdf', latin('%PDF-1.7'), 'application/pdf'],
    ['sound', latin('RIFF....WAVEfmt '), 'audio/wav'],
    ['film.mov', latin('\0\0\0\x18ftypisom'), 'video/mp4'],
    ['table.xlsx', latin('PK\x03\x04....'), 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['x.zip', latin('PK\x03\x04....'), 'application/zip'],
    ['table.csv', latin('a,b\n'), 'text/csv'],
    ['table.csv', latin('a,\0b\n'), 'application/octet-stream'],
    ['image.png', latin('no picture'), 'text/plain'],
    ['drawing.SVG', latin('<svg/>'), 'image/svg+xml'],
    ['x.constructor', latin('words'), 'text/plain'],
    ['x.txt', latin('\xff\xfe words'), 'application/octet-stream'],
    ['empty', latin(''), 'text/plain'],
  ])('%s %#', (name, data, type) => {
    expect(mimeType(name, data)).toBe(type);
  });
});
