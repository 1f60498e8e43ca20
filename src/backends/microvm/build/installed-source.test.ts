import { expect, test } from 'vitest';
import { kernelPackage } from './installed-source.ts';

test.each([
  ['Package: linux-image-amd64\nDepends: linux-image-6.1.0-56-amd64 (= 6.1.192-2)\n', 'linux-image-6.1.0-56-amd64'],
  ['Depends: kmod, linux-base (>= 4.3), linux-image-6.12.117+deb12-amd64\n', 'linux-image-6.12.117+deb12-amd64'],
  ['Description: needs\n Depends: linux-image-6.1.0-56-amd64\n', undefined],
  ['Depends: linux-image-cloud-amd64\n', undefined],
  ['Depends: --option, linux-image-$(id)-amd64\n', undefined],
  ['', undefined],
])('%j', (shown, name) => {
  expect(kernelPackage(shown)).toBe(name);
});
