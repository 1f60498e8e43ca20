import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { backends, has, Project } from './lib/holdfast.ts';

describe.each(backends.filter((name) => name === 'native' || has('bwrap')))(
  'without configuration, on %s',
  (backend) => {
    const flags = ['--backend', backend];

    test('git works: add, commit, branch, worktree, stash, log', () => {
      using project = new Project();
      project.write('a.txt', 'one\n');
      const script =
        'git add a.txt && git commit -qm first && git branch side && git worktree add -q wt side && git -C wt status --short && echo two >> a.txt && git stash -q && git stash pop -q && git status --short && git log --oneline';
      const result = project.inside(script, flags);
      expect(result).toMatchObject({ status: 0 });
      expect(result.stdout).toContain('first');
      expect(project.outside('git', ['worktree', 'list']).stdout).toContain('[side]');
      expect(project.outside('git', ['-C', 'wt', 'log', '--oneline']).stdout).toContain('first');
    });

    test('a linked worktree can commit to its main repository', () => {
      using project = new Project();
      project.write('a.txt', 'one\n');
      project.outside('git', ['add', '.']);
      project.outside('git', ['commit', '-qm', 'first']);
      project.outside('git', ['worktree', 'add', '-q', '../linked', '-b', 'side']);
      const linked = join(project.root, 'linked');
      const result = project.holdfast(
        [
          'run',
          ...flags,
          '--',
          'sh',
          '-c',
          'echo b > b.txt && git add b.txt && git commit -qm second && echo x > "$(git rev-parse --git-common-dir)/hooks/pre-commit"',
        ],
        { cwd: linked },
      );
      expect(result.status).not.toBe(0);
      expect(project.outside('git', ['log', '--oneline', 'side']).stdout).toContain('second');
      expect(existsSync(join(project.workspace, '.git/hooks/pre-commit'))).toBe(false);
    });

    // Attack: a mount over the root, which `/..` enters.
    test('the root has no other mount over it', () => {
      using project = new Project();
      const { stdout } = project.inside('stat -c %d:%i / /..; cut -d " " -f 5 /proc/self/mountinfo', flags);
      const [root, above, ...places] = stdout.trim().split('\n');
      expect(above).toBe(root);
      expect(places.filter((place) => place === '/')).toHaveLength(1);
    });

    test('exit codes are those of the command, 128+n for signals, 126 and 127 as in shells', () => {
      using project = new Project();
      expect(project.inside('exit 0', flags).status).toBe(0);
      expect(project.inside('exit 255', flags).status).toBe(255);
      expect(project.inside('kill -TERM $$', flags).status).toBe(143);
      expect(project.inside('kill -KILL $$', flags).status).toBe(137);
      expect(project.holdfast(['run', ...flags, '--', 'no-such-command']).status).toBe(127);
      project.write('plain', 'text\n');
      expect(project.holdfast(['run', ...flags, '--', './plain']).status).toBe(126);
    });

    test('output is the same byte for byte, in its order', () => {
      using project = new Project();
      const script =
        'printf "\\000\\377out\\n"; head -c 300000 /dev/zero | tr "\\0" x; echo; for i in 1 2 3; do echo o$i; echo e$i >&2; done';
      const merged = `{ ${script}; } 2>&1`;
      const inside = project.holdfast(['run', ...flags, '--', 'sh', '-c', merged]);
      const outside = project.outside('sh', ['-c', merged]);
      expect(inside.stdout === outside.stdout).toBe(true);
    });

    test('stdin, pipes and many commands at once', async () => {
      using project = new Project();
      expect(
        project.holdfast(['run', ...flags, '--', 'sh', '-c', 'cat | tr a-z A-Z | sort'], { input: 'b\na\n' }).stdout,
      ).toBe('A\nB\n');
      const codes = await Promise.all(
        Array.from(
          { length: 16 },
          (_, index) =>
            new Promise((resolve) =>
              project.start(['run', ...flags, '--', 'sh', '-c', `sleep 0.2; exit ${index}`]).on('exit', resolve),
            ),
        ),
      );
      expect(codes).toEqual(Array.from({ length: 16 }, (_, index) => index));
    });

    test('mktemp, /tmp, /dev/shm and the package cache are writable and private', () => {
      using project = new Project();
      project.write('../home/.npm/_cacache/kept', 'kept');
      const result = project.inside(
        'f=$(mktemp) && echo x > "$f" && d=$(mktemp -d) && touch "$d/y" /dev/shm/z && cat ~/.npm/_cacache/kept && rm ~/.npm/_cacache/kept; test -O /tmp && ls "$f"',
        flags,
      );
      expect(result.stdout).toMatch(/^kept\/tmp\/tmp\..*\n$/u);
      expect(existsSync(result.stdout.slice(4).trim())).toBe(false);
      expect(existsSync(join(project.home, '.npm/_cacache/kept'))).toBe(true);
      expect(existsSync('/dev/shm/z')).toBe(false);
    });

    test('a C program is built with make and runs', () => {
      using project = new Project();
      project.write('hello.c', '#include <stdio.h>\nint main(void){puts("built inside");return 0;}\n');
      project.write('Makefile', 'hello: hello.c\n\tcc -o hello hello.c\n');
      expect(project.inside('make -s && ./hello', flags)).toMatchObject({ status: 0, stdout: 'built inside\n' });
    });

    test('a server and its client reach each other inside, and nothing leaves', () => {
      using project = new Project();
      const server = `require('node:http').createServer((q,s)=>s.end('pong')).listen(8123,'127.0.0.1',()=>require('node:http').get('http://127.0.0.1:8123',(r)=>{r.pipe(process.stdout);r.on('end',()=>process.exit(0))}))`;
      expect(project.holdfast(['run', ...flags, '--', process.execPath, '-e', server])).toMatchObject({
        status: 0,
        stdout: 'pong',
      });
      const outward = `require('node:net').connect(443,'192.0.2.1').on('error',(e)=>{console.log(e.code);process.exit(9)})`;
      expect(project.holdfast(['run', ...flags, '--', process.execPath, '-e', outward])).toMatchObject({
        status: 9,
        stdout: 'ENETUNREACH\n',
      });
    });

    test('secrets: .env, keys, histories and tokens are not readable', () => {
      using project = new Project();
      project.write('.env', 'KEY=canary\n');
      project.write('sub/deep/.env.local', 'KEY=canary\n');
      project.write('.env.example', 'KEY=\n');
      project.write('../home/.ssh/id_rsa', 'canary');
      project.write('../home/.bash_history', 'canary');
      project.write('../home/notes.txt', 'canary');
      const script = 'cat .env sub/deep/.env.local ~/.ssh/id_rsa ~/.bash_history ~/notes.txt .env.example; env';
      const result = project.holdfast(['run', ...flags, '--', 'sh', '-c', script], {
        environment: { GITHUB_TOKEN: 'canary', AWS_SECRET_ACCESS_KEY: 'canary' },
      });
      expect(result.stdout).not.toContain('canary');
      expect(result.stdout).toContain('KEY=\n');
      expect(result.stderr).toContain('holdfast: reading');
    });

    test('refusals are lines that an agent can use, and `why` knows them afterwards', () => {
      using project = new Project();
      const result = project.inside('echo x > /etc/holdfast-test; cat ~/.ssh/id_rsa', flags);
      expect(result.stderr).toMatch(
        /holdfast: writing \/etc\/holdfast-test is refused: .*--write \/etc\/holdfast-test/u,
      );
      const why = JSON.parse(project.holdfast(['why', '--json']).stdout) as {
        refusals: { request: { path: string } }[];
      };
      expect(why.refusals.map(({ request }) => request.path)).toContain('/etc/holdfast-test');
    });

    test('`why` works inside the box', () => {
      using project = new Project();
      const holdfast = join(import.meta.dirname, '../bin/holdfast');
      const result = project.holdfast([
        'run',
        ...flags,
        '--',
        holdfast,
        'why',
        '--path',
        '/etc/passwd',
        '--access',
        'write',
      ]);
      expect(result).toMatchObject({ status: 0, stdout: expect.stringContaining('deny write /etc/passwd') as string });
    });

    test('nothing remains on the host, and the workspace keeps only the written files', () => {
      using project = new Project();
      const mounts = readFileSync('/proc/self/mountinfo', 'utf8');
      project.inside('touch made; (sleep 300 &) ; setsid sleep 300 >/dev/null 2>&1 & exit 3', flags);
      expect(readFileSync('/proc/self/mountinfo', 'utf8')).toBe(mounts);
      expect(project.outside('pgrep', ['-f', 'sleep 300']).stdout).toBe('');
      expect(project.outside('ls', ['-A']).stdout.trim().split('\n')).toEqual(['.git', 'made']);
      expect(lstatSync(join(project.workspace, 'made')).isFile()).toBe(true);
    });

    test('the journal is intact at the end', () => {
      using project = new Project();
      project.inside('true', flags);
      expect(project.holdfast(['audit', 'verify'])).toMatchObject({ status: 0 });
    });
  },
);
