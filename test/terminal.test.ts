import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEvents } from '../src/audit/index.ts';
import { backends, binary, has, Project } from './lib/holdfast.ts';

const missing = ['expect', 'bash', 'less'].filter((program) => !has(program));
if (missing.length > 0)
  console.warn(
    `SKIPPED: everything about terminals, because these are not installed: ${missing.join(' ')} (Debian: apt-get install ${missing.join(' ')})`,
  );
const editor = ['vim', 'vim.tiny', 'vi'].find(has);
if (editor === undefined)
  console.warn('SKIPPED: a full-screen editor, because no vim is installed (Debian: apt-get install vim-tiny)');

/**
 * A person at a terminal, in the language of expect(1). `want PATTERN` waits for output and ends the test if it does
 * not come. `type TEXT` and `press KEYS` type. It starts at the prompt of a shell with job control.
 */
const person = String.raw`
log_user 0
set timeout 15
set seen ""
proc want {pattern} {
  global seen expect_out
  expect {
    -re $pattern { append seen $expect_out(buffer) }
    timeout { puts "no '$pattern' came, but: $expect_out(buffer)"; exit 1 }
    eof { puts "no '$pattern' came before the end"; exit 1 }
  }
}
proc type {keys} { send -- $keys }
# A command that has just begun may not have started what the keys are meant for.
proc press {keys} { sleep 0.5; send -- $keys }
proc run {words} { global holdfast; type "$holdfast run $words; echo \"status=\$?\"\r" }
spawn -noecho bash --norc --noprofile -i
type "PS1='out''side> '; stty -a | md5sum > before; stty rows 30 columns 90\r"
want {outside> $}
`;

/** Runs a session on its own terminal, and compares the terminal's settings at the end with those at the start. */
function atTerminal(project: Project, backend: string, script: string): void {
  const ending = String.raw`
type "stty rows 0 columns 0; stty -a | md5sum | diff - before && echo 'terminal as ''before'\r"
want {terminal as before\r}
type "exit\r"
expect eof
`;
  const text = `${person}\nset holdfast {${binary}}\n${script}\n${ending}`.replaceAll('BACKEND', backend);
  const { stdout, stderr, status } = spawnSync('expect', ['-c', text], {
    cwd: project.workspace,
    env: { ...project.environment, TERM: 'xterm' },
    encoding: 'utf8',
    timeout: 90_000,
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
}

describe.skipIf(missing.length > 0).each(backends)('on a terminal, with %s,', { timeout: 120_000 }, (backend) => {
  function session(name: string, script: string, after: (project: Project) => void = () => undefined): void {
    test(name, () => {
      using project = new Project();
      atTerminal(project, backend, script);
      after(project);
    });
  }

  session(
    'the command has it, in its size',
    String.raw`
    run {--backend BACKEND -- sh -c 'test -t 0 && test -t 1 && test -t 2 && stty size'}
    want {30 90\r\n.*status=0\r}
  `,
  );

  session(
    'Ctrl-C ends the command with 130, and only the command',
    String.raw`
    run {--backend BACKEND -- sh -c 'echo ready; sleep 60'}
    want {ready\r}
    press "\x03"
    want {status=130\r}
    want {outside> $}
  `,
  );

  session(
    'a command that handles Ctrl-C goes on',
    String.raw`
    run {--backend BACKEND -- sh -c 'trap "echo caught" INT; echo ready; sleep 60; echo went on'}
    want {ready\r}
    press "\x03"
    want {caught\r\n.*went on\r\n.*status=0\r}
  `,
  );

  session(
    'Ctrl-\\ quits with 131',
    String.raw`
    run {--backend BACKEND -- sh -c 'echo ready; sleep 60'}
    want {ready\r}
    press "\x1c"
    want {status=131\r}
  `,
  );

  session(
    'Ctrl-Z stops the job, fg continues it',
    String.raw`
    type "$holdfast run --backend BACKEND -- sh -c 'echo ready; sleep 2; echo slept'\r"
    want {ready\r}
    press "\x1a"
    want {Stopped}
    want {outside> $}
    type "echo in bet''ween; fg\r"
    want {in between\r\n.*slept\r}
    want {outside> $}
  `,
  );

  session(
    'Ctrl-Z, bg, and the job ends in the background',
    String.raw`
    type "$holdfast run --backend BACKEND -- sh -c 'echo ready; sleep 1; touch done' </dev/null\r"
    want {ready\r}
    press "\x1a"
    want {Stopped}
    type "bg; wait; ls done\r"
    want {\ndone\r}
  `,
  );

  session(
    'a shell inside has job control of its own',
    String.raw`
    run {--backend BACKEND -- bash --norc --noprofile -i}
    type "PS1='in''side> '\r"
    want {inside> $}
    type "sleep 60\r"
    press "\x1a"
    want {Stopped.*inside> $}
    type "jobs; kill %1; wait; echo in''ner\r"
    want {sleep 60.*inner\r}
    type "sleep 60\r"
    press "\x03"
    want {inside> $}
    type "exit 4\r"
    want {status=4\r}
  `,
  );

  session(
    'a command that leaves it raw does not leave it so',
    String.raw`
    run {--backend BACKEND -- sh -c 'stty raw -echo -isig; exit 5'}
    want {status=5\r}
  `,
  );

  session(
    'nor does one whose supervisor is killed',
    String.raw`
    type "$holdfast run --backend BACKEND -- sh -c 'stty raw -echo; printf re%s ady; sleep 60'\r"
    want {ready}
    exec sh -c {
      for pid in $(pgrep -x "MainThread|node"); do
        tr "\0" " " < /proc/$pid/cmdline | grep -q "run --backend BACKEND -- sh -c stty raw" && test "$(readlink /proc/$pid/cwd)" = "$PWD" && kill -9 $pid
      done 2>/dev/null
      true
    }
    want {Killed}
    want {outside> $}
  `,
  );

  session(
    'keys reach the command one by one, and passwords are not shown',
    String.raw`
    run {--backend BACKEND -- bash -c 'read -rsn 3 keys; echo "got <$keys>"'}
    press "abc"
    want {got <abc>\r\n.*status=0\r}
  `,
  );

  session(
    'less pages a file and puts the screen back',
    String.raw`
    type "seq 1000 > numbers\r"
    run {--backend BACKEND -- less numbers}
    want {\x1b\[\?1049h.*\n28\r}
    type "G"
    want {\n1000\r}
    type "q"
    want {\x1b\[\?1049l.*status=0\r}
  `,
  );

  test.skipIf(editor === undefined)('a full-screen editor edits', () => {
    using project = new Project();
    project.write('text', 'one\ntwo\n');
    const script = String.raw`
      run {--backend BACKEND -- EDITOR -u NONE -n text}
      want {"text" 2 ?[lL]}
      type "Gothree\x1b:wq\r"
      want {status=0\r}
    `;
    atTerminal(project, backend, script.replace('EDITOR', editor ?? ''));
    expect(readFileSync(join(project.workspace, 'text'), 'utf8')).toBe('one\ntwo\nthree\n');
  });

  session(
    'a refusal of what the command line names is told, and journalled',
    String.raw`
    type "mkdir ~/.ssh; echo key | tee .env > ~/.ssh/id_rsa\r"
    run {--backend BACKEND -- cat .env}
    want {\nholdfast: reading [^\n]*/ws/.env is refused: it is a hidden file.*status=1\r}
    want {outside> $}
    type "$holdfast why\r"
    want {read [^\n]*/ws/.env}
    want {outside> $}
    run {--backend BACKEND -- sh -c 'cat <~/.ssh/id_rsa; exit 3'}
    want {\nholdfast: reading [^\n]*/.ssh/id_rsa is refused: it is a credential store.*status=3\r}
  `,
    ({ state }) => {
      const refusals = readEvents(join(state, 'journal.jsonl')).flatMap((event) =>
        event.type === 'refusal' ? [event.observed] : [],
      );
      expect(refusals).toEqual(['arguments', 'arguments']);
    },
  );

  session(
    'nothing is added to what a command prints that succeeds, is interrupted, or names nothing refused',
    String.raw`
    type "echo key > .env\r"
    run {--backend BACKEND -- sh -c 'cat .env; exit 0'}
    want {Permission denied\r\nstatus=0\r}
    run {--backend BACKEND -- sh -c 'echo ready; sleep 60; cat .env'}
    want {ready\r}
    press "\x03"
    want {\^Cstatus=130\r\n.*outside> $}
    run {--backend BACKEND -- ls -d / .. no-such-file}
    want {no-such-file'?: No such file or directory[^\n]*\n([/.][^\n]*\n)*status=2\r}
  `,
  );

  session(
    'a change of its size arrives',
    String.raw`
    run {--backend BACKEND -- bash -c 'trap "stty size; exit 7" WINCH; echo ready; while :; do sleep 0.1; done'}
    want {ready\r}
    stty rows 44 columns 66 < $spawn_out(slave,name)
    want {44 66\r\n.*status=7\r}
    stty rows 30 columns 90 < $spawn_out(slave,name)
  `,
  );
});
