import { describe, expect, test } from 'vitest';
import { type ShortEffects, shortEffects } from '../testing/effects.ts';

describe('programs that tell something and change nothing', () => {
  test.each([
    'date',
    'date +%s',
    'date -u +%F',
    'date -d yesterday',
    'date -Iseconds',
    'date --rfc-3339=ns',
    'hostname',
    'hostname -I',
    'basename a/b .c',
    'basename -s .c a',
    'dirname a/b',
    'seq 5',
    'seq -w 1 10',
    'seq 5 -1 1',
    'sleep 1',
    'factor 12',
    'numfmt --to=iec 1000',
    'numfmt --from=si -5',
    'nproc',
    'nproc --ignore=1',
    'tty',
    'tty -s',
    'id -u',
    'id -un dev',
    'whoami',
    'logname',
    'hostid',
    'arch',
    'groups',
    'uname -a',
    'printenv PATH',
    'pathchk -p a',
    'who',
    'users',
    'uptime -p',
    'stty -echo',
    'stty sane',
    'stty size',
    'yes',
    'yes no',
    'sleep --help',
  ])('%s', (line) => {
    expect(shortEffects(line)).toEqual({});
  });
});

test.each<readonly [string, ShortEffects]>([
  ['date -r a', { reads: ['/srv/project/a'] }],
  ['date -f list', { reads: ['/srv/project/list'] }],
  ['date -s 12:00', { opaque: ['inline-code: `-s 12:00` is never harmless'] }],
  ['date --set=12:00', { opaque: ['inline-code: `--set 12:00` is never harmless'] }],
  ['date 01010000', { opaque: ['inline-code: `date 01010000` sets the clock'] }],
  ['hostname evil', { opaque: ['inline-code: `hostname evil` renames the machine'] }],
  [
    'hostname -F a',
    {
      opaque: [
        'unknown-option: `-F` is no option of `hostname` that is known',
        'inline-code: `hostname a` renames the machine',
      ],
    },
  ],
  ['who /var/log/wtmp', { reads: ['/var/log/wtmp'] }],
  ['stty -F /dev/ttyS0', { opaque: ['unknown-option: `stty -F` opens a device'] }],
  ['stty --file=/dev/ttyS0', { opaque: ['unknown-option: `stty --file=/dev/ttyS0` opens a device'] }],
  ['sleep $x', { opaque: ['dynamic-word: `$x` may become an option of `sleep`'] }],
  ['uname --kern', { opaque: ['unknown-option: `--kern` is no option of `uname` that is known'] }],
  ['uptime -x', { opaque: ['unknown-option: `-x` is no option of `uptime` that is known'] }],
])('%s', (line, effects) => {
  expect(shortEffects(line)).toEqual(effects);
});

test.each(['date "+$x"', "date '+%F %T'"])('%s shows the time', (line) => {
  expect(shortEffects(line).opaque ?? []).not.toContainEqual(expect.stringContaining('clock'));
});
