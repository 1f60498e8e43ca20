import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseForward } from './forward-pattern.ts';

test.each([
  ['8080', 8080, 8080],
  ['1', 1, 1],
  ['65535', 65_535, 65_535],
  ['3000:8080', 3000, 8080],
  ['65535:1', 65_535, 1],
])('%j shows port %i of the host from port %i of the box', (source, host, box) => {
  expect(parseForward(source)).toEqual({ kind: 'forward', host, box });
});

test.each([
  '',
  '0',
  '65536',
  '99999',
  '8080:',
  ':8080',
  '8080:0',
  '0:8080',
  '1:2:3',
  '80-90',
  '-1',
  '1.5',
  ' 80',
  '80 ',
  '8e3',
  '0x50',
  'http',
  '127.0.0.1:80',
  '8080\n',
  '٨٠',
])('%j is refused with what to write', (source) => {
  expect(parseForward(source)).toMatchObject({
    kind: 'problem',
    message: expect.stringContaining(`"${source}"`),
    remedy: expect.stringContaining('3000:8080'),
  });
});

test('any text is a forward or a problem, and a forward has usable ports', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('0', '1', '9', ':', '-', ' ', 'x'), maxLength: 12 }), (source) => {
      const parsed = parseForward(source);
      if (parsed.kind === 'problem') return;
      for (const port of [parsed.host, parsed.box]) expect(port >= 1 && port <= 65_535).toBe(true);
    }),
    { numRuns: 1000 },
  );
});
