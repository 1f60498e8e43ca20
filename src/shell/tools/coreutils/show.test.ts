import { describe, expect, test } from 'vitest';
import { opaqueKinds, type ShortEffects, shortEffects } from '../testing/effects.ts';

const here = '/srv/project';
const a = { reads: [`${here}/a`] };

test.each<readonly [string, ShortEffects]>([
  ['ls', { reads: [here] }],
  ['ls -la --color=auto /etc', { reads: ['/etc'] }],
  ['ls -R', { reads: [`${here}/**`] }],
  ['ls -1 -I node_modules -w80', { reads: [here] }],
  ['dir a', a],
  ['vdir -F a', a],
  ['stat -c %s a', a],
  ['stat --format=%n a', a],
  ['cat a ~/b /c', { reads: [`${here}/a`, '/home/dev/b', '/c'] }],
  ['cat', {}],
  ['cat -', {}],
  ['cat -An a', a],
  ['cat src/*', { reads: [`${here}/src/**`] }],
  ['cat ~/.ssh/id_rsa', { reads: ['/home/dev/.ssh/id_rsa'] }],
  ['cat /proc/../etc/shadow', { reads: ['/etc/shadow'] }],
  ['cat .//a/', a],
  ['tac -s , a', a],
  ['head -5 a', a],
  ['head -n5 a', a],
  ['head -n -5 a', a],
  ['head -c 10 -q a', a],
  ['tail -f a', a],
  ['tail -20f a', a],
  ['tail -n +3 a', a],
  ['tail --follow=name --pid 5 a', a],
  ['wc -l a', a],
  ['du -sh', { reads: [`${here}/**`] }],
  ['du -d1 -X skip a', { reads: [`${here}/skip`, `${here}/a/**`] }],
  ['df -h /', { reads: ['/'] }],
  ['df', {}],
  ['nl -ba a', a],
  ['od -An -tx1 a', a],
  ['base64 -d a', a],
  ['base32 -w0 a', a],
  ['basenc --base16 -d a', a],
  ['md5sum a', a],
  ['sha1sum -b a', a],
  ['sha224sum a', a],
  ['sha256sum a', a],
  ['sha384sum a', a],
  ['sha512sum --tag a', a],
  ['b2sum -l 256 a', a],
  ['cksum -a sha256 a', a],
  ['sum -s a', a],
  ['realpath -m a', a],
  ['readlink -f a', a],
  ['dircolors -b a', a],
])('%s', (line, effects) => {
  expect(shortEffects(line)).toEqual(effects);
});

describe('what is not understood', () => {
  test.each<readonly [string, readonly string[]]>([
    ['du *', ['dynamic-word']],
    ['ls -l@', ['unknown-option']],
    ['cat $x', ['dynamic-word']],
    ['cat -x a', ['unknown-option']],
    ['cat --number-non a', ['unknown-option']],
    ['head -x a', ['unknown-option']],
    ['tail --follo a', ['unknown-option']],
    ['wc --files0-from=list', ['dynamic-word']],
    ['du --files0-from=-', ['dynamic-word']],
    ['sha256sum -c list', ['dynamic-word']],
    ['cksum --check list', ['dynamic-word']],
    ['stat -c "$f" a', []],
    ['cat src/*/../../../x', ['dynamic-word']],
    ['dircolors a b', ['unknown-option']],
  ])('%s', (line, kinds) => {
    expect(opaqueKinds(line)).toEqual(kinds);
  });
});
