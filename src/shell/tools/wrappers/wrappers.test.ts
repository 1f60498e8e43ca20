import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { opaqueKinds, shortEffects } from '../testing/effects.ts';
import { toolFor } from '../tool-for.ts';
import type { ToolSpec } from '../types.ts';
import { wrappersTools } from './index.ts';

const runsRm = { commands: ['rm -r x'] };

describe('the command behind a wrapper', () => {
  test.each([
    ['sudo rm -r x', runsRm],
    ['sudo -n -u root rm -r x', runsRm],
    ['sudo -uroot -- rm -r x', runsRm],
    ['sudo --user=root -E -H rm -r x', runsRm],
    ['sudo A=1 rm -r x', runsRm],
    ['sudo -D /tmp rm -r x', runsRm],
    ['doas -u root rm -r x', runsRm],
    ['doas -C /etc/doas.conf rm -r x', { ...runsRm, reads: ['/etc/doas.conf'] }],
    ['runuser -u nobody -- rm -r x', runsRm],
    ['nice rm -r x', runsRm],
    ['nice -n 5 rm -r x', runsRm],
    ['nice -10 rm -r x', runsRm],
    ['ionice -c 3 rm -r x', runsRm],
    ['ionice -c3 -n 7 -t rm -r x', runsRm],
    ['ionice -p 1 2', {}],
    ['nohup rm -r x', { ...runsRm, writes: ['/srv/project/nohup.out'] }],
    ['timeout 5 rm -r x', runsRm],
    ['timeout -k 1 -s KILL --foreground 5m rm -r x', runsRm],
    ['setsid -f -w rm -r x', runsRm],
    ['stdbuf -oL -e 0 rm -r x', runsRm],
    ['chrt -b 0 rm -r x', runsRm],
    ['chrt -p 10 42', {}],
    ['taskset 0x3 rm -r x', runsRm],
    ['taskset -c 0-3 rm -r x', runsRm],
    ['taskset -p 42', {}],
    ['numactl --cpunodebind=0 -m 0 rm -r x', runsRm],
    ['time -p rm -r x', runsRm],
    ['time -o times -f %e rm -r x', { ...runsRm, writes: ['/srv/project/times'] }],
    ['caffeinate -i -t 60 rm -r x', runsRm],
    ['chronic rm -r x', runsRm],
    ['unbuffer rm -r x', runsRm],
    ['env rm -r x', runsRm],
    ['env A=1 B=2 rm -r x', runsRm],
    ['env -i -u HOME rm -r x', runsRm],
    ['env -C /tmp rm -r x', runsRm],
    ['env', {}],
    ["env -S 'rm -r x'", runsRm],
    ["env -S 'rm -r' x", runsRm],
    ['linux64 rm -r x', runsRm],
    ['strace -f -e trace=file -o log rm -r x', { ...runsRm, writes: ['/srv/project/log'] }],
    ['ltrace -S -o log rm -r x', { ...runsRm, writes: ['/srv/project/log'] }],
    ['valgrind --leak-check=full --log-file=log rm -r x', { ...runsRm, writes: ['/srv/project/log'] }],
    ['unshare -r -n rm -r x', runsRm],
    ['unshare --map-root-user --mount-proc=/proc -f rm -r x', runsRm],
    ['ld-linux-x86-64.so.2 rm -r x', runsRm],
    ['ld.so --argv0 a rm -r x', runsRm],
    ['command rm -r x', runsRm],
    ['command -p rm -r x', runsRm],
    ['command -v rm', {}],
    ['command -V rm', {}],
    ['builtin rm -r x', runsRm],
    ['exec rm -r x', runsRm],
    ['exec -a b -c rm -r x', runsRm],
    ['exec', {}],
    ['xargs', {}],
    ['xargs --help', {}],
    ['xargs rm -r x', { commands: ['rm -r x words of the input'] }],
    ['xargs -0 -n 1 -P 4 rm -r x', { commands: ['rm -r x words of the input'] }],
    ['xargs -a list rm', { commands: ['rm words of the input'], reads: ['/srv/project/list'] }],
    ['xargs -I{} rm {} x', { commands: ['rm {} x'] }],
    ['xargs -I % mv a.% b', { commands: ['mv a.% b'] }],
    ['xargs -i rm {}', { commands: ['rm {}'] }],
    ['parallel rm ::: a b', { commands: ['rm words of the input'] }],
    ['parallel -j4 rm {} ::: a b', { commands: ['rm {}'] }],
    ['parallel --results out gzip -k {}', { commands: ['gzip -k {}'], writes: ['/srv/project/out/**'] }],
    ['entr -r rm /_', { commands: ['rm /_'] }],
    ['watch -x rm -r x', runsRm],
    ['flock lock rm -r x', { ...runsRm, writes: ['/srv/project/lock'] }],
    ['flock -n -w 5 lock rm -r x', { ...runsRm, writes: ['/srv/project/lock'] }],
    ['flock 9', {}],
  ])('%s', (line, effects) => {
    expect(shortEffects(line)).toEqual(effects);
  });
});

describe('a text of the shell behind a wrapper', () => {
  test.each([
    ['watch rm -r x', ['rm -r x']],
    ["watch -n 1 -d 'rm -r x; ls'", ['rm -r x; ls']],
    ["flock lock -c 'rm -r x'", ['rm -r x']],
    ["script -q -c 'rm -r x' log", ['rm -r x']],
    ["su -c 'rm -r x'", ['rm -r x']],
    ["su root -c 'rm -r x'", ['rm -r x']],
    ["runuser nobody -c 'rm -r x'", ['rm -r x']],
    ["entr -s 'rm -r x'", ['rm -r x']],
    ["nix-shell -p jq --run 'rm -r x'", ['rm -r x']],
  ])('%s', (line, scripts) => {
    expect(shortEffects(line).scripts).toEqual(scripts);
  });

  test.each([
    ["script -c 'ls' log", ['/srv/project/log']],
    ["script -c 'ls'", ['/srv/project/typescript']],
    ["script -O out -c 'ls'", ['/srv/project/out']],
    ["script -T times -c 'ls'", ['/srv/project/times', '/srv/project/typescript']],
  ])('%s writes %j', (line, writes) => {
    expect(shortEffects(line).writes).toEqual(writes);
  });
});

describe('what is not understood', () => {
  test.each([
    ['sudo -A rm x', ['unknown-option']],
    ['sudo --us=root rm x', ['unknown-option']],
    ['sudo -i', ['inline-code']],
    ['sudo -s rm x', ['inline-code']],
    ['sudo $FLAG rm x', ['dynamic-word']],
    ['doas -s', ['inline-code']],
    ['su', ['stdin-code']],
    ['su -', ['inline-code', 'stdin-code']],
    ['su --help', []],
    ["su -l -c 'ls'", ['inline-code']],
    ['su root script.sh', ['inline-code', 'stdin-code']],
    ['runuser nobody', ['stdin-code']],
    ['timeout --frob 5 rm x', ['unknown-option']],
    ['nice --adj=5 rm x', ['unknown-option']],
    ['env $X rm x', ['dynamic-word']],
    ['env -S \'rm -r "x"\'', ['inline-code']],
    ["env -S '-i rm'", ['inline-code']],
    ["env -S '${X} y'", ['inline-code']],
    ['runuser -u nobody rm -r x', ['unknown-option']],
    ['env -S a -S b', ['inline-code']],
    ['direnv exec . ls', ['repository-code']],
    ['direnv allow', ['unknown-tool']],
    ["nix-shell --run 'ls'", ['repository-code']],
    ['nix-shell', ['repository-code', 'stdin-code']],
    ['nsenter -t 1 rm x', ['inline-code']],
    ['xargs -I "$X" rm {}', ['dynamic-word']],
    ['xargs --frob rm', ['unknown-option']],
    ['parallel', ['stdin-code']],
    ['parallel ::: ls pwd', ['stdin-code']],
    ["parallel 'rm {}; ls' ::: a", ['inline-code']],
    ['parallel --sshlogin host rm', ['unknown-option']],
    ['gdb --args rm x', ['inline-code']],
    ['lldb x', ['inline-code']],
    ["strace -o '|sh' ls", ['inline-code']],
    ["strace -o '!sh' ls", ['inline-code']],
    ['strace -E LD_PRELOAD=x.so ls', ['inline-code']],
    ['strace -E A=1 ls', []],
    ['ltrace -F config ls', ['unknown-option']],
    ['valgrind --db-command=sh ls', ['unknown-option']],
    ['unshare', ['stdin-code']],
    ['unshare -R /x rm y', ['inline-code']],
    ['chroot /x rm y', ['inline-code']],
    ['busybox rm x', ['unknown-tool']],
    ['toybox rm x', ['unknown-tool']],
    ['ld.so --preload ./x.so ls', ['inline-code']],
    ['ld.so --library-path . ls', ['inline-code']],
    ['bwrap --bind / / rm x', ['inline-code']],
    ['watch $X', ['dynamic-word', 'inline-code']],
    ['flock lock -c ls pwd', ['unknown-option']],
    ['script', ['stdin-code']],
    ['script log', ['stdin-code']],
    ["script --frob -c 'ls'", ['unknown-option']],
    ['exec --frob ls', ['unknown-option']],
  ])('%s: %j', (line, kinds) => {
    expect(opaqueKinds(line).toSorted()).toEqual(kinds);
  });
});

test('env hands its assignments on', () => {
  expect(wrappersTools.find(({ names }) => names.includes('env'))?.operands).toEqual({
    kind: 'sequence',
    first: ['assignment', 'command'],
  });
});

test('a name stands for one specification', () => {
  const names = wrappersTools.flatMap((tool) => tool.names);
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
  for (const name of names) expect(toolFor(name)).toBeDefined();
});

/** Options that the manual has and `--help` does not tell. */
const untold: ReadonlySet<string> = new Set([
  'nice -#',
  'flock -e',
  'flock --exclusive',
  'flock --nb',
  'flock --wait',
  'xargs --max-lines',
  'taskset --version',
]);

describe('every option is one that the program on this machine tells of', () => {
  const told = [
    'env',
    'nice',
    'ionice',
    'nohup',
    'timeout',
    'setsid',
    'stdbuf',
    'chrt',
    'taskset',
    'xargs',
    'watch',
    'flock',
    'script',
    'unshare',
    'chroot',
    'su',
    'runuser',
  ];
  test.each(told)('%s', (name) => {
    const { stdout, error } = spawnSync(name, ['--help'], {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' },
    });
    if (error !== undefined) return;
    expect(
      optionsOf(toolFor(name)).filter(
        (option) => !untold.has(`${name} ${option}`) && !new RegExp(`(?<![\\w-])${option}(?![\\w-])`, 'u').test(stdout),
      ),
    ).toEqual([]);
  });
});

function optionsOf(spec: ToolSpec | undefined): readonly string[] {
  return spec?.options.flatMap(({ names }) => names) ?? [];
}
