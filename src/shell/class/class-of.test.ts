import { describe, expect, test } from 'vitest';
import { analyse } from '../analyse/analyse.ts';
import { classOf, type LineClass } from './class-of.ts';
import { commandClasses, compareClasses } from './command-class.ts';

const place = { cwd: '/srv/project', workspace: '/srv/project', home: '/home/dev' } as const;
const read = (text: string): LineClass => classOf(analyse({ kind: 'script', text, shell: 'bash' }, place), place);

test('classes are ordered from weak to strong', () => {
  expect(commandClasses.toSorted(compareClasses)).toEqual(commandClasses);
  expect(commandClasses.at(0)).toBe('reads');
  expect(commandClasses.at(-1)).toBe('anything');
});

test('a line that only reads has no reason', () => {
  expect(read('ls | wc -l')).toEqual({ kind: 'reads', because: undefined, reasons: [] });
});

test('the strongest part decides, and is named with its place', () => {
  const text = 'touch a; curl https://example.com; rm -rf ~ && ls';
  const { kind, because, reasons } = read(text);
  expect(kind).toBe('destroys');
  expect(because).toMatchObject({ why: 'deletes ~', invocation: 2, from: 'program' });
  expect(text.slice(because?.span.start, because?.span.end)).toBe('rm -rf ~');
  expect(reasons.map((reason) => reason.kind)).toEqual(['writes the workspace', 'reaches out', 'destroys']);
});

describe('what was shown as nothing special says so', () => {
  test.each([
    ['rm -r $X', 'destroys', 'deletes $X'],
    ['{rm,-rf,/}', 'anything', 'the program `{rm,-rf,/}` is not known before it runs'],
    ['rm$IFS-rf$IFS/', 'anything', 'the program `rm$IFS-rf$IFS/` is not known before it runs'],
    ['echo ls | sh', 'anything', '`sh` runs its input'],
    ['batch', 'leaves the session behind', 'runs its input later'],
    [
      'loginctl enable-linger',
      'leaves the session behind',
      'leaves something that runs later, outside of this command',
    ],
    ['chroot /mnt ls', 'changes the machine', 'programs of another root directory run'],
    ['insmod x.ko', 'changes the machine', 'changes the machine'],
    ['byobu new-session -d', 'leaves the session behind', 'starts a terminal session that goes on after this one'],
    [':(){ :|:& };:', 'destroys', 'calls itself, and may never end'],
  ])('%s: %s', (line, kind, why) => {
    expect(read(line)).toMatchObject({ kind, because: { why } });
  });
});

describe('what a child does counts, wherever it stands', () => {
  test.each(['tmux new -d %', 'systemd-run sh -c %', 'screen -dm sh -c %', 'nohup sh -c % &', 'chroot / sh -c %'])(
    '%s',
    (around) => {
      expect(read(around.replace('%', "'rm -rf ~'")).kind).toBe('destroys');
      expect(read(around.replace('%', "'no-such-program'")).kind).toBe('anything');
    },
  );
});

describe('writes, by where they happen', () => {
  test.each([
    ['/srv/project/a', 'writes the workspace'],
    ['/srv/projects', 'changes the machine'],
    ['/tmp/a', 'writes the workspace'],
    ['/dev/null', 'reads'],
    ['/dev/sda', 'destroys'],
    ['/dev/shm/a', 'writes the workspace'],
    ['~/.bashrc', 'leaves the session behind'],
    ['~/.config/systemd/user/a.service', 'leaves the session behind'],
    ['~/.ssh/authorized_keys', 'leaves the session behind'],
    ['~/.cache/a', 'writes the workspace'],
    ['~/a', 'changes the machine'],
    ['/etc/cron.d/a', 'leaves the session behind'],
    ['/etc/hosts', 'changes the machine'],
    ['/proc/sysrq-trigger', 'changes the machine'],
    ['$X', 'anything'],
  ])('%s: %s', (path, kind) => {
    expect(read(`ls > ${path}`).kind).toBe(kind);
    if (kind !== 'reads') expect(read(`cp a ${path}`).kind).toBe(kind);
  });
});

describe('a pattern loses all that is there only where it has no name in it', () => {
  test.each([
    ['rm -rf -- *.pyc', 'writes the workspace'],
    ['rm -rf -- *', 'destroys'],
    ['rm -rf ./[!x]*', 'destroys'],
    ['rm -rf ./build-*', 'writes the workspace'],
    ['rm -rf build/*', 'writes the workspace'],
    ['rm -rf ../*', 'destroys'],
  ])('%s: %s', (line, kind) => {
    expect(read(line).kind).toBe(kind);
  });
});

test('a function that calls another one that ends is no bomb', () => {
  expect(read('f() { ls; }; g() { f; f; }; g').kind).toBe('reads');
});

test('a directory that is not the project: what its configuration names is not known', () => {
  expect(read('git -C /tmp/x status').kind).toBe('anything');
  expect(read('git -C src status').kind).toBe('reads');
});

describe('behind a plain beginning, braces are a pattern', () => {
  test.each([
    ['mkdir -p src/{a,b}/c', 'writes the workspace'],
    ['cp a{,.bak}', 'writes the workspace'],
    ['touch file{1..3}', 'writes the workspace'],
    ['git rev-parse HEAD~{1,2}', 'reads'],
    ['git log HEAD@{1}..HEAD@{0}', 'reads'],
    ['touch /etc/{a,b}', 'changes the machine'],
    ['touch {a,b}', 'anything'],
    ['touch src/{a,..}/x', 'anything'],
    ['touch src/.{.,a}/x', 'anything'],
    ['touch src/{a.,b}{.,c}/x', 'anything'],
    ['touch a{/,b}', 'anything'],
    ['rm{,} -rf', 'anything'],
  ])('%s: %s', (line, kind) => {
    expect(read(line).kind).toBe(kind);
  });
});

describe('a name narrows what `find` deletes, where it certainly counts', () => {
  test.each([
    ["find . -name '*.pyc' -delete", 'writes the workspace'],
    ['find . -name node_modules -prune -exec rm -rf {} +', 'writes the workspace'],
    ["find . -name '*' -delete", 'destroys'],
    ["find . -delete -name '*.pyc'", 'destroys'],
    ["find . ! -name '*.pyc' -delete", 'destroys'],
    ["find . -name '*.pyc' -o -name x -delete", 'destroys'],
    ["find / -name '*.pyc' -delete", 'destroys'],
  ])('%s: %s', (line, kind) => {
    expect(read(line).kind).toBe(kind);
  });
});

describe('a program that goes on, or takes its input for commands', () => {
  test.each([
    ['ssh -fN host', 'leaves the session behind'],
    ['wget -qb https://example.com', 'leaves the session behind'],
    ['gpg -K', 'leaves the session behind'],
    ['gpg -k', 'reads'],
    ['strace -fp 1', 'changes the machine'],
    ['strace ls', 'reads'],
    ['ssh host', 'reaches out'],
    ['ssh host < a', 'anything'],
    ['cat a | ssh host', 'anything'],
    ['sftp host <<< x', 'anything'],
    ["psql -o '|sh' -c 'select 1'", 'anything'],
    ['git gc --prune=now', 'destroys'],
  ])('%s: %s', (line, kind) => {
    expect(read(line).kind).toBe(kind);
  });
});

describe('numbers, separators and beginnings that can be nothing else', () => {
  test.each([
    'i=0; while [ $i -lt 3 ]; do echo $i; i=$((i+1)); done',
    'sed -n "$((n-5)),$((n+5))p" a.c',
    "IFS=, read -ra parts <<< a,b; (( 1 > 0 )) && IFS=$'\\n'; ls",
    'env -i PATH=/usr/bin:/bin ls',
    'cat < "src/$x"',
    'find . -name Docker* -print',
    'mktemp -u',
    'taskset -p 12; chrt -p 12; ionice -p 12',
  ])('%s reads', (line) => {
    expect(read(line).kind).toBe('reads');
  });

  test.each([
    ['f=a; ((f=-1)); rm $f', 'destroys'],
    ['sed -n "$((n))w $x" a.c', 'anything'],
    ['((IFS= 5)); ls', 'anything'],
    ['PATH=/usr/bin:. ls', 'anything'],
    ['cat < "/dev/$x"', 'reaches out'],
    ['find . -name * -print', 'anything'],
    ['taskset -p 1 12', 'changes the machine'],
    ['ionice -c 3 -P 12', 'changes the machine'],
    ['rsync -a --delete src/ host:dst/', 'destroys'],
    ['(sleep 9 &)', 'leaves the session behind'],
  ])('%s: %s', (line, kind) => {
    expect(read(line).kind).toBe(kind);
  });
});
