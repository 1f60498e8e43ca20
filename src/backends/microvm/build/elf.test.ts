import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBzImage } from './bzimage.ts';
import { readElf, segmentType } from './elf.ts';
import { moduleFacts, moduleName } from './module.ts';
import { hasPvhEntry } from './build-image.ts';
import { makeElf, makeModule, makeNote } from './testing/make-elf.ts';
import { makeBzImage, otherKernel, pvhKernel } from './testing/make-kernel.ts';
import { rounds } from '../../../../scripts/testing/extent.ts';

test('a program of the system is read', () => {
  const elf = readElf(readFileSync('/bin/sh'));
  expect(elf?.sections.map(({ name }) => name)).toContain('.text');
  expect(elf?.segments.find(({ type }) => type === segmentType.interpreter)?.bytes.toString()).toMatch(
    /^\/lib.*ld.*\0$/u,
  );
});

test('the entry for direct starts is the note of that owner and that type alone', () => {
  expect(
    [pvhKernel, otherKernel].map((bytes) => hasPvhEntry(readElf(bytes) ?? { segments: [], sections: [] })),
  ).toEqual([true, false]);
  expect(hasPvhEntry({ segments: [{ type: 1, bytes: makeNote('Xen', 18) }], sections: [] })).toBe(false);
});

test('a module names its needs', () => {
  expect(moduleFacts(makeModule('6.1.0', ['9pnet', 'rng-core']))).toEqual({
    kernel: '6.1.0',
    depends: ['9pnet', 'rng_core'],
  });
  expect(moduleFacts(makeElf({ sections: [{ name: '.text', bytes: Buffer.from('x') }] }))).toBeUndefined();
  expect(moduleName('kernel/drivers/char/hw_random/virtio-rng.ko.xz')).toBe('virtio_rng');
});

test('damaged files never throw', () => {
  const whole = [
    pvhKernel,
    makeModule('6.1.0', ['a', 'b']),
    makeBzImage({ version: '6.1.0', vmlinux: pvhKernel, compression: 'gzip' }),
    readFileSync('/bin/true'),
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...whole),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 20 }),
      fc.nat(),
      (bytes, changes, length) => {
        const damaged = Buffer.from(bytes.subarray(0, 1 + (length % bytes.length)));
        // Most of what matters stands at the beginning.
        for (const [at, value] of changes) damaged[at % Math.min(damaged.length, 700)] = value;
        const elf = readElf(damaged);
        expect([true, false]).toContain(elf === undefined || hasPvhEntry(elf));
        moduleFacts(damaged);
        expect(['found', 'invalid']).toContain(readBzImage(damaged).kind);
      },
    ),
    { numRuns: rounds(500) },
  );
});

test('a note that says it is longer than there is ends the reading', () => {
  const note = makeNote('Xen', 6);
  note.writeUInt32LE(0xffff_fff0, 4);
  expect(
    hasPvhEntry({
      sections: [],
      segments: [{ type: segmentType.note, bytes: Buffer.concat([note, makeNote('Xen', 18)]) }],
    }),
  ).toBe(false);
});
