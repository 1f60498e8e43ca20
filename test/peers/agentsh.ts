import { around, beside, otherwise, permitted, type PeerSuite, refused } from './case.ts';

const waysToTac: Readonly<Record<string, string>> = {
  env: 'env tac "$W/notes.txt"',
  exec: 'exec tac "$W/notes.txt"',
  xargs: 'echo "$W/notes.txt" | xargs tac',
  find: 'find "$W/notes.txt" -exec tac {} ";" | grep .',
  Python: 'python3 -c "import os; os.execvp(\\"tac\\", [\\"tac\\", os.environ[\\"W\\"] + \\"/notes.txt\\"])"',
  'a link': 'ln -s /usr/bin/tac other && ./other "$W/notes.txt"',
};
const families: Readonly<Record<string, string>> = {
  AF_ALG: '38',
  AF_PACKET: '17',
  AF_VSOCK: '40',
  AF_KEY: '15',
  AF_TIPC: '30',
  AF_RDS: '21',
};
/** Numbers that x86-64 and arm64 share are rare among the old ones. */
const calls: Readonly<Record<string, readonly [x86: number, arm: number]>> = {
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  add_key: [248, 217],
  keyctl: [250, 219],
  kexec_load: [246, 104],
  init_module: [175, 105],
  open_by_handle_at: [304, 265],
  swapon: [167, 224],
  reboot: [169, 142],
};

export const agentsh: PeerSuite = {
  peer: 'agentsh',
  tests: 'canyonroad/agentsh, `internal/integration`, and its demonstrations of CVEs',
  cases: [
    permitted('run a command that is allowed', 'test "$(echo ok)" = ok', { box: 'commands' }),
    refused('run one that is denied', 'tac "$W/notes.txt"', { box: 'commands' }),
    around(
      'refuse one that is denied, by itself',
      'printf "version = 1\\n[commands]\\ndeny = [\\"tac\\"]\\n" > holdfast.toml; ! $H run -- tac notes.txt; e=$?; rm holdfast.toml; test $e = 0',
    ),
    otherwise(
      'A denied command is denied at every depth: a rule for one depth is easy to walk around.',
      refused('run a denied command directly, which is only denied below a shell there', 'tac < "$W/notes.txt"', {
        box: 'commands',
      }),
    ),
    ...Object.entries(waysToTac).map(([name, script]) =>
      refused(`run a denied command by ${name}`, script, { box: 'commands' }),
    ),
    refused('run a copy of a denied command under another name', 'cp /usr/bin/tac copy && ./copy "$W/notes.txt"', {
      box: 'commands',
    }),
    permitted('run commands while system calls are watched', '/bin/echo hello from inside'),
    ...Object.entries(families).map(([name, family]) =>
      refused(
        `create a socket of ${name}`,
        `py "socket.socket(${family}, socket.SOCK_DGRAM if ${family} not in (38, 21) else socket.SOCK_SEQPACKET)"`,
        { control: 'none' },
      ),
    ),
    ...Object.entries(calls).map(([name, [x86, arm]]) =>
      permitted(
        `${name} is refused before its arguments are looked at`,
        `py "assert failure(${x86} if os.uname().machine == \\"x86_64\\" else ${arm}, 0, 0, 0, 0, 0) in (errno.EPERM, errno.ENOSYS)"`,
      ),
    ),
    permitted('files of several roots at once', 'cat "$HOME/data/visible.txt" && echo ours > "$HOME/shared/multi"'),
    refused('a file of a root that is not granted', 'cat "$OUT/secret.txt"'),
    refused('connect to a Unix socket of the host', 'py "talk(socket.AF_UNIX, hosts(\\"host.sock\\"))"'),
    permitted('a shell has no start file from the caller', 'test -z "$BASH_ENV$ENV"'),
    around(
      'the caller’s BASH_ENV runs nothing',
      'echo "touch $W/ran-it" > ../env.sh; BASH_ENV="$W/../env.sh" $H run -- bash -c true; test ! -e ran-it',
    ),
    around(
      'a timeout ends a command that hangs',
      'printf "version = 1\\n[limits]\\nwall = \\"1s\\"\\n" > holdfast.toml; timeout 10 $H run -- sh -c "while :; do :; done"; e=$?; rm holdfast.toml; test $e != 0 && test $e != 124',
    ),
    around(
      'the journal has the command',
      '$H run -- true && grep -q "\\"true\\"" "$HOME"/.local/state/holdfast/journal.jsonl',
    ),
    around(
      'the workspace of one session is not that of another',
      'mkdir -p ../second && cd ../second && $H run -- sh -c "! test -e \\"$W/notes.txt\\""',
    ),
    beside('platform', '`fargate`, `alpine_env_inject`, Docker, macOS, Windows, Lima and WSL2'),
    beside('elsewhere', '`soft_delete`, `policygen`, `report`, `db_postgres`, `network_redirect`, approvals'),
    beside('form', '`agentsh_redirect`: another command in the place of one that was asked for'),
    beside('inner', '6,634 unit tests of its packages'),
  ],
};
