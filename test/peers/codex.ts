import { around, beside, otherwise, permitted, type PeerSuite, refused } from './case.ts';

const programs: Readonly<Record<string, string>> = {
  curl: 'curl -fsI -m 2 "http://allowed.example:$PORT/"',
  wget: 'wget -qO- -T 2 -t 1 "http://allowed.example:$PORT/"',
  nc: 'nc -z -w 1 127.0.0.1 "$PORT"',
  'bash by /dev/tcp': 'bash -c "echo hi > /dev/tcp/127.0.0.1/$PORT"',
};

export const codex: PeerSuite = {
  peer: 'Codex',
  tests: 'openai/codex, `codex-rs/linux-sandbox/tests`, `codex-rs/exec/tests`',
  cases: [
    permitted('list /bin', 'ls -l /bin/'),
    refused('write to a file of the system’s temporary directory', 'echo planted > "$OUT/planted"'),
    permitted('write to /dev/null', 'echo x > /dev/null'),
    permitted(
      'the smallest set of devices',
      'head -c 8 /dev/urandom | wc -c && head -c 1 /dev/zero > z && ! echo x > /dev/full',
    ),
    otherwise(
      '`/dev/shm` of the box is private, so what is written there stays inside.',
      permitted('write to /dev/shm', 'echo ours > /dev/shm/codex'),
    ),
    permitted('write to a granted root', 'echo ours > "$HOME/shared/x"'),
    permitted('a granted root that does not exist is left out', 'true'),
    permitted('no new privileges', 'grep -q "^NoNewPrivs:.1$" /proc/self/status'),
    around(
      'end a command by a limit of time',
      'printf "version = 1\\n[limits]\\nwall = \\"1s\\"\\n" > holdfast.toml; timeout 10 $H run -- sleep 9; e=$?; rm holdfast.toml; test $e != 0 && test $e != 124',
    ),
    ...Object.entries(programs).map(([name, script]) => refused(`reach the network by ${name}`, script)),
    refused('ping', 'ping -c 1 -W 1 127.0.0.2', { control: 'root', box: 'network' }),
    refused(
      'ssh',
      '! ssh -o BatchMode=yes -o ConnectTimeout=1 -p "$PORT" allowed.example 2>&1 | grep -q "resolve\\|refused\\|denied\\|unreachable\\|permitted"',
    ),
    refused('write to .codex', 'echo planted > "$W/.codex/config.toml"'),
    refused('create .codex for the first time', 'mkdir -p .codex && echo planted > .codex/config.toml'),
    refused('write through a .codex that is a link', 'echo planted > "$W/linked/.codex/config.toml"'),
    refused('put another link in place of that .codex', 'ln -sfn "$W/cases" "$W/linked/.codex"'),
    refused('write to .agents', 'mkdir -p .agents && echo planted > .agents/skill.md'),
    permitted('a protected link that leads nowhere does not stop the start', 'test -L "$W/dangling/.codex"'),
    permitted('git finds the repository from below', 'test "$(git rev-parse --show-toplevel)" = "$W"'),
    permitted('write to a granted path below a hidden one', 'echo ours > "$HOME/closed/open/z"'),
    refused('write to a read-only part of a granted root', 'echo planted > "$HOME/shared/fixed/file.txt"'),
    refused('remove that part', 'rm -rf "$HOME/shared/fixed" && test ! -e "$HOME/shared/fixed"'),
    refused('read what a denied pattern names', 'cat "$HOME/data/customers/secret.txt"'),
    refused(
      'read a file of a denied pattern that came later',
      'mkdir customers && echo x > customers/a && cat customers/a',
    ),
    permitted('read the rest', 'cat "$HOME/data/visible.txt"'),
    otherwise(
      'Programs need no variables: the box has one way out, and it leads to the supervisor.',
      permitted('reach a name without proxy variables', 'env -u HTTP_PROXY curl -fsS "http://allowed.example:$PORT/"', {
        box: 'network',
      }),
    ),
    refused('connect past the proxy', 'bash -c "exec 3<> /dev/tcp/127.0.0.2/$PORT && echo hi >&3"', { box: 'network' }),
    around('a closed pipe of the output ends nothing else', '$H run -- sh -c "yes | head -1" | grep -q y'),
    around('output ends when the command does', 'test "$(timeout 5 $H run -- sh -c "sleep 100 & echo x")" = x'),
    permitted(
      'pairs of Unix sockets',
      'py "a, b = socket.socketpair(); a.send(b\\"ok\\"); assert b.recv(2) == b\\"ok\\""',
    ),
    permitted(
      'pairs of Unix sockets for datagrams',
      'py "a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); a.send(b\\"ok\\"); assert b.recvfrom(9)[0] == b\\"ok\\""',
    ),
    permitted(
      'a lock of several processes in Python',
      'python3 -c "import multiprocessing as m; l = m.Lock(); p = m.Process(target=l.acquire); p.start(); p.join(); exit(p.exitcode)"',
    ),
    permitted('look the own user up', 'python3 -c "import os, pwd; pwd.getpwuid(os.getuid())"'),
    around(
      'the workspace counts, and not the directory of the command',
      'cd .. && mkdir -p elsewhere && cd elsewhere && { $H run --workspace "$W" -- sh -c "echo planted > forbidden"; test ! -e forbidden; } && $H run --workspace "$W" -- touch "$W/made-there" && test -e "$W/made-there"',
    ),
    refused('trace a process', 'py "ok(L.ptrace(16, os.getppid(), 0, 0))"', { control: 'none' }),
    refused(
      'read the memory of another process',
      'py "b = ctypes.create_string_buffer(16); ok(L.process_vm_readv(os.getppid(), b, 1, b, 1, 0))"',
      { control: 'none' },
    ),
    permitted('no core files', 'test "$(ulimit -c)" = 0'),
    ...['LD_PRELOAD', 'LD_AUDIT', 'LD_LIBRARY_PATH'].map((name) =>
      around(`pass ${name} to no command`, `test -z "$(${name}=/nowhere $H run -- printenv ${name})"`),
    ),
    beside('elsewhere', '`sandbox_blocks_getent`: the attacks `net-dns-*` try each way to a name server'),
    beside('platform', '`seatbelt`, `windows-sandbox-rs`'),
    beside('inner', 'Unit tests of `bwrap.rs`, `linux_run_main.rs`, `proxy_routing.rs`, `mounts.rs`'),
    beside('elsewhere', '`execpolicy`, `shell-command`: rules and parsers of command lines'),
    beside('elsewhere', '`managed_proxy` with hooks, credentials and attribution'),
  ],
};
