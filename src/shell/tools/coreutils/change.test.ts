import { describe, expect, test } from 'vitest';
import { opaqueKinds, type ShortEffects, shortEffects } from '../testing/effects.ts';

const here = '/srv/project';

test.each<readonly [string, ShortEffects]>([
  ['rm a', { deletes: [`${here}/a`] }],
  ['rm -rf build', { deletes: [`${here}/build/**`] }],
  ['rm --recursive --force /', { deletes: ['/**'] }],
  ['rm -R ~', { deletes: ['/home/dev/**'] }],
  ['rm -r ~/', { deletes: ['/home/dev/**'] }],
  ['rm -f -- -rf', { deletes: [`${here}/-rf`] }],
  ['rm -', { deletes: [`${here}/-`] }],
  ['rm src/*.o', { deletes: [`${here}/src/**`] }],
  ['rm -rf ../../..', { deletes: ['/**'] }],
  ['rm --no-preserve-root -r /', { deletes: ['/**'] }],
  ['rm --interactive=never a', { deletes: [`${here}/a`] }],
  ['rmdir a', { deletes: [`${here}/a`] }],
  ['unlink a', { deletes: [`${here}/a`] }],
  ['mkdir -p a/b', { writes: [`${here}/a/b`] }],
  ['mkdir -m 700 a', { writes: [`${here}/a`] }],
  ['mkfifo -m 600 p', { writes: [`${here}/p`] }],
  ['mknod n b 8 0', { writes: [`${here}/n`] }],
  ['touch a b', { writes: [`${here}/a`, `${here}/b`] }],
  ['touch -r old new', { reads: [`${here}/old`], writes: [`${here}/new`] }],
  ['touch -d yesterday a', { writes: [`${here}/a`] }],
  ['touch -t 202601010000 a', { writes: [`${here}/a`] }],
  ['chmod 755 a b', { writes: [`${here}/a`, `${here}/b`] }],
  ['chmod +x a', { writes: [`${here}/a`] }],
  ['chmod u+x,go-w a', { writes: [`${here}/a`] }],
  ['chmod -x a b', { writes: [`${here}/a`, `${here}/b`] }],
  ['chmod -w a', { writes: [`${here}/a`] }],
  ['chmod -rwx a', { writes: [`${here}/a`] }],
  ['chmod -R go= /etc', { writes: ['/etc/**'] }],
  ['chmod --reference=a b', { reads: [`${here}/a`], writes: [`${here}/b`] }],
  ['chown -R dev:dev src', { writes: [`${here}/src/**`] }],
  ['chown --from=root dev a', { writes: [`${here}/a`] }],
  ['chown --reference=a b', { reads: [`${here}/a`], writes: [`${here}/b`] }],
  ['chgrp -h staff a', { writes: [`${here}/a`] }],
  ['truncate -s 0 a', { writes: [`${here}/a`] }],
  ['truncate --reference=a b', { reads: [`${here}/a`], writes: [`${here}/b`] }],
  ['shred -n 3 a', { writes: [`${here}/a`] }],
  ['shred -u a', { deletes: [`${here}/a`] }],
  ['shred --remove=wipe a', { deletes: [`${here}/a`] }],
  ['shred --random-source=s a', { reads: [`${here}/s`], writes: [`${here}/a`] }],
  ['mktemp', { writes: ['/tmp/tmp.XXXXXXXXXX'] }],
  ['mktemp -d', { writes: ['/tmp/tmp.XXXXXXXXXX'] }],
  ['mktemp a.XXXX', { writes: [`${here}/a.XXXX`] }],
  ['mktemp -p /var/x a.XXXX', { writes: ['/var/x/**', `${here}/a.XXXX`] }],
  ['mktemp -t a.XXXX', { writes: ['/tmp/**', `${here}/a.XXXX`] }],
  ['tee a', { writes: [`${here}/a`] }],
  ['tee -a a b', { writes: [`${here}/a`, `${here}/b`] }],
  ['tee -', { writes: [`${here}/-`] }],
  ['sync -d a', { reads: [`${here}/a`] }],
  ['dd if=/dev/zero of=disk.img bs=1M count=1', { reads: ['/dev/zero'], writes: [`${here}/disk.img`] }],
  ['dd of=/dev/sda', { writes: ['/dev/sda'] }],
  ['dd status=none', {}],
])('%s', (line, effects) => {
  expect(shortEffects(line)).toEqual(effects);
});

describe('what is not understood', () => {
  test.each<readonly [string, readonly string[]]>([
    ['rm *', ['dynamic-word']],
    ['rm -rf $x', ['dynamic-word']],
    ['rm -rf "$x"', ['dynamic-word']],
    ['rm "src/$x"', ['dynamic-word']],
    ['rm --recurs a', ['unknown-option']],
    ['rm -rfz a', ['unknown-option']],
    ['rmdir -p a/b', ['unknown-option']],
    ['unlink a b', ['unknown-option']],
    ['mkdir $x', ['dynamic-word']],
    ['chmod $mode a', ['dynamic-word']],
    ['chmod --recurse 777 a', ['unknown-option']],
    ['touch --foo a', ['unknown-option']],
    ['dd if=$x', ['dynamic-word']],
    ['dd if=a foo=b', ['unknown-option']],
    ['dd --help', ['unknown-option']],
    ['truncate a', []],
  ])('%s', (line, kinds) => {
    expect(opaqueKinds(line)).toEqual(kinds);
  });
});
