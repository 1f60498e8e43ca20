import { around, beside, otherwise, permitted, type PeerSuite, refused } from './case.ts';

const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];

export const bubblewrapTests: PeerSuite = {
  peer: 'bubblewrap',
  tests: 'containers/bubblewrap, `tests/`',
  cases: [
    around('print the help', '$H run --help | grep -q usage'),
    permitted(
      '/proc is mounted, and is that of the box',
      'test "$(readlink /proc/self/ns/pid)" = "$(readlink /proc/$$/ns/pid)" && test -r /proc/self/mountinfo',
    ),
    permitted('a new /dev with the usual nodes', `for d in ${devices.join(' ')}; do test -c /dev/$d || exit 1; done`),
    permitted(
      '/dev leads to the standard streams',
      'for d in stdin stdout stderr fd; do test -L /dev/$d || exit 1; done',
    ),
    permitted(
      'a pseudo terminal can be made',
      'py "a, b = os.openpty(); os.write(b, b\\"x\\"); assert os.read(a, 1) == b\\"x\\""',
    ),
    permitted('only loopback in the network', 'test "$(tail -n +3 /proc/net/dev | cut -d : -f 1 | tr -d " ")" = lo'),
    refused('read /etc/shadow', 'cat /etc/shadow', { control: 'root' }),
    refused('read a file in a directory that nobody granted', 'cat "$OUT/secret.txt"'),
    permitted('a grant that leads through a link', 'cat "$HOME/link-to-target/visible.txt"'),
    otherwise(
      'The first process belongs to the launcher, which sweeps when the command ends.',
      permitted('run as process 1', 'test $$ != 1'),
    ),
    otherwise(
      'User namespaces open much of the kernel to attacks, so a box makes none.',
      refused('build a sandbox inside', 'unshare -Ur true'),
    ),
    refused('mount /proc in a namespace inside', 'unshare -Urpf --mount-proc true'),
    around(
      'say which granted file is not there',
      '! $H run --read /source-enoent -- true 2> said && grep -q "/source-enoent .*does not exist" said',
    ),
    permitted('have no capability in any set', '! grep "^Cap" /proc/self/status | grep -v "^Cap[A-Za-z]*:.0*$"'),
    refused('gain a capability', 'setpriv --ambient-caps +kill --inh-caps +kill true', { control: 'root' }),
    around(
      'end when the parent is killed',
      'sh -c "$H run -- sh -c \\"echo > alive; sleep 4917\\" & echo \\$! > pid; wait" & p=$!; while ! test -e alive; do sleep 0.02; done; kill -9 "$(cat pid)" "$p"; sleep 0.3; ! pgrep -f "^sleep 4917"',
    ),
    around('run after --', 'test "$($H run -- sh -c "echo hello")" = hello'),
    around(
      'run a program with a name like an option',
      'mkdir -p bin; printf "#!/bin/sh\\necho hello\\n" > bin/--unwise; chmod +x bin/--unwise; test "$($H run -- sh -c "PATH=\\$PWD/bin:\\$PATH; exec -- --unwise")" = hello || test "$($H run -- ./bin/--unwise)" = hello',
    ),
    around('take no option after --', '! $H run -- --write /tmp sh -c "echo no"'),
    around('take the options of the command for its own', 'test "$($H run -- echo --read x)" = "--read x"'),
    around('start in the directory of the caller', 'mkdir -p sub && cd sub && test "$($H run -- pwd)" = "$PWD"'),
    around('pass no variable on that is not listed', 'test -z "$(UNHEARD=1 $H run -- printenv UNHEARD)"'),
    around('pass a variable on that is listed', 'test "$(UNHEARD=1 $H run --env UNHEARD -- printenv UNHEARD)" = 1'),
    around(
      'leave no descriptor of the caller open',
      'exec 9< /etc/hostname; $H run -- sh -c "! test -e /proc/self/fd/9"',
    ),
    around('pass the input on', 'test "$(printf abc | $H run -- cat)" = abc'),
    around('run without any standard stream', '$H run -- true <&- >&- 2>&-'),
    permitted('a private /tmp', 'test ! -e "$OUT" && echo ours > /tmp/x && cat /tmp/x'),
    permitted('/tmp of mode 1777', 'test "$(stat -c %a /tmp)" = 1777'),
    permitted('a private /dev/shm that can be written', 'echo ours > /dev/shm/peers && cat /dev/shm/peers'),
    refused('mount a file system', 'mkdir m && mount -t tmpfs none m', { control: 'root' }),
    refused('mount a read-only place again, writable', 'mount -o remount,rw,bind /usr', { control: 'none' }),
    refused('unmount what lies over a protected file', 'umount -l "$W/.git/config"', { control: 'none' }),
    refused('set the name of the host', 'hostname planted', { control: 'none' }),
    refused('write below /proc/sys', 'echo 1 > /proc/sys/kernel/sysrq', { control: 'none' }),
    refused('trigger /proc/sysrq-trigger', 'echo h > /proc/sysrq-trigger', { control: 'none' }),
    refused('chroot', 'py "os.chroot(\\".\\")"', { control: 'root' }),
    permitted('chmod in the workspace', 'touch f && chmod 600 f && test "$(stat -c %a f)" = 600'),
    permitted('prctl', 'py "ok(L.prctl(15, b\\"peers\\", 0, 0, 0))"'),
    permitted(
      'listen',
      'py "s = socket.create_server((\\"127.0.0.1\\", 0)); socket.create_connection(s.getsockname())"',
    ),
    refused(
      'clone3 with a new user namespace',
      'py "call(435, struct.pack(\\"8Q\\", 0x10000000, 0, 0, 0, 17, 0, 0, 0), 64) or os._exit(0)"',
      { control: 'none' },
    ),
    permitted(
      'threads, where clone3 is refused',
      'py "t = threading.Thread(target=lambda: open(\\"made\\", \\"w\\").close()); t.start(); t.join(); assert os.path.exists(\\"made\\")"',
    ),
    permitted(
      'TIOCNOTTY is no control',
      'py "assert fails(lambda: fcntl.ioctl(0, 0x5422)) in (errno.ENOTTY, errno.EBADF)"',
    ),
    refused('TIOCSTI, into its own terminal', 'py "a, b = pty(); fcntl.ioctl(b, 0x5412, b\\"x\\")"', {
      control: 'none',
    }),
    refused(
      'TIOCSTI with high bits, as of CVE-2019-10063',
      'py "a, b = pty(); ok(L.ioctl(b, ctypes.c_ulong(0x100005412), b\\"x\\"))"',
      { control: 'none' },
    ),
    refused('TIOCLINUX', 'py "a, b = pty(); fcntl.ioctl(b, 0x541C, b\\"\\\\x02\\")"', { control: 'none' }),
    beside(
      'builder',
      '`--perms`, `--size`, `--symlink`, `--file`, `--overlay`, `--bind-try`, `--args` and their orders',
    ),
    beside('builder', '`--seccomp` and `--add-seccomp-fd`: programs of filters from the caller'),
    beside('builder', '`test-specifying-userns`, `-pidns`, `-netns`: namespaces from the caller'),
    beside('form', '`--lock-file`, `--info-fd`, `--block-fd`, `--sync-fd`: descriptors of the caller in the box'),
    beside('inner', '`test-utils.c`, `test-helper.py`, `use-as-subproject`'),
    beside('kernel', '`test-mount-api.py`, `test-single-pivot.py`: which calls mount and change the root'),
  ],
};
