import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/plan/types.ts';
import { Places } from './lib/plain-box.ts';

const python = (text: string): readonly string[] => ['python3', '-c', text];

/** Landlock and seccomp alone: no supervisor answers anything here. */
describe('the kernel’s part of a box without namespaces', () => {
  test('the workspace is writable, the system is readable, and nothing else opens', async () => {
    using places = new Places();
    writeFileSync(join(places.outside, 'secret'), 'secret');
    const { output } = await places.script(`
      echo mine > here && cat here
      cat /etc/hostname > /dev/null && echo system
      cat ${places.outside}/secret; ls ${places.outside}; ls /; ls /tmp; ls /proc
      echo x > ${places.outside}/new; echo x > /etc/holdfast-new; mkdir ${places.outside}/d; rm ${places.outside}/secret
      mv here ${places.outside}/; ln here ${places.outside}/hard; cat /proc/self/environ; echo x > /proc/self/oom_score_adj
      echo x > "$TMPDIR/t" && cat "$TMPDIR/t"`);
    expect(
      output
        .split('\n')
        .filter((line) => !line.includes('ermission denied') && !line.includes('cross-device'))
        .join(' '),
    ).toBe('mine system x ');
    expect(readdirSync(places.outside)).toEqual(['secret']);
    expect(existsSync('/etc/holdfast-new')).toBe(false);
  });

  test('only the supervisor writes, makes, truncates, moves or removes', async () => {
    using places = new Places();
    writeFileSync(join(places.workspace, 'there'), 'there');
    const { output } = await places.script(
      `
      cat there; echo; cp /bin/true "$TMPDIR/t"; echo x > there; echo x > new; mkdir d; ln there hard; ln -s there soft; mkfifo p; mv there away; rm there
      python3 -c 'import os, socket; os.truncate("there", 0)'; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("s")'`,
      { writable: 'by-the-supervisor' },
    );
    expect(
      output
        .split('\n')
        .filter((line) => !/ermission denied|Traceback|^ {2}File/u.test(line))
        .join(' ')
        .trim(),
    ).toBe('there');
    expect(readdirSync(places.workspace)).toEqual(['there']);
    expect(readFileSync(join(places.workspace, 'there'), 'utf8')).toBe('there');
  });

  test('no System V IPC, no message queues, no sockets except Unix ones, and no flags of files', async () => {
    using places = new Places();
    const { output } = await places.run({
      command: python(`
import ctypes, errno, fcntl, os, socket
libc = ctypes.CDLL(None, use_errno=True)
def name(result): return 'open' if result >= 0 else errno.errorcode[ctypes.get_errno()]
print(name(libc.shmget(0, 4096, 0o1600)), name(libc.semget(0, 1, 0o1600)), name(libc.msgget(0, 0o1600)), name(libc.mq_open(b'/x', os.O_RDWR | os.O_CREAT, 0o600, None)))
for family in (1, 2, 10, 16, 17, 40):
  try: socket.socket(family, socket.SOCK_STREAM if family != 16 else socket.SOCK_RAW).close(); print('open')
  except OSError as error: print(errno.errorcode[error.errno])
try: fcntl.ioctl(os.open('/etc/hostname', os.O_RDONLY), 0x40086602, b'\\0' * 8)
except OSError as error: print(errno.errorcode[error.errno])
`),
    });
    expect(output.trim().split(/\s+/u)).toEqual([
      'ENOSYS',
      'ENOSYS',
      'ENOSYS',
      'ENOSYS',
      'open',
      ...Array<string>(5).fill('EAFNOSUPPORT'),
      'EPERM',
    ]);
  });

  test('outside processes can neither be signalled, traced nor steered', async () => {
    using places = new Places();
    const { output } = await places.run({
      command: python(`
import ctypes, errno, os, resource, signal
libc = ctypes.CDLL(None, use_errno=True)
def attempt(act):
  try: act(); return 'open'
  except OSError as error: return errno.errorcode[error.errno]
other = ${process.pid}
keeper = os.getppid()
for pid in (other, keeper):
  print(attempt(lambda: os.kill(pid, 0)), attempt(lambda: signal.pidfd_send_signal(os.pidfd_open(pid), 0)), attempt(lambda: resource.prlimit(pid, resource.RLIMIT_NOFILE, (64, 64))))
  print(attempt(lambda: os.sched_setaffinity(pid, {0})), attempt(lambda: os.setpriority(os.PRIO_PROCESS, pid, 19)), attempt(lambda: os.setpriority(os.PRIO_USER, os.getuid(), 19)))
  print(attempt(lambda: open('/proc/%d/mem' % pid, 'rb')), attempt(lambda: open('/proc/%d/environ' % pid, 'rb')), attempt(lambda: open('/proc/%d/cmdline' % pid, 'rb')), attempt(lambda: os.readlink('/proc/%d/cwd' % pid)))
print(attempt(lambda: os.kill(os.getpid(), 0)))
`),
    });
    const refused = ['EPERM', 'EPERM', 'EPERM', 'EPERM', 'EPERM', 'EPERM', 'EACCES', 'EACCES', 'EACCES', 'EACCES'];
    expect(output.trim().split(/\s+/u)).toEqual([...refused, ...refused, 'open']);
  });

  test('an abstract socket of the host cannot be connected to', async () => {
    using places = new Places();
    const name = `holdfast-plain-${process.pid}`;
    const server = createServer().listen(`\0${name}`);
    const { output } = await places.run({
      command: python(`
import socket, errno
try: socket.socket(socket.AF_UNIX).connect('\\0${name}'); print('open')
except OSError as error: print(errno.errorcode[error.errno])
own = socket.socket(socket.AF_UNIX); own.bind('\\0${name}-own'); own.listen(); socket.socket(socket.AF_UNIX).connect('\\0${name}-own'); print('own')`),
    });
    server.close();
    expect(output.trim().split('\n')).toEqual(['EPERM', 'own']);
  });

  test('no terminal except its own, and no shared memory', async () => {
    using places = new Places();
    const { output } = await places.script(
      'ls /dev/pts; echo x > /dev/shm/holdfast-x; for t in 0 1 2 ptmx; do true < /dev/pts/$t; done; echo x > /dev/null && head -c 1 /dev/zero | wc -c',
    );
    expect(
      output
        .split('\n')
        .filter((line) => !/ermission denied|No such file/u.test(line))
        .join(' ')
        .trim(),
    ).toBe('1');
    expect(existsSync('/dev/shm/holdfast-x')).toBe(false);
  });
});

describe('refusals before the start of a command', () => {
  test('a kernel with less of Landlock than promised', async () => {
    using places = new Places();
    const result = await places.script('touch ran', {
      change: (plan) => ({ ...plan, landlock: { ...plan.landlock, minimumAbi: 99 } }),
    });
    expect(result).toMatchObject({ failure: 'Landlock ABI', exitCode: 125 });
    expect(readdirSync(places.workspace)).toEqual([]);
    expect(existsSync(places.scratch)).toBe(false);
  });

  test.each(['another directory', 'a symlink'] as const)('a granted directory that has become %s', async (what) => {
    using places = new Places();
    const granted = join(places.root, 'granted');
    mkdirSync(granted);
    const mount = places.bind(granted, 'read-write');
    renameSync(granted, `${granted}-before`);
    if (what === 'a symlink') symlinkSync(places.outside, granted);
    else mkdirSync(granted);
    const { failure, exitCode } = await places.script('touch ran', { mounts: [mount] });
    expect([
      failure === 'source changed' || failure === 'source is a symlink' || failure === 'open source',
      exitCode,
    ]).toEqual([true, 125]);
    expect([...readdirSync(places.workspace), ...readdirSync(places.outside)]).toEqual([]);
  });

  test.each<[string, (plan: Plan) => Plan]>([
    ['a staged layer', (plan) => ({ ...plan, keeper: '/layer' })],
    [
      'a mount at another place',
      (plan) => ({
        ...plan,
        mounts: plan.mounts.map((mount) => (mount.kind === 'bind' ? { ...mount, target: '/elsewhere' } : mount)),
      }),
    ],
    ['no Landlock', (plan) => ({ ...plan, landlock: { ...plan.landlock, minimumAbi: 0 } })],
  ])('%s, even if the backend let it through', async (_what, change) => {
    using places = new Places();
    expect(await places.script('touch ran', { change })).toMatchObject({ failure: 'decode plan', exitCode: 125 });
    expect(readdirSync(places.workspace)).toEqual([]);
  });

  test('a private directory that already exists', async () => {
    using places = new Places();
    mkdirSync(places.scratch);
    writeFileSync(join(places.scratch, 'theirs'), 'kept');
    expect(await places.script('touch ran')).toMatchObject({ failure: 'make private directory', exitCode: 125 });
    expect(readFileSync(join(places.scratch, 'theirs'), 'utf8')).toBe('kept');
    rmSync(places.scratch, { recursive: true });
  });
});
