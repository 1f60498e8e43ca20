import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { guestProgram } from './parts.ts';

const directory = mkdtempSync(join(tmpdir(), 'holdfast-guest-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const launcher = join(directory, 'holdfast-launch');

test('an image of another version of the program starts nothing', () => {
  expect(() => guestProgram(launcher, { guest: '0'.repeat(64) })).toThrow(
    expect.objectContaining({
      code: 'HF_BACKEND_MISSING',
      message: expect.stringContaining('does not exist') as string,
    }),
  );
  writeFileSync(join(directory, 'holdfast-guest'), 'this version');
  const guest = createHash('sha256').update('this version').digest('hex');
  expect(guestProgram(launcher, { guest }).path).toBe(join(directory, 'holdfast-guest'));
  writeFileSync(join(directory, 'holdfast-guest'), 'another version');
  expect(() => guestProgram(launcher, { guest })).toThrow(
    expect.objectContaining({ code: 'HF_BACKEND_MISSING', message: 'the image of the guest is of another version' }),
  );
});
