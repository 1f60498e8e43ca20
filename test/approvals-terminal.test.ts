import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEvents } from '../src/audit/index.ts';
import { binary, has, Project } from './lib/holdfast.ts';

const missing = ['expect', 'bash'].filter((program) => !has(program));
if (missing.length > 0)
  console.warn(
    `SKIPPED: questions at a terminal, because these are not installed: ${missing.join(' ')} (Debian: apt-get install ${missing.join(' ')})`,
  );

/**
 * A person at a terminal, in the language of expect(1), at the prompt of a shell with job control. `other` is a second
 * terminal.
 */
const person = String.raw`
log_user 0
set timeout 45
proc want {pattern} {
  global expect_out
  expect {
    -re $pattern { }
    timeout { puts "no '$pattern' came, but: $expect_out(buffer)"; exit 1 }
    eof { puts "no '$pattern' came before the end"; exit 1 }
  }
}
proc type {keys} { send -- $keys }
# Nobody answers before they have read the question.
proc answer {keys} { sleep 0.7; send -- "$keys\r" }
proc outside {} {
  global spawn_id
  spawn -noecho bash --norc --noprofile -i
  send -- "PS1='out''side> '; stty -a | md5sum > before.$spawn_id\r"
  want {outside> $}
}
proc unchanged {} {
  global spawn_id
  send -- "stty -a | md5sum | diff - before.$spawn_id && echo 'terminal as ''before'\r"
  want {terminal as before\r}
}
`;

interface Ended {
  readonly decisions: readonly string[];
}

/** Runs a script, in which `HOLDFAST` is the command. Returns the answer to each request. */
function atTerminal(policy: string, script: string): Ended {
  using project = new Project();
  project.write('../home/.config/holdfast/policy.toml', `version = 1\n${policy.replaceAll('$WS', project.workspace)}`);
  project.write('script.sh', 'git --version\n');
  const text = `${person}\noutside\n${script}\nunchanged\n`.replaceAll('HOLDFAST', binary);
  const { stdout, stderr, status } = spawnSync('expect', ['-c', text], {
    cwd: project.workspace,
    env: { ...project.environment, TERM: 'xterm' },
    encoding: 'utf8',
    timeout: 120_000,
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  return {
    decisions: readEvents(join(project.state, 'journal.jsonl')).flatMap((event) =>
      event.type === 'approval.resolved' ? [`${event.decision} ${event.channel ?? event.because ?? ''}`] : [],
    ),
  };
}

const askGit = '[commands]\nask = ["git --version"]\n';
const run = String.raw`type "HOLDFAST run -- git --version; echo status=\$?\r"`;
const question = String.raw`want {holdfast asks: [^\r]*git --version.*rule commands.ask.*then Enter: $}`;

describe.skipIf(missing.length > 0)('at the terminal', { timeout: 150_000 }, () => {
  test.each([
    ['o', String.raw`want {git version.*status=0}`, 'once prompt'],
    ['s', String.raw`want {git version.*status=0}`, 'session prompt'],
    ['d', String.raw`want {it was denied when asked.*status=125}`, 'deny prompt'],
  ])('a question appears before a command starts: %s', (key, then, decision) => {
    expect(atTerminal(askGit, `${run}\n${question}\nanswer ${key}\n${then}`).decisions).toEqual([decision]);
  });

  test('neither earlier input nor another word answers a request', () => {
    const script = String.raw`
      type "sleep 1.6; HOLDFAST run -- git --version; echo status=\$?\r"
      for {set i 0} {$i < 12} {incr i} { sleep 0.1; type "o\r" }
      ${question}
      type "o\r"
      answer "yes"
      want {then Enter: $}
      type "o\r"
      answer "d"
      want {status=125}
    `;
    expect(atTerminal(askGit, script).decisions).toEqual(['deny prompt']);
  });

  test.each([
    ['Ctrl-C', String.raw`\x03`],
    ['Ctrl-\\', String.raw`\x1c`],
    ['Ctrl-D', String.raw`\x04`],
  ])('%s denies', (_, key) => {
    const { decisions } = atTerminal(
      askGit,
      String.raw`
      ${run}
      ${question}
      sleep 0.7
      type "${key}"
      want {denied.*status=125}
    `,
    );
    expect(decisions).toEqual([expect.stringMatching(/^deny /u)]);
  });

  test('a killed prompt leaves the terminal unchanged', () => {
    const { decisions } = atTerminal(
      askGit,
      String.raw`
      ${run}
      ${question}
      exec sh -c {
        for pid in $(pgrep -x "MainThread|node"); do
          tr "\0" " " < /proc/$pid/cmdline | grep -q "run -- git --version" && test "$(readlink /proc/$pid/cwd)" = "$PWD" && kill -9 $pid
        done 2>/dev/null
        true
      }
      want {Killed.*status=137}
    `,
    );
    expect(decisions).toEqual([]);
  });

  test('a closed terminal denies, and the journal records it', () => {
    const { decisions } = atTerminal(
      askGit,
      String.raw`
      set first $spawn_id
      spawn -noecho HOLDFAST run -- git --version
      ${question}
      sleep 0.7
      close
      wait
      set spawn_id $first
    `,
    );
    expect(decisions).toEqual([expect.stringMatching(/^deny /u)]);
  });

  test('a program with the terminal through /dev/tty alone gets no prompt there either', () => {
    const { decisions } = atTerminal(
      `${askGit}[approvals]\ntimeout = "1s"\n`,
      String.raw`
      type "HOLDFAST run --show person -- sh script.sh < /dev/null; echo status=\$?\r"
      want {waits 1 s for approval: [^\r]*git --version; answer in another terminal.*status=}
    `,
    );
    expect(decisions).toEqual(['deny time-out']);
  });

  test('a prompt that was stopped with Ctrl-Z and continued still accepts an answer', () => {
    const { decisions } = atTerminal(
      askGit,
      String.raw`
      type "HOLDFAST run -- git --version\r"
      ${question}
      sleep 0.5
      type "\x1a"
      want {Stopped.*outside> $}
      type "fg\r"
      want {HOLDFAST run}
      answer o
      want {git version}
    `,
    );
    expect(decisions).toEqual(['once prompt']);
  });

  test('a program on the terminal is reported, and the answer comes from another terminal', () => {
    const { decisions } = atTerminal(
      askGit,
      String.raw`
      set first $spawn_id
      type "HOLDFAST run -- sh script.sh; echo status=\$?\r"
      want {waits 60 s for approval: [^\r]*git --version; answer in another terminal: holdfast approvals allow ([0-9a-f]+)}
      set id $expect_out(1,string)
      outside
      type "HOLDFAST approvals allow $id\r"
      ${question}
      answer o
      want {allowed once: }
      unchanged
      set spawn_id $first
      want {git version.*status=0}
    `,
    );
    expect(decisions).toEqual(['once terminal']);
  });

  test('watch in another terminal shows each question, and takes the answers', () => {
    const { decisions } = atTerminal(
      askGit,
      String.raw`
      set first $spawn_id
      outside
      set second $spawn_id
      type "HOLDFAST approvals watch\r"
      want {waiting for questions}
      set spawn_id $first
      type "HOLDFAST run -- sh -c 'sh script.sh; sh script.sh'; echo status=\$?\r"
      set spawn_id $second
      ${question}
      answer o
      ${question}
      answer d
      sleep 0.5
      type "\x03"
      want {denied: it was denied when asked.*outside> $}
      unchanged
      set spawn_id $first
      want {git version.*status=}
    `,
    );
    expect(decisions).toEqual(['once terminal', 'deny terminal']);
  });

  test('a harness’s terminal gets no prompt, by its option or an agent’s variable', () => {
    for (const start of ['HOLDFAST run --no-prompt', 'CLAUDECODE=1 HOLDFAST run', 'CI=true HOLDFAST run']) {
      const { decisions } = atTerminal(
        askGit,
        String.raw`
        type "${start} -- git --version; echo status=\$?\r"
        want {nobody was there to ask.*status=125}
      `,
      );
      expect(decisions).toEqual(['deny nobody']);
    }
  });

  test('a background job gets no prompt: another program has the keys', () => {
    const { decisions } = atTerminal(
      askGit,
      String.raw`
      type "HOLDFAST run -- git --version & wait; echo waited\r"
      want {nobody was there to ask.*waited}
    `,
    );
    expect(decisions).toEqual(['deny nobody']);
  });
});
