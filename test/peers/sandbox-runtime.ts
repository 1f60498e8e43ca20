import { around, beside, otherwise, permitted, type PeerSuite, refused } from './case.ts';

const startFiles = [
  '.bashrc',
  '.bash_profile',
  '.gitconfig',
  '.zshrc',
  '.zprofile',
  '.profile',
  '.ripgreprc',
  '.mcp.json',
  '.git/config',
  '.git/hooks/pre-commit',
  '.vscode/settings.json',
  '.idea/workspace.xml',
  '.claude/commands/test.md',
  '.claude/agents/test.md',
];
const gitFiles = ['notes.txt', '.git/objects/object', '.git/refs/heads/side', '.git/index'];
const quoted: Readonly<Record<string, string>> = {
  parentheses: 'a (b)',
  'a single quote': "it's",
  backticks: 'run `id` by hand',
  'a variable': 'costs $HOME',
  'many of them': `"x (y)" — 'z' $(id) \\ & ;`,
};
const inShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

export const sandboxRuntime: PeerSuite = {
  peer: 'sandbox-runtime',
  tests: 'anthropic-experimental/sandbox-runtime, `test/`',
  cases: [
    ...startFiles.map((path) => refused(`write to ${path}`, `echo planted > "$W/${path}"`)),
    ...gitFiles.map((path) => permitted(`write to ${path}`, `echo ours > "$W/${path}"`)),
    otherwise(
      'Every file below `.claude` can steer the agent, so all of them are protected.',
      refused('write to another file of .claude', 'echo planted > "$W/.claude/other.txt"'),
    ),
    otherwise(
      'Git runs nothing that `.gitmodules` names, and `git submodule add` has to write it.',
      permitted('write to .gitmodules', 'echo "# ours" > "$W/.gitmodules"'),
    ),
    permitted('change .git/config where the policy releases it', 'git -C "$W" config a.b c', { box: 'released' }),
    refused('change a hook where only .git/config is released', 'echo planted > "$W/.git/hooks/pre-commit"', {
      box: 'released',
    }),
    refused('create a protected file that does not exist', 'echo planted > .envrc'),
    refused('create one in a directory that does not exist either', 'mkdir -p new && echo planted > new/guarded.json'),
    refused('create one far below', 'mkdir -p a/b/c && echo planted > a/b/c/guarded.json'),
    otherwise(
      'A path without wildcards takes effect if it exists at the start; `**/name` also holds for later ones.',
      permitted(
        'create the parent of a protected path that does not exist',
        'mkdir -p "$W/later" && echo ours > "$W/later/absent.txt"',
      ),
    ),
    refused('move .git aside and build another', 'mv "$W/.git" "$W/moved" && mkdir "$W/.git"'),
    refused('move the directory above a nested repository aside', 'mv "$W/nested/.git" "$W/nested/moved"'),
    refused('change the configuration of a nested repository', 'echo planted >> "$W/nested/.git/config"'),
    refused('remove a protected directory', 'rm -r "$W/.vscode"'),
    refused('move a protected directory', 'mv "$W/.vscode" "$W/moved"'),
    refused('put a link in the place of a protected file', 'ln -sf /dev/null "$W/.bashrc"'),
    permitted('git init where there is no .git', 'git init -q . && git status --short', { box: 'bare' }),
    permitted('a command where .git is a file', 'mkdir tree && cd tree && git -C "$W" worktree list && true'),
    around('leave no empty files behind', 'ls -A > ../before; $H run -- true && ls -A | cmp - ../before'),
    around(
      'a second box that ends early lifts nothing of the first',
      '$H run -- sh -c "sleep 0.4; ! echo planted > .bashrc" & $H run -- true && wait $!',
    ),
    refused('read a file in a denied directory', 'cat "$HOME/data/private/secret.txt"'),
    otherwise(
      'A denied directory stays denied: `deny` is stronger than any grant, in every layer.',
      refused('read a granted directory below a denied one', 'cat "$HOME/data/private/open/secret.txt"'),
    ),
    permitted('read a granted directory below a hidden one', 'cat "$HOME/closed/open/visible.txt"'),
    refused('read beside that directory', 'cat "$HOME/closed/secret.txt"'),
    permitted(
      'write where only the directory above is hidden',
      'echo ours > "$HOME/closed/open/x" && cat "$HOME/closed/open/x"',
    ),
    permitted('remove below a hidden directory', 'touch "$HOME/closed/open/y" && rm "$HOME/closed/open/y"'),
    refused('move the directory above a protected file aside', 'mv "$HOME/shared/config" "$HOME/shared/moved"'),
    refused('write outside of the workspace', 'echo planted > "$OUT/planted"'),
    permitted('write in the workspace', 'echo ours > allowed.txt && test "$(cat allowed.txt)" = ours'),
    otherwise(
      'Start files of the home directory are hidden: they often hold secrets.',
      refused('read ~/.bashrc', 'cat "$HOME/.bashrc"'),
    ),
    refused('write through a link to a file outside', 'ln -s "$OUT/planted" link && echo planted > link'),
    refused('write through a link to a directory outside', 'ln -s "$OUT" dir && echo planted > dir/planted'),
    refused('write through a link to /etc', 'ln -s /etc etc && echo planted > etc/planted', { control: 'root' }),
    around(
      'write through a link to the directory above',
      'ln -s .. up; $H run -- sh -c "echo planted > up/planted"; rm up; test ! -e ../planted',
    ),
    permitted(
      'write through a link that stays inside',
      'mkdir real && ln -s real link && echo ours > link/x && test -s real/x',
    ),
    permitted('write where the grant ends with a slash', 'echo ours > "$HOME/slash/x"'),
    otherwise(
      'A run as root is root inside too; it has no capability there.',
      permitted(
        'a copy of the shell with the set-user-ID bit gains nothing',
        'cp /bin/sh s && { chmod u+s s || true; } && test "$(./s -c "grep CapEff /proc/self/status" | cut -f 2)" = 0000000000000000',
      ),
    ),
    permitted('sudo and su gain nothing', '! sudo -n true && ! su nobody -s /bin/true'),
    permitted('a FIFO in the workspace', 'mkfifo pipe && test -p pipe'),
    refused('a hard link to /etc/passwd', 'ln /etc/passwd mine || { cd /etc && ln passwd passwd-planted; }', {
      control: 'root',
    }),
    refused('a device node', 'mknod device c 1 3', { control: 'root' }),
    permitted('a pipeline', 'test "$(printf "a\\nb\\n" | grep b)" = b'),
    permitted('see few processes', 'test "$(ls /proc | grep -c "^[0-9]")" -lt 30'),
    permitted('the first process is the supervisor of the box', 'grep -q holdfast /proc/1/comm'),
    permitted(
      'no process of the host in /proc',
      'for p in /proc/[0-9]*; do ! tr "\\0" " " < "$p/cmdline" | grep -q host-of-peers || exit 1; done',
    ),
    ...[0, 1, 42, 127].map((code) =>
      around(`pass on exit status ${code}`, `$H run -- sh -c "exit ${code}"; test $? = ${code}`),
    ),
    around('pass on the end by a signal', '$H run -- sh -c "kill -TERM \\$\\$"; test $? = 143'),
    around(
      'pass SIGTERM on to the command',
      '$H run -- sh -c "echo > begun; exec sleep 10" & p=$!; until test -e begun; do sleep 0.02; done; kill -TERM $p; wait $p; test $? = 143',
    ),
    around('an orphaned grandchild changes nothing', '$H run -- sh -c "(sleep 0.1 &) ; exit 7"; test $? = 7'),
    around(
      'end although a process in the background runs',
      'timeout 5 $H run -- sh -c "sleep 100 & exit 5"; test $? = 5',
    ),
    around(
      'processes in the background end with the box',
      '$H run -- sh -c "(while :; do echo x >> beats; sleep 0.05; done) & sleep 0.2"; n=$(wc -l < beats); sleep 0.3; test "$n" = "$(wc -l < beats)"',
    ),
    around(
      'everything ends when the sandbox is killed',
      '$H run -- sh -c "while :; do echo x >> ticks; sleep 0.05; done" & p=$!; until test -s ticks; do sleep 0.02; done; kill -9 $p; sleep 0.3; n=$(wc -l < ticks); sleep 0.3; test "$n" = "$(wc -l < ticks)"',
    ),
    otherwise(
      'Programs need Unix sockets among themselves. The box has no way to one of the host.',
      permitted('create a Unix socket', 'py "socket.socket(socket.AF_UNIX)"'),
    ),
    otherwise(
      'As for streams.',
      permitted('create a Unix socket for datagrams', 'py "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)"'),
    ),
    refused('connect to a Unix socket of the host', 'py "talk(socket.AF_UNIX, hosts(\\"host.sock\\"))"'),
    permitted('create a TCP socket', 'py "socket.socket(socket.AF_INET)"'),
    permitted('create a UDP socket', 'py "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)"'),
    permitted('create an IPv6 socket', 'py "socket.socket(socket.AF_INET6)"'),
    refused('io_uring_setup', 'py "call(425, 4, ctypes.create_string_buffer(256))"'),
    permitted(
      'io_uring_enter is refused before its descriptor is looked at',
      'py "assert failure(426, 99, 0, 0, 0, 0, 0) in (errno.EPERM, errno.ENOSYS)"',
    ),
    refused('attach to the first process', 'py "ok(L.ptrace(16, 1, 0, 0))"', { control: 'none' }),
    refused('open the memory of the first process', 'py "open(\\"/proc/1/mem\\", \\"r+b\\")"', { control: 'root' }),
    refused(
      'write to the memory of the first process',
      'py "b = ctypes.create_string_buffer(16); ok(L.process_vm_writev(1, b, 1, b, 1, 0))"',
      { control: 'none' },
    ),
    permitted(
      'have no capability',
      'grep -q "^CapEff:.0*$" /proc/self/status && grep -q "^CapAmb:.0*$" /proc/self/status',
    ),
    refused('unmount /proc', 'umount -l /proc', { control: 'root' }),
    around(
      'start nothing under a policy that is no policy',
      'echo "version = " > holdfast.toml; ! $H run -- touch ran; e=$?; rm holdfast.toml; test $e = 0 && test ! -e ran',
    ),
    around(
      'start nothing under an unknown key',
      'printf "version = 1\\n[files]\\nreadd = []\\n" > holdfast.toml; ! $H run -- touch ran; e=$?; rm holdfast.toml; test $e = 0 && test ! -e ran',
    ),
    ...Object.entries(quoted).map(([name, text]) =>
      around(`pass ${name} on as it is`, `test "$($H run -- printf %s ${inShell(text)})" = ${inShell(text)}`),
    ),
    around('pass options of the command on', `test "$($H run -- printf -- '-n %s' x)" = '-n x'`),
    around('pass JSON on', `test "$($H run -- sh -c 'echo '\\''{"a":{"b":[1]}}'\\''')" = '{"a":{"b":[1]}}'`),
    around('command substitution in a shell', `test "$($H run -- sh -c 'echo $(echo 1 2 3 | wc -w)')" = 3`),
    around('say that no command was given', '! $H run 2> ../said && test -s ../said'),
    around('print nothing of its own', 'test "$($H run -- echo x 2>&1)" = x'),
    permitted('TMPDIR is there, and can be written', 'test -w "$TMPDIR" && mktemp'),
    permitted('reach a name on the list', 'curl -sS "http://allowed.example:$PORT/"', { box: 'network' }),
    permitted('reach a subdomain of a wildcard', 'curl -sS "http://api.wild.example:$PORT/"', { box: 'network' }),
    ...['wild.example', 'malicious-wild.example', 'wildusercontent.example', 'blocked.example'].map((host) =>
      refused(`reach ${host}, which no pattern names`, `curl -fsS "http://${host}:$PORT/"`, { box: 'network' }),
    ),
    refused('reach a name on another port', 'curl -fsS "http://allowed.example:$SECOND/"', { box: 'network' }),
    refused('reach a number that is not on the list', 'curl -fsS "http://127.0.0.2:$PORT/"', { box: 'network' }),
    refused('reach anything while the network is closed', 'curl -fsS "http://allowed.example:$PORT/"'),
    refused('read a secret of the environment', 'test -n "$GITHUB_TOKEN"'),
    refused('read a file of credentials', 'cat "$HOME/.aws/credentials"'),
    beside(
      'inner',
      '`config-validation`, `glob-expand`, `quote-args`, `domain-pattern`, `bwrap-argv`, `mount-plan-record` and others of its own modules',
    ),
    beside('platform', '`macos-*`, `winsrt`, `windows-*`, `mxc`'),
    beside('form', '`docker-weak-sandbox`, `filesystem-disabled`, `host-network`: modes that enforce less'),
    beside(
      'elsewhere',
      '`credential-mask-*`, `credmask-*`, `tls-terminate-proxy`, `parent-proxy`, `java-proxy-agent`, `mux-proxy`, `socks-*`, `transparent-*`, `update-config`, `control-fd`',
    ),
  ],
};
