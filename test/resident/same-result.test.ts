import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isCommand, masked, ResidentProject } from '../lib/resident.ts';

let project: ResidentProject;
beforeAll(() => {
  project = new ResidentProject();
  mkdirSync(join(project.home, 'aside'));
  project.write('plain', 'not executable\n');
  project.write('out/.keep', '');
  project.serve();
});
afterAll(() => project[Symbol.dispose]());

interface Row {
  readonly what: string;
  /** A shell script outside, in which `$H` is Holdfast. */
  readonly script: string;
  readonly status: number;
  readonly input?: Buffer;
  readonly environment?: NodeJS.ProcessEnv;
  /** The builder of the box when a supervisor exists. */
  readonly by?: 'node';
}

const box = '"$H" run --';
const rows: readonly Row[] = [
  { what: 'an exit status', script: `${box} sh -c 'exit 7'`, status: 7 },
  { what: 'an end by a signal', script: `${box} sh -c 'kill -TERM $$'`, status: 143 },
  { what: 'an end by SIGKILL', script: `${box} sh -c 'kill -KILL $$'`, status: 137 },
  { what: 'a command that is not found', script: `${box} no-such-command-here`, status: 127 },
  { what: 'a command that is not executable', script: `${box} ./plain`, status: 126 },
  { what: 'a directory as the command', script: `${box} ./out`, status: 126 },
  { what: 'a write that is refused', script: `${box} sh -c 'echo x > /etc/holdfast-test'`, status: 2 },
  { what: 'phantoms of a missing file', script: '"$H" run --phantoms missing -- true', status: 125, by: 'node' },
  { what: 'a guarded name', script: `${box} sh -c 'echo x > .git/hooks/pre-commit'`, status: 2 },
  {
    what: 'stdout and stderr that are files',
    script: `${box} sh -c 'echo out; echo err >&2; exit 3' >out/1 2>out/2; echo $?; cat out/1 out/2`,
    status: 0,
  },
  {
    what: 'one file for both',
    script: `${box} sh -c 'for i in 1 2 3; do echo $i; echo e$i >&2; done' >out/3 2>&1; cat out/3`,
    status: 0,
  },
  {
    what: 'a megabyte that is piped in',
    script: `${box} sh -c 'md5sum; cat /dev/null'`,
    status: 0,
    input: Buffer.alloc(1 << 20, 'abcdefghi'),
  },
  { what: 'a megabyte that is piped out', script: `${box} head -c 1048576 /dev/zero | md5sum`, status: 0 },
  { what: 'a reader that goes away', script: `${box} sh -c 'yes; echo "ended $?" >&2' | head -1`, status: 0 },
  { what: 'an output that is full', script: `${box} sh -c 'echo x' >/dev/full`, status: 1 },
  {
    what: 'streams that are closed: 0',
    script: `${box} sh -c 'ls -l /proc/self/fd/0 >/dev/null && echo open' <&-`,
    status: 0,
  },
  { what: 'streams that are closed: 1', script: `${box} sh -c 'echo x; echo "said $?" >&2' >&-`, status: 0 },
  { what: 'streams that are closed: 2', script: `${box} sh -c 'echo x >&2; echo "said $?"' 2>&-`, status: 0 },
  {
    what: 'streams that are closed: 0 and 1',
    script: `${box} sh -c 'echo x; cat; echo "said $?" >&2' <&- >&-`,
    status: 0,
  },
  { what: 'streams that are closed: all', script: `${box} sh -c 'exit 4' <&- >&- 2>&-`, status: 4 },
  {
    what: 'further descriptors',
    script: `${box} sh -c 'ls /proc/self/fd | wc -l' 5</etc/passwd 9>out/9 100</etc/hosts`,
    status: 0,
  },
  {
    what: 'words in UTF-8, with blanks, and empty ones',
    script: `${box} printf '<%s>' 'äöü€😀' '' 'a b' '*' "it's" ''`,
    status: 0,
  },
  { what: 'words that are no UTF-8', script: `${box} printf '<%s>' "$(printf 'a\\377b')"`, status: 0, by: 'node' },
  {
    what: 'a directory that is not UTF-8',
    script: `d="out/$(printf '\\377')"; mkdir -p "$d"; cd "$d"; ${box} true; echo $?`,
    status: 0,
    by: 'node',
  },
  {
    what: 'a directory with blanks and a line end',
    script: `d="out/a b\nc"; mkdir -p "$d"; cd "$d"; ${box} pwd`,
    status: 0,
  },
  {
    what: 'variables',
    script: `${box} sh -c 'env | grep -v ^HOLDFAST | sort'`,
    status: 0,
    environment: { LANG: 'C.UTF-8', LC_TIME: 'de_DE', MY_SECRET_TOKEN: 'sesame', EMPTY: '', TERM: 'xterm-äöü' },
  },
  {
    what: 'a megabyte of variables',
    script: `${box} sh -c 'env | grep -v ^HOLDFAST= | wc -c'`,
    status: 0,
    environment: Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`BIG_${index}`, 'x'.repeat(100_000)])),
  },
  {
    what: 'words of a hundred kilobytes',
    script: `${box} sh -c 'printf %s "$0" | wc -c' "$(head -c 100000 /dev/zero | tr '\\0' x)"`,
    status: 0,
  },
  {
    what: 'a mask of modes',
    script: `umask 027; ${box} sh -c 'umask; : > out/made; stat -c %a out/made; rm out/made'`,
    status: 0,
  },
  {
    what: 'limits',
    script: `ulimit -n 200; ulimit -c 0; ulimit -s 4096; ${box} sh -c 'ulimit -n; ulimit -Hn; ulimit -c; ulimit -s'`,
    status: 0,
  },
  { what: 'a nice value', script: `nice -n 5 "$H" run -- sh -c 'nice; cut -d" " -f19 /proc/self/stat'`, status: 0 },
  { what: 'processors', script: `taskset -c 0 "$H" run -- nproc`, status: 0 },
  {
    what: 'an OOM score',
    script: `echo 321 > /proc/self/oom_score_adj; ${box} cat /proc/self/oom_score_adj`,
    status: 0,
  },
  { what: 'signals that are ignored', script: `trap '' HUP INT QUIT; ${box} grep SigIgn /proc/self/status`, status: 0 },
  {
    what: 'other signals that are ignored',
    script: `trap '' PIPE USR1 TERM; ${box} grep -E 'SigIgn|SigBlk' /proc/self/status`,
    status: 0,
  },
  {
    what: 'a directory that vanished',
    script: `mkdir out/gone; cd out/gone; rmdir ../gone; ${box} true`,
    status: 125,
    by: 'node',
  },
  {
    what: 'a file that may be read and written',
    script: `"$H" run --read "$HOME/aside" --write "$HOME/aside" -- sh -c 'echo x > "$0/made" && cat "$0/made"' "$HOME/aside"`,
    status: 0,
  },
  { what: 'full guarantees', script: `"$H" run --sandbox -- sh -c 'echo held'`, status: 0 },
  {
    what: 'a host',
    script: `"$H" run --host example.org -- sh -c 'getent hosts example.org | wc -l; getent hosts example.com | wc -l; cat /etc/resolv.conf'`,
    status: 0,
  },
  { what: 'no command', script: `"$H" run --`, status: 125, by: 'node' },
  { what: 'an option that there is not', script: `"$H" run --nonsense -- true`, status: 125 },
  { what: 'help', script: `"$H" run --help`, status: 0, by: 'node' },
  { what: 'another backend', script: `"$H" run --backend bubblewrap -- echo x`, status: 0, by: 'node' },
  { what: 'a relative workspace', script: `cd /; "$H" run --workspace "\${OLDPWD#/}" -- pwd`, status: 0 },
];

test.each(rows)('$what: the same with a supervisor and without', ({ script, status, input, environment, by }) => {
  const options = { ...(input === undefined ? {} : { input: input as never }), environment: environment ?? {} };
  const before = project.starts.filter(isCommand).length;
  const warm = project.script(script, options);
  const between = project.starts.filter(isCommand).length;
  const cold = project.script(script, { ...options, environment: { ...environment, HOLDFAST_RESIDENT: 'never' } });
  const shown = ({ stdout, stderr, ...rest }: typeof warm): object => ({
    status: rest.status,
    signal: rest.signal,
    stdout: masked(stdout),
    stderr: masked(stderr),
  });
  expect(shown(warm)).toEqual(shown(cold));
  expect({ status: cold.status, stderr: cold.stderr }).toMatchObject({ status });
  expect({ warm: between - before, cold: project.starts.filter(isCommand).length - between }).toEqual({
    warm: by === 'node' ? 1 : 0,
    cold: 1,
  });
});
