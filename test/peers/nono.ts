import { around, beside, otherwise, permitted, type PeerSuite, refused } from './case.ts';

const secretPlaces = [
  '.ssh/id_rsa',
  '.aws/credentials',
  '.kube/config',
  '.docker/config.json',
  '.azure/token.json',
  '.config/gcloud/token.json',
  '.gnupg/key',
  '.password-store/entry.gpg',
  '.zshrc',
  '.bash_profile',
  '.profile',
  '.env',
  '.envrc',
  '.zsh_history',
  '.bash_history',
];
const injected = [
  'LD_PRELOAD',
  'DYLD_INSERT_LIBRARIES',
  'LD_LIBRARY_PATH',
  'PYTHONSTARTUP',
  'NODE_OPTIONS',
  'PERL5OPT',
  'OP_SERVICE_ACCOUNT_TOKEN',
  'OP_SESSION_my',
];
const systemPlaces = ['/usr/bin', '/etc', '/usr/lib', '/lib'];
const harmless = ['rm f', 'rmdir d', 'chmod 777 f', 'dd if=/dev/zero of=g bs=1 count=1 status=none'];

export const nono: PeerSuite = {
  peer: 'nono',
  tests: 'always-further/nono, `tests/integration`, and its advisories',
  cases: [
    permitted('read in a granted directory', 'cat "$HOME/data/visible.txt"'),
    permitted('read far below it', 'cat "$HOME/data/deep/er/visible.txt"'),
    permitted('write in a granted directory', 'echo ours > "$HOME/shared/new" && test -f "$HOME/shared/new"'),
    permitted('write far below it', 'echo ours > "$HOME/shared/nested/deep.txt"'),
    refused('write where reading is granted', 'echo planted > "$HOME/data/planted"'),
    permitted('read a single granted file', 'cat "$HOME/single.txt"'),
    refused('write to a file that is granted for reading', 'echo planted > "$HOME/single.txt"'),
    permitted('several grants at once', 'cat "$HOME/data/visible.txt" "$HOME/single.txt" && touch "$HOME/shared/y"'),
    permitted('a grant of a directory and of one below', 'touch "$HOME/shared/nested/x" "$HOME/shared/x2"'),
    permitted('a link to a granted directory', 'ln -s "$HOME/data" l && cat l/visible.txt'),
    refused('a link to a place of secrets', 'ln -s "$HOME/.ssh" l && cat l/id_rsa'),
    permitted('a link to a file', 'echo x > t && ln -s t l && cat l'),
    permitted('a link to a link', 'echo x > t && ln -s t l && ln -s l m && cat m'),
    permitted('a relative path', 'mkdir sub && echo x > ./sub/f && cat ./sub/f'),
    permitted('a path with ..', 'mkdir sub && echo x > f && cat sub/../f'),
    permitted('a granted path with spaces', 'cat "$HOME/spaced dir/visible.txt"'),
    around(
      'a grant of a relative path',
      'cd .. && mkdir -p rel && echo x > rel/f && cd "$W" && $H run --read ../rel -- cat ../rel/f',
    ),
    otherwise(
      'A mistyped grant ends the run with one line. A policy file may name paths of other machines.',
      around(
        'warn about a granted path that does not exist, and go on',
        '! $H run --read /nonexistent/path -- true 2> said && grep -q "/nonexistent/path .*does not exist" said',
      ),
    ),
    permitted('a file that does not exist is not found', 'cat nothing 2>&1 | grep -q "No such file"'),
    around(
      'explain that a path of secrets is closed',
      '$H policy explain --json --path "$HOME/.ssh/id_rsa" | grep -q "\\"deny\\"" && $H policy explain --json --path "$HOME/data/visible.txt" | grep -q "\\"allow\\""',
    ),
    around(
      'explain a command and run nothing',
      '$H policy explain -- touch ran-by-explaining > ../explained && test -s ../explained && test ! -e ran-by-explaining',
    ),
    ...injected.map((name) =>
      around(`pass ${name} to no command`, `test -z "$(${name}=x $H run -- printenv ${name})"`),
    ),
    ...['PATH', 'HOME', 'TERM'].map((name) => around(`pass ${name} on`, `test -n "$($H run -- printenv ${name})"`)),
    ...secretPlaces.map((path) => refused(`read ~/${path}`, `cat "$HOME/${path}"`)),
    around(
      'a place of secrets stays closed where a flag grants it',
      '! $H run --read "$HOME/.ssh" -- cat "$HOME/.ssh/id_rsa"',
    ),
    around('and where a flag grants all of the home directory', '! $H run --write "$HOME" -- cat "$HOME/.ssh/id_rsa"'),
    permitted('a granted name that begins like one of secrets', 'cat "$HOME/.sshfoo/visible.txt"'),
    ...['/usr/bin', '/usr/lib', '/lib'].map((path) => permitted(`list ${path}`, `ls ${path}/`)),
    permitted('run /bin/echo', '/bin/echo x'),
    permitted('read /etc/hosts', 'cat /etc/hosts'),
    ...systemPlaces.map((path) => refused(`write to ${path}`, `echo planted > ${path}/planted`, { control: 'root' })),
    permitted('read /proc/self/status', 'cat /proc/self/status'),
    permitted('read /proc/self/maps', 'cat /proc/self/maps'),
    permitted('/proc/self is that of a grandchild', 'sh -c "sh -c \\"cat /proc/self/status\\""'),
    refused('read /proc/1/maps', 'cat /proc/1/maps', { control: 'root' }),
    otherwise(
      '`/sys` is an empty shell of a few files about processors, because toolchains read them.',
      refused('list the devices of the machine in /sys', 'ls /sys/class/ | grep .'),
    ),
    permitted('write to /tmp', 'echo x > /tmp/nono'),
    ...harmless.map((script) =>
      otherwise(
        'What a command does in the workspace is what the box is for; `[commands]` refuses more.',
        permitted(script.split(' ')[0] ?? '', `touch f && mkdir d && ${script}`),
      ),
    ),
    permitted('sudo gains nothing', '! sudo -n true'),
    refused('run a command that the policy denies', 'tac "$W/notes.txt"', { box: 'commands' }),
    refused('run it by a shell', 'sh -c "tac \\"$W/notes.txt\\""', { box: 'commands' }),
    refused('run it by its path', '/usr/bin/tac "$W/notes.txt"', { box: 'commands' }),
    refused('run it as a child of a child', 'env nice sh -c "tac \\"$W/notes.txt\\""', { box: 'commands' }),
    permitted('run what the policy does not deny', 'cat "$W/notes.txt"', { box: 'commands' }),
    refused('reach D-Bus', 'py "talk(socket.AF_UNIX, hosts(\\"bus\\"))"'),
    refused(
      'send to a Unix socket for datagrams',
      'py "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b\\"planted\\", hosts(\\"dgram\\"))"',
    ),
    refused(
      'send over UDP where hosts are open',
      'py "s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(1); s.connect((\\"127.0.0.1\\", int(os.environ[\\"PORT\\"]))); s.send(b\\"hi\\"); assert s.recv(9)"',
      { box: 'network' },
    ),
    refused(
      'reach the open port at another address',
      'py "talk(socket.AF_INET, (\\"127.0.0.3\\", int(os.environ[\\"PORT\\"])))"',
      { box: 'network' },
    ),
    otherwise(
      'Every name gets an address that Holdfast makes up. Nobody outside is asked, and the connection is refused.',
      permitted('look up a name that is not on the list', 'getent ahostsv4 blocked.example | grep "^198[.]1[89][.]"', {
        box: 'network',
      }),
    ),
    ...['DENIED.wild.example', 'denied.Wild.example', 'Denied.Wild.Example'].map((host) =>
      refused(`reach a denied name as ${host}`, `curl -fsS "http://${host}:$PORT/"`, { box: 'network' }),
    ),
    beside('form', '`--net-block` off by default: a network that is open without a policy'),
    beside(
      'elsewhere',
      '`test_audit`, `test_profiles`, `test_policy_queries`, `test_network_proxy`, `test_silent_output`, `why --self`',
    ),
    beside('platform', 'Keychain, `/Library`, `test_nix_paths`, `test_gpu`'),
    beside(
      'inner',
      '`tests/hook`, `test_client_startup`, `test_exec_strategy`: messages and start of its own programs',
    ),
  ],
};
