import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Architecture } from '../src/plan/seccomp/architecture.ts';
import { seccompFilter } from '../src/plan/seccomp/filter.ts';

const architecture = process.arch as Architecture;
const { EPERM, ENOSYS, EPROTONOSUPPORT, EAFNOSUPPORT } = constants.errno;
const killed = -constants.signals.SIGSYS;

/** The marked filter's answers in place of each errno: numbers that no kernel call returns. */
const marks: Readonly<Record<number, number>> = {
  [EPERM]: 201,
  [ENOSYS]: 202,
  [EPROTONOSUPPORT]: 203,
  [EAFNOSUPPORT]: 204,
};

let scratch: string;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'holdfast-seccomp-'));
  for (const name of ['load', 'probe']) {
    execFileSync('cc', ['-O1', '-o', join(scratch, name), join(import.meta.dirname, 'fixtures/seccomp', `${name}.c`)]);
  }
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A kernel without 32-bit calls (`ia32_emulation=off`) ends their caller before any filter runs. */
function closedHere(): Readonly<Record<string, number>> {
  const { i386, ...others } = { ...closed, ...(architecture === 'x64' ? closedOnX64 : {}) } as Record<string, number>;
  return i386 === undefined || probe(undefined)['i386'] === -constants.signals.SIGSEGV ? others : { ...others, i386 };
}

describe.runIf(process.platform === 'linux')('the filter in the kernel', () => {
  test('closes exactly the listed calls, with their errno', () => {
    const answers = probe(seccompFilter({ architecture, ptrace: 'deny' }).bytes);
    expect(answers).toMatchObject(closedHere());
    expect(answers).toMatchObject(open);
  });

  // Without privileges, the kernel itself answers EPERM to many of these calls. The marks tell the answers apart.
  test('makes every refusal itself', () => {
    const answers = probe(mark(seccompFilter({ architecture, ptrace: 'deny' }).bytes));
    const refusals = closedHere();
    const marked = Object.entries(refusals).map(([name, answer]) => [name, marks[answer] ?? answer]);
    expect(answers).toMatchObject(Object.fromEntries(marked));
    const own = Object.entries(answers).filter(
      ([, answer]) => answer === killed || Object.values(marks).includes(answer),
    );
    expect(own.map(([name]) => name).toSorted()).toEqual(Object.keys(refusals).toSorted());
  });

  test('is the cause of refusals: the same calls answer differently without it', () => {
    const answers = probe(undefined);
    for (const name of withoutPrivilege) expect([name, answers[name]]).not.toEqual([name, closed[name]]);
  });

  test('leaves tracing to the kernel with `ptrace = "allow"`', () => {
    const answers = probe(mark(seccompFilter({ architecture, ptrace: 'allow' }).bytes));
    for (const name of tracing) expect(Object.values(marks)).not.toContain(answers[name]);
    expect(answers['bpf']).toBe(marks[EPERM]);
  });
});

describe.runIf(process.platform === 'linux')('programs under the filter', () => {
  test.each<[string, readonly string[]]>([
    ['ls', ['ls', '-l', '/usr/bin']],
    ['a pipeline', ['sh', '-c', 'find /usr/include -name "*.h" | sort | xargs wc -l | tail -1']],
    ['background jobs', ['bash', '-c', 'set -m; sleep 0.01 & true & wait; kill -0 $$ && echo $(jobs | wc -l)']],
    [
      'git',
      [
        'sh',
        '-c',
        'git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm x --allow-empty && git status',
      ],
    ],
    ['a compiler', ['sh', '-c', 'echo "int main(){return 7;}" > x.c && cc x.c -o x && ./x; echo $?']],
    [
      'tar',
      ['sh', '-c', 'tar cf a.tar /usr/include/linux 2>/dev/null && mkdir o && tar xpf a.tar -C o && find o | wc -l'],
    ],
    ['node', [process.execPath, '-e', nodeProgram()]],
    ['python3', ['python3', '-c', pythonProgram()]],
  ])('%s does the same as without it', (_, command) => {
    const bare = inAnyOrder(command, directory());
    const filtered = inAnyOrder([join(scratch, 'load'), filterFile(), ...command], directory());
    expect(bare.status).toBe(0);
    expect(filtered).toEqual(bare);
  });
});

const closed: Readonly<Record<string, number>> = {
  ...each(EPERM, 'bpf perf_event_open userfaultfd add_key request_key keyctl fanotify_init'),
  ...each(
    EPERM,
    'kexec_load finit_module delete_module reboot swapon acct settimeofday clock_settime sethostname syslog',
  ),
  ...each(
    EPERM,
    'open_by_handle_at prctl/mm clone/newuser clone/newns-high unshare/newuser unshare/newtime unshare/high',
  ),
  ...each(EPERM, 'setns mount umount2 pivot_root chroot open_tree move_mount fsopen mount_setattr open_tree_attr'),
  ...each(
    EPERM,
    'ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp personality/page-zero personality/page-zero-high personality/exec personality/uname26 personality/bsd',
  ),
  ...each(EPERM, 'ioctl/sti ioctl/sti-high ioctl/linux ioctl/setd socket/raw socket/raw-high socket/packet-type'),
  ...each(EPERM, 'fchmod/setuid fchmodat/setuid fchmodat2/setuid openat/setuid mknodat/whiteout'),
  ...each(ENOSYS, 'io_uring_setup vmsplice name_to_handle_at memfd_secret clone3 openat2 gap future'),
  ...each(EAFNOSUPPORT, 'socket/packet socket/alg socket/vsock socket/vsock-high socketpair/tipc'),
  ...each(
    EPROTONOSUPPORT,
    'socket/audit socket/netfilter socket/xfrm socket/uevent socket/generic socket/ping socket/mptcp',
  ),
};

const closedOnX64: Readonly<Record<string, number>> = {
  ...each(EPERM, 'chmod/setuid open/setuid creat/setuid mknod/setuid mknod/whiteout iopl'),
  ...each(ENOSYS, 'modify_ldt x32-without-bit'),
  ...each(killed, 'x32 i386'),
};

const open = each(
  0,
  'prctl/name clone/thread-flags unshare/files personality/query personality/linux32 personality/no-randomize socket/unix socket/tcp socket/udp ' +
    'socket/route socketpair/unix fchmod/plain fchmod/setgid openat/plain openat/no-create mknodat/fifo',
);

const tracing = ['ptrace', 'process_vm_readv', 'process_vm_writev', 'pidfd_getfd', 'kcmp'];

/** Closed calls that an ordinary user can make on any kernel, and also in a container. */
const withoutPrivilege =
  'ioctl/sti ioctl/sti-high ioctl/linux ioctl/setd socket/audit fchmod/setuid fchmodat/setuid openat/setuid'.split(' ');

function each(answer: number, names: string): Readonly<Record<string, number>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, answer]));
}

/** The errno of every call of the probe, 0 for success. Without bytes, there is no filter. */
function probe(bytes: Uint8Array | undefined): Readonly<Record<string, number>> {
  const program = join(scratch, 'probe');
  const cwd = directory();
  const { status, stdout } =
    bytes === undefined ? run([program], cwd) : run([join(scratch, 'load'), write(bytes), program], cwd);
  expect(status).toBe(0);
  return Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => [line.split(' ')[0], Number(line.split(' ')[1])]),
  );
}

/** Replaces the errno in every `return SECCOMP_RET_ERRNO` instruction by its mark. */
function mark(bytes: Uint8Array): Uint8Array {
  const marked = bytes.slice();
  const view = new DataView(marked.buffer);
  for (let at = 0; at < marked.length; at += 8) {
    const answer = view.getUint32(at + 4, true);
    const isErrno = view.getUint16(at, true) === 0x06 && (answer & 0xffff_0000) === 0x0005_0000;
    if (isErrno) view.setUint32(at + 4, 0x0005_0000 | (marks[answer & 0xffff] ?? 0), true);
  }
  return marked;
}

function filterFile(): string {
  return write(seccompFilter({ architecture, ptrace: 'deny' }).bytes);
}

function write(bytes: Uint8Array): string {
  const file = join(mkdtempSync(join(scratch, 'filter-')), 'filter');
  writeFileSync(file, bytes);
  return file;
}

/** A new directory with the same name each time, because programs print it. */
function directory(): string {
  const path = join(scratch, 'work');
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
  return path;
}

function run(
  [program, ...args]: readonly string[],
  cwd: string,
): { readonly status: number | null; readonly stdout: string } {
  const { status, stdout } = spawnSync(program as string, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 26 });
  return { status, stdout };
}

/** Lines of concurrent parts of a program come in any order. */
function inAnyOrder(
  command: readonly string[],
  cwd: string,
): { readonly status: number | null; readonly lines: readonly string[] } {
  const { status, stdout } = run(command, cwd);
  return { status, lines: stdout.split('\n').toSorted() };
}

function nodeProgram(): string {
  return `
    const { Worker } = require('node:worker_threads');
    const net = require('node:net'), fs = require('node:fs'), { execFileSync } = require('node:child_process');
    new Worker('1', { eval: true }).on('exit', (code) => console.log('worker', code));
    fs.watch('.', () => {}).close();
    fs.promises.writeFile('x', 'y').then(() => fs.promises.readFile('x', 'utf8')).then((text) => console.log('file', text));
    require('node:dns').lookup('localhost', (error) => console.log('lookup', error?.code ?? 'found'));
    console.log(execFileSync('echo', ['child'], { encoding: 'utf8' }).trim());
    const server = net.createServer((socket) => socket.end('hello')).listen('socket', () =>
      net.connect('socket').on('data', (data) => console.log(String(data))).on('close', () => server.close()));
  `
    .replaceAll('\n', ' ')
    .concat(';');
}

function pythonProgram(): string {
  return [
    'import multiprocessing, os, socket, subprocess, tempfile, shutil, threading',
    'os.mkdir("a"); os.chmod("a", 0o2775); shutil.copytree("a", "b")',
    'print(oct(os.stat("b").st_mode))',
    'print(subprocess.check_output(["echo", "child"]))',
    'q = multiprocessing.get_context("fork").Queue()',
    'p = multiprocessing.get_context("fork").Process(target=q.put, args=(1,)); p.start(); print(q.get()); p.join()',
    't = threading.Thread(target=print, args=("thread",)); t.start(); t.join()',
    's = socket.create_server(("127.0.0.1", 0)); c = socket.create_connection(s.getsockname()); print(c.send(b"x"))',
    'print(socket.getaddrinfo("127.0.0.1", 80)[0][4], len(tempfile.mkdtemp(dir=".")) > 0)',
  ].join('\n');
}
