import { describe, expect, test } from 'vitest';
import { type ShortEffects, shortEffects } from '../testing/effects.ts';

const home = '/srv/project';

describe('cp', () => {
  test.each<readonly [string, ShortEffects]>([
    ['cp a b', { reads: [`${home}/a`], writes: [`${home}/b/**`] }],
    ['cp -p a /tmp/b', { reads: [`${home}/a`], writes: ['/tmp/b/**'] }],
    ['cp -r src /tmp', { reads: [`${home}/src/**`], writes: ['/tmp/**'] }],
    ['cp --archive src ~/backup', { reads: [`${home}/src/**`], writes: ['/home/dev/backup/**'] }],
    ['cp -t /etc a b', { reads: [`${home}/a`, `${home}/b`], writes: ['/etc/**'] }],
    ['cp -Rt /etc a', { reads: [`${home}/a/**`], writes: ['/etc/**'] }],
    ['cp a b --target-directory=/etc', { reads: [`${home}/a`, `${home}/b`], writes: ['/etc/**'] }],
    ['cp src/*.ts out', { reads: [`${home}/src/**`], writes: [`${home}/out/**`] }],
    ['cp -- -a b', { reads: [`${home}/-a`], writes: [`${home}/b/**`] }],
    ['cp - b', { reads: [`${home}/-`], writes: [`${home}/b/**`] }],
    ['cp ../../etc/passwd .', { reads: ['/etc/passwd'], writes: [`${home}/**`] }],
  ])('%s', (line, effects) => {
    expect(shortEffects(line)).toEqual(effects);
  });

  test('an option that keeps backups is not understood: it writes beside the destination', () => {
    expect(shortEffects('cp --backup a b').opaque).toEqual([
      'unknown-option: `--backup` is no option of `cp` that is known',
    ]);
    expect(shortEffects('cp -S .old a b').opaque).toEqual(['unknown-option: `-S` is no option of `cp` that is known']);
  });

  test('a word that may be several ones makes the destination uncertain, not unseen', () => {
    expect(shortEffects('cp a $b')).toEqual({
      reads: [`${home}/a`, '?'],
      writes: ['?/**'],
      opaque: expect.arrayContaining([
        'dynamic-word: `$b` may become an option of `cp`',
        'dynamic-word: `$b` of `cp` is not known before it runs',
      ]),
    });
  });
});

describe('mv', () => {
  test.each<readonly [string, ShortEffects]>([
    ['mv a b', { reads: [`${home}/a/**`], writes: [`${home}/b/**`], deletes: [`${home}/a/**`] }],
    [
      'mv -f a b /tmp',
      { reads: [`${home}/a/**`, `${home}/b/**`], writes: ['/tmp/**'], deletes: [`${home}/a/**`, `${home}/b/**`] },
    ],
    [
      'mv -t /tmp a b',
      { reads: [`${home}/a/**`, `${home}/b/**`], writes: ['/tmp/**'], deletes: [`${home}/a/**`, `${home}/b/**`] },
    ],
    [
      'mv ~/.ssh/id_ed25519 .',
      { reads: ['/home/dev/.ssh/id_ed25519/**'], writes: [`${home}/**`], deletes: ['/home/dev/.ssh/id_ed25519/**'] },
    ],
  ])('%s', (line, effects) => {
    expect(shortEffects(line)).toEqual(effects);
  });

  test.each(['mv -b a b', 'mv --suffix=x a b', 'mv --forc a b'])('%s is asked about', (line) => {
    expect(shortEffects(line).opaque).toHaveLength(1);
  });
});

describe('ln, link and install', () => {
  test.each<readonly [string, ShortEffects]>([
    ['ln a b', { reads: [`${home}/a`], writes: [`${home}/b/**`] }],
    ['ln -s /etc/passwd b', { writes: [`${home}/b/**`] }],
    ['ln -sfn ../x/y current', { writes: [`${home}/current/**`] }],
    ['ln -s ../x/y', { writes: ['/srv/x/y/**', `${home}/y`] }],
    ['ln /a', { writes: ['/a/**', `${home}/a`] }],
    ['ln -t dir /a', { reads: ['/a'], writes: [`${home}/dir/**`, `${home}/a`] }],
    ['link a b', { reads: [`${home}/a`], writes: [`${home}/b`] }],
    ['install -m 755 a /usr/local/bin', { reads: [`${home}/a`], writes: ['/usr/local/bin/**'] }],
    ['install -d /srv/a /srv/b', { writes: ['/srv/a', '/srv/b'] }],
    ['install -s a b', { reads: [`${home}/a`], writes: [`${home}/b/**`], runs: ['program strip'] }],
  ])('%s', (line, effects) => {
    expect(shortEffects(line)).toEqual(effects);
  });

  test('a program that strips is a program that runs', () => {
    expect(shortEffects('install --strip-program=./x -s a b')).toMatchObject({
      runs: expect.arrayContaining(['program ./x']),
      opaque: ['inline-code: `--strip-program` runs `./x`'],
      commands: ['./x …'],
    });
  });

  test.each(['ln --backup a b', 'link a b c', 'install -b a b', 'ln -F a b'])('%s is asked about', (line) => {
    expect(shortEffects(line).opaque).toHaveLength(1);
  });
});
