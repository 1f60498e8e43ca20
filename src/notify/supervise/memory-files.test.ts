import { mkdtempSync, rmSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { supervised } from '../testing/supervised.ts';

async function python(
  script: string,
  groups: readonly ('memory-files' | 'opens')[] = ['memory-files'],
): Promise<string> {
  const workspace = mkdtempSync('/var/tmp/holdfast-memory-');
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const { output } = await supervised({
    workspace,
    policy: '',
    argv: ['/usr/bin/python3', '-c', `import os, fcntl\n${script}`],
    groups,
    calls: ['memfd_create'],
  });
  return output;
}

const shown = (line: string): string => `try: print(${line})\nexcept OSError as e: print(e.strerror)\n`;
const run = 'f = os.memfd_create("x", 0)\nos.write(f, open("/bin/true", "rb").read())\n';

describe('a file in memory', () => {
  test('can be executed where no rule needs to see it', async () => {
    expect(
      await python(`${run}p = os.posix_spawn(f"/proc/self/fd/{f}", ["x"], {})\nprint(os.waitpid(p, 0)[1])`, ['opens']),
    ).toBe('0\n');
  });

  test('cannot be executed under a list of programs, and its mode cannot be changed back', async () => {
    expect(await python(run + shown('os.posix_spawn(f"/proc/{os.getpid()}/fd/{f}", ["x"], {})'))).toBe(
      'Permission denied\n',
    );
    expect(await python(run + shown('os.fchmod(f, 0o755)'))).toBe('Operation not permitted\n');
  });

  test('is a file like any other', async () => {
    const script =
      'f = os.memfd_create("a name", 0)\nos.write(f, b"text")\nos.lseek(f, 0, 0)\nprint(os.read(f, 9), os.readlink(f"/proc/self/fd/{f}"), os.stat(f).st_uid == os.getuid())';
    expect(await python(script)).toBe("b'text' /memfd:a name (deleted) True\n");
  });

  test.each([
    [0, 'True'],
    [1, 'False'],
  ])('with flags %i is inherited: %s', async (flags, inherited) => {
    expect(await python(`print(os.get_inheritable(os.memfd_create("x", ${flags})))`)).toBe(`${inherited}\n`);
  });

  test('can be sealed', async () => {
    expect(await python('f = os.memfd_create("x", 2)\nprint(fcntl.fcntl(f, 1033, 8), fcntl.fcntl(f, 1034) & 8)')).toBe(
      '0 8\n',
    );
  });

  test.each([
    ['os.memfd_create("x", 0x10)', 'Permission denied'],
    ['os.memfd_create("x", 0x10000)', 'Permission denied'],
    ['os.memfd_create("x" * 300, 0)', 'Permission denied'],
  ])('%s: %s', async (call, said) => {
    expect(await python(shown(call))).toBe(`${said}\n`);
  });

  test('needs a readable name', async () => {
    expect(
      await python(
        'import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\nprint(libc.syscall(319 if os.uname().machine == "x86_64" else 279, ctypes.c_void_p(8), 0), os.strerror(ctypes.get_errno()))',
      ),
    ).toBe('-1 Bad address\n');
  });
});
