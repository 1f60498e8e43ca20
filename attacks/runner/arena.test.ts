import { expect, test } from 'vitest';
import { mountsBelow } from './arena.ts';

const mountinfo = [
  '22 1 254:0 / / rw - ext4 /dev/vda rw',
  '40 22 0:30 / /srv/a rw - tmpfs none rw',
  '41 40 0:31 / /srv/a/b rw - tmpfs none rw',
  '42 22 0:32 / /srv/ab rw - tmpfs none rw',
  '',
].join('\n');

test('mountsBelow takes the place and its contents, but not its neighbours', () => {
  expect(mountsBelow('/srv/a', mountinfo)).toEqual(['/srv/a', '/srv/a/b']);
  expect(mountsBelow('/srv/c', mountinfo)).toEqual([]);
});
