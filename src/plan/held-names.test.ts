import { expect, test } from 'vitest';
import { holdNames } from './held-names.ts';
import type { BindMount, Mount } from './types.ts';

const bind = (target: string, changes: Partial<BindMount> = {}): BindMount => ({
  kind: 'bind',
  source: target,
  target,
  access: 'read-only',
  ownership: 'as-is',
  identity: { device: '1', inode: '1', type: 'directory' },
  presence: 'required',
  ...changes,
});
const mask = (target: string): Mount => ({ kind: 'mask', target, type: 'file' });

test.each<[string, readonly Mount[], readonly string[]]>([
  ['what is shown', [bind('/shown'), bind('/other')], ['/shown']],
  ['what lies in it', [bind('/shown'), bind('/shown/a')], ['/shown', '/shown/a']],
  ['what has a mask in it', [bind('/tools'), mask('/tools/x/key')], ['/tools']],
  ['no directory beside a mask', [bind('/tools'), mask('/tools-key')], []],
  ['no file', [bind('/shown', { identity: { device: '1', inode: '1', type: 'file' } })], []],
  ['nothing that can be written', [bind('/shown', { access: 'read-write' })], []],
  ['nothing of the system', [bind('/etc', { ownership: 'foreign' }), mask('/etc/shadow')], []],
])('holds %s', (_, mounts, held) => {
  const after = holdNames(mounts, { shownRoots: ['/shown'] });
  expect(after.flatMap((mount) => (mount.kind === 'bind' && mount.names === 'held' ? [mount.target] : []))).toEqual(
    held,
  );
});
