import { describe, expect, test } from 'vitest';
import { refuseMountsWithin } from './staging.ts';

const table = String.raw`21 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
22 21 0:21 / /proc rw - proc proc rw
30 21 8:2 / /srv rw - ext4 /dev/sdb rw
31 30 0:40 / /srv/project/node_modules rw - tmpfs tmpfs rw
32 30 0:41 / /srv/with\040space/in\134side rw - tmpfs tmpfs rw
33 30 0:42 / /srv/whole rw - tmpfs tmpfs rw
`;
const refusal = (root: string): unknown => {
  try {
    refuseMountsWithin(['/home/dev', root], table);
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('refuseMountsWithin', () => {
  test.each([
    ['/srv/project', '/srv/project/node_modules'],
    ['/srv/with space', String.raw`/srv/with space/in\side`],
  ])('%s is refused for its mount at %s', (root, point) => {
    expect(refusal(root)).toMatchObject({
      code: 'HF_GUARANTEE_MISSING',
      message: expect.stringContaining(point),
      remedy: expect.stringContaining(`unmount ${point}`),
      details: { missing: ['fs.stage'], root, point },
    });
  });

  test.each(['/srv/whole', '/srv/proj', '/srv/project/src', '/srv/project/node_modules', '/home/dev/x'])(
    '%s is not',
    (root) => {
      expect(refusal(root)).toBeUndefined();
    },
  );

  test('reads the table of this process', () => {
    expect(() => refuseMountsWithin([''])).toThrow(/mounted in it/u);
    expect(() => refuseMountsWithin(['/nowhere/at/all'])).not.toThrow();
  });
});
