import { describe, expect, test } from 'vitest';
import { opaqueKinds, type ShortEffects, shortEffects } from '../testing/effects.ts';

const here = '/srv/project';
const all = { reads: [`${here}/**`] };

test.each<readonly [string, ShortEffects]>([
  ['fd', all],
  ['fd pattern', all],
  ['fdfind -e ts -t f pattern src', { reads: [`${here}/src/**`] }],
  ['fd --search-path /etc -H passwd', { reads: ['/etc/**', `${here}/**`] }],
  ['fd -C /tmp a', { reads: ['/tmp/**'] }],
  ['fd a -x rm', { ...all, commands: ['rm ./*'] }],
  ['fd a -x rm {} ; ', { ...all, commands: ['rm ./*'] }],
  ['fd a src -X rm -f', { reads: [`${here}/src/**`], commands: ['rm -f src/*'] }],
  ['fd a --exec mv {} {.}.bak ; -H', { ...all, commands: ['mv ./* {.}.bak'] }],
  ['locate -i -n 5 passwd', {}],
  ['plocate -d db x', { reads: [`${here}/db`] }],
  ['tree -L 2 -a -I node_modules', all],
  ['tree /etc -o out', { reads: ['/etc/**'], writes: [`${here}/out`] }],
])('%s', (line, effects) => {
  expect(shortEffects(line)).toEqual(effects);
});

describe('what is not understood', () => {
  test.each<readonly [string, readonly string[]]>([
    ['fd --exe rm', ['unknown-option']],
    ['fd -l a', ['unknown-option']],
    ['fd $x', ['dynamic-word']],
    ['fd "$x"', ['dynamic-word']],
    ['fd a "src/$x"', ['dynamic-word']],
    ['fd -x', ['unknown-option']],
    ['locate -S', ['unknown-option']],
    ['tree -R', ['unknown-option']],
    ['tree --fromfile', ['unknown-option']],
  ])('%s', (line, kinds) => {
    expect(opaqueKinds(line)).toEqual(kinds);
  });
});
