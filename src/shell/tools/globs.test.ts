import { describe, expect, test } from 'vitest';
import { opaqueKinds, shortEffects } from './testing/effects.ts';

/* A file may be called `-rf`, so a pattern that begins with nothing may become any option. */

describe('a suffix makes an option an error', () => {
  test.each(['rm -f *.tmp', 'rmdir *.d', 'chmod 600 *.md'])('%s', (line) => {
    expect(opaqueKinds(line)).toEqual([]);
  });

  test.each(['rm *', 'rm *.{a,b}', 'rm ?.c', 'rm *-*.c', 'touch *.c', 'cp *.c sub'])('%s', (line) => {
    expect(opaqueKinds(line)).toContain('dynamic-word');
  });
});

describe('where every option is harmless a pattern is an operand', () => {
  test.each([
    'ls *.ts',
    'ls -l *',
    'cat *.md',
    'wc -l *.ts',
    'head -n 3 *',
    'tail *',
    'stat *',
    'nl ?.c',
    'cut -d: -f1 *',
    'tac *',
    'od *.bin',
    'realpath *',
    'readlink *',
    'dir *',
    'fold *',
    'base64 *',
    'ls */x',
  ])('%s', (line) => {
    expect(opaqueKinds(line)).toEqual([]);
    expect(shortEffects(line).reads).toEqual(['/srv/project/**']);
  });
});

describe('elsewhere it may be an option, and is asked about', () => {
  test.each([
    'rm *',
    'cp * a',
    'mv * a',
    'tar cf a *',
    'sort *',
    'grep x *',
    'rg x *',
    'chmod 644 *',
    'chown a *',
    'touch *',
    'tee *',
    'du *',
    'md5sum *',
    'file *',
    'diff *',
    'sed p *',
    'find *',
    'rsync * a',
    'scp * a:b',
    'git add *',
    'zip a *',
    'tree *',
    'sh *',
    'node *',
    'uniq *',
    'shuf *',
    'split *',
    'paste *',
    'xxd *',
    'strings *',
    'less *',
    'cat -* a',
    'ls -*',
    'ls $x',
    'cat $(ls)',
    'head -n * a',
  ])('%s', (line) => {
    expect(opaqueKinds(line)).not.toEqual([]);
  });
});
