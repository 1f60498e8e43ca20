import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { placeGuestImage } from './guest-image.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'guest-image-'));
  vi.stubEnv('XDG_STATE_HOME', join(root, 'state'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

test('the image is copied with its links and times, and belongs to whom it is for', () => {
  const image = join(root, 'state/holdfast/microvm');
  mkdirSync(join(image, 'digest'), { recursive: true });
  writeFileSync(join(image, 'digest/vmlinux'), 'kernel');
  symlinkSync('digest', join(image, 'current'));
  const uid = process.getuid?.() === 0 ? 61_000 : undefined;
  placeGuestImage(join(root, 'home'), uid);
  const copy = join(root, 'home/.local/state/holdfast/microvm');
  expect(readFileSync(join(copy, 'current/vmlinux'), 'utf8')).toBe('kernel');
  expect(lstatSync(join(copy, 'current')).isSymbolicLink()).toBe(true);
  expect(lstatSync(join(copy, 'digest/vmlinux')).mtimeMs).toBeCloseTo(
    lstatSync(join(image, 'digest/vmlinux')).mtimeMs,
    0,
  );
  if (uid !== undefined)
    for (const name of ['', 'current', 'digest', 'digest/vmlinux']) expect(lstatSync(join(copy, name)).uid).toBe(uid);
});

test('without an image, the home gets no guest kernel', () => {
  placeGuestImage(join(root, 'home'), undefined);
  expect(lstatSync(join(root, 'home'), { throwIfNoEntry: false })).toBeUndefined();
});
