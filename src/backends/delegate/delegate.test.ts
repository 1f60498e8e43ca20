import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agreeWith, delegate, exitStatus, planDelegation } from './delegate.ts';
import { findGuests, type Guest, guestNamed } from './find-guests.ts';
import type { DelegatedRun } from './run.ts';
import { limaLine } from './testing/lima-model.ts';
import { hostileWord } from './testing/words.ts';
import { commandLineOf, readCommandLine } from './testing/wsl-model.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const lima: Guest = {
  kind: 'lima',
  limactl: '/usr/bin/limactl',
  home: '/Users/me',
  instance: {
    name: 'default',
    status: 'Running',
    mounts: [{ location: '/tmp', writable: true }, { location: '/Users/me' }],
  },
};
const wsl: Guest = {
  kind: 'wsl2',
  wsl: 'C:\\Windows\\System32\\wsl.exe',
  distribution: { name: 'Ubuntu', version: 2, isDefault: true },
  automount: { kind: 'at', root: '/mnt' },
  own: { SystemRoot: 'C:\\Windows' },
};
const run: DelegatedRun = {
  cwd: '/tmp/p',
  options: [
    { kind: 'flag', name: 'staged' },
    { kind: 'text', name: 'host', value: '--x=$(id)' },
    { kind: 'path', name: 'write', value: '/tmp/a b', needs: 'writable' },
  ],
  argv: ['sh', '-c', `echo "it's" %PATH%`],
  environment: {},
};

describe('planDelegation', () => {
  test('Lima: an array of words after the name of the program', () => {
    expect(planDelegation(run, lima)).toEqual({
      program: '/usr/bin/limactl',
      arguments: [
        'shell',
        '--workdir',
        '/tmp/p',
        'default',
        'holdfast',
        'run',
        '--staged',
        '--host=--x=$(id)',
        '--write=/tmp/a b',
        '--',
        'sh',
        '-c',
        `echo "it's" %PATH%`,
      ],
      environment: {
        HOME: '/Users/me',
        PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
        LANG: 'C.UTF-8',
        TERM: 'xterm-256color',
      },
    });
  });

  test('WSL2: the words after --exec, and the variables in WSLENV', () => {
    const windows = {
      ...run,
      cwd: 'C:\\a b',
      options: [{ kind: 'path', name: 'read', value: '\\\\wsl$\\Ubuntu\\srv', needs: 'read-only' }],
      environment: { TOKEN: 'x' },
    } as const;
    expect(planDelegation(windows, wsl)).toEqual({
      program: 'C:\\Windows\\System32\\wsl.exe',
      arguments: [
        '--distribution',
        'Ubuntu',
        '--cd',
        '/mnt/c/a b',
        '--exec',
        'holdfast',
        'run',
        '--read=/srv',
        '--',
        'sh',
        '-c',
        `echo "it's" %PATH%`,
      ],
      environment: { SystemRoot: 'C:\\Windows', WSL_UTF8: '1', TOKEN: 'x', WSLENV: 'TOKEN/u' },
    });
  });

  test.each<{
    readonly what: string;
    readonly change: Partial<DelegatedRun>;
    readonly guest: Guest;
    readonly code: string;
  }>([
    { what: 'a directory that is not shared', change: { cwd: '/srv' }, guest: lima, code: 'HF_PATH_UNREPRESENTABLE' },
    {
      what: 'one that is read-only there',
      change: { cwd: '/Users/me/p' },
      guest: lima,
      code: 'HF_PATH_UNREPRESENTABLE',
    },
    {
      what: 'a path of another distribution',
      change: { cwd: '\\\\wsl$\\Debian\\srv' },
      guest: wsl,
      code: 'HF_PATH_UNREPRESENTABLE',
    },
    { what: 'a NUL', change: { argv: ['a\0b'] }, guest: lima, code: 'HF_USAGE' },
    { what: 'variables where none are carried', change: { environment: { A: '1' } }, guest: lima, code: 'HF_USAGE' },
    {
      what: 'an instance that stands still',
      change: {},
      guest: { ...lima, instance: { ...lima.instance, status: 'Stopped' } },
      code: 'HF_BACKEND_MISSING',
    },
    {
      what: 'WSL 1',
      change: { cwd: 'C:\\a', options: [] },
      guest: { ...wsl, distribution: { ...wsl.distribution, version: 1 } },
      code: 'HF_BACKEND_MISSING',
    },
  ])('$what is refused', ({ change, guest, code }) => {
    expect(() => planDelegation({ ...run, ...change }, guest)).toThrow(
      expect.objectContaining({ code, remedy: expect.any(String) }),
    );
  });

  test('words that are read as options, assignments or shell come out as they went in', () => {
    fc.assert(
      fc.property(fc.array(hostileWord, { minLength: 1, maxLength: 8 }), (argv) => {
        const { arguments: words } = planDelegation({ ...run, cwd: '/tmp', options: [], argv }, lima);
        const said = spawnSync('/bin/sh', ['-c', limaLine(['printf', '%s\\0', ...words.slice(4)], '/')], {
          env: { PATH: '/usr/bin:/bin', SHELL: '/bin/sh' },
        });
        expect(said.stdout.toString().split('\0').slice(0, -1)).toEqual(['holdfast', 'run', '--', ...argv]);
      }),
      { numRuns: rounds(60) },
    );
  });

  test('a command line of Windows is read as it was meant', () => {
    fc.assert(
      fc.property(fc.array(hostileWord, { minLength: 1, maxLength: 8 }), (argv) => {
        const { arguments: words } = planDelegation({ ...run, cwd: 'C:\\a b', options: [], argv }, wsl);
        expect(readCommandLine(commandLineOf(words))).toEqual({
          distribution: 'Ubuntu',
          directory: '/mnt/c/a b',
          words: ['holdfast', 'run', '--', ...argv],
        });
      }),
    );
  });
});

test('exit statuses', () => {
  expect([
    exitStatus(0, null),
    exitStatus(255, null),
    exitStatus(null, 'SIGTERM'),
    exitStatus(4_294_967_295, null),
    exitStatus(-1, null),
  ]).toEqual([0, 255, 143, undefined, undefined]);
});

describe('with programs that stand in for limactl and wsl.exe', () => {
  let place: string;
  const programs = { lima: '', wsl2: '' };
  const write = (name: string, content: string | Buffer): void => {
    writeFileSync(join(place, name), content);
    chmodSync(join(place, name), 0o755);
  };

  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'delegate-'));
    for (const directory of ['lima', 'wsl2']) mkdirSync(join(place, directory, 'bin'), { recursive: true });
    for (const kind of ['lima', 'wsl2'] as const) {
      programs[kind] = join(place, kind, 'program');
      write(
        `${kind}/program`,
        `#!/bin/sh\nexec '${process.execPath}' '${join(import.meta.dirname, 'testing/fake-guest.ts')}' ${kind} '${join(place, kind)}' "$@"\n`,
      );
      write(
        `${kind}/bin/holdfast`,
        '#!/bin/sh\n[ "$1" = --version ] && { echo holdfast 0.1.0; exit; }\nprintf "%s\\0" "$PWD" "$@" > "$RECORD"\ncase $3 in signal) kill -TERM $$ ;; esac\nexit 42\n',
      );
    }
    write(
      'lima/list',
      `${JSON.stringify({ name: 'default', status: 'Running', config: { mounts: [{ location: place, writable: true }] } })}\n`,
    );
    write('wsl2/list', Buffer.from('  NAME STATE VERSION\r\n* Ubuntu Running 2\r\n', 'utf16le'));
    mkdirSync(join(place, `a 'b" $x`));
  });
  afterAll(() => {
    rmSync(place, { recursive: true });
  });

  const find = async (kind: Guest['kind']): Promise<Guest> => {
    const guest = guestNamed(await findGuests({ limactl: [programs.lima], wsl: [programs.wsl2] }), kind, undefined);
    if (guest === undefined) throw new Error(`no ${kind}`);
    // The paths of this machine are those of the guest.
    return guest.kind === 'wsl2' ? { ...guest, automount: { kind: 'at', root: '' } } : guest;
  };
  const recorded = (kind: string): readonly string[] =>
    readFileSync(join(place, kind, 'record'), 'utf8')
      .split('\0')
      .slice(0, -1);

  test('Lima: the guest gets the very words, in the directory, without what chooses programs', async () => {
    const guest = await find('lima');
    await agreeWith(guest, 'holdfast 0.1.0');
    const argv = ['sh', '-c', `echo "it's" \\ $(id) %PATH%\n`, '--', '-é', ''];
    expect(await delegate(planDelegation({ ...run, cwd: join(place, `a 'b" $x`), options: [], argv }, guest))).toBe(42);
    expect(recorded('lima')).toEqual([join(place, `a 'b" $x`), 'run', '--', ...argv]);
    const environment = JSON.parse(readFileSync(join(place, 'lima/environment'), 'utf8')) as Readonly<
      Record<string, string>
    >;
    expect(
      Object.keys(environment).filter((name) => ['SSH', 'LIMA_HOME', 'NODE_OPTIONS', 'LD_PRELOAD'].includes(name)),
    ).toEqual([]);
  });

  test('WSL2: the same, and a signal is an exit status', async () => {
    const guest = await find('wsl2');
    await agreeWith(guest, 'holdfast 0.1.0');
    const argv = ['signal', `a b\\`, `"`, '%PATH%', '', 'x\ny'];
    const command = planDelegation(
      { ...run, cwd: `\\\\wsl$\\Ubuntu${place.replaceAll('/', '\\')}`, options: [], argv },
      guest,
    );
    expect(await delegate(command)).toBe(143);
    expect(recorded('wsl2')).toEqual([place, 'run', '--', ...argv]);
  });

  test('another version, none at all, and a guest that does not answer are refused', async () => {
    const guest = await find('lima');
    await expect(agreeWith(guest, 'holdfast 9.9.9')).rejects.toMatchObject({
      code: 'HF_BACKEND_MISSING',
      message: expect.stringContaining('has "holdfast 0.1.0", this is "holdfast 9.9.9"'),
      remedy: 'install holdfast 9.9.9 in it',
    });
    write('lima/bin/holdfast', '#!/bin/sh\nexit 127\n');
    await expect(agreeWith(guest, 'holdfast 0.1.0')).rejects.toThrow('has no holdfast on its PATH');
    write('lima/bin/printf', '#!/bin/sh\necho mangled\n');
    write('wsl2/bin/printf', '#!/bin/sh\necho mangled\n');
    await expect(agreeWith(await find('wsl2'), 'holdfast 0.1.0')).rejects.toThrow('does not receive the arguments');
    await expect(
      agreeWith({ ...(guest as Extract<Guest, { kind: 'lima' }>), limactl: join(place, 'gone') }, 'holdfast 0.1.0'),
    ).rejects.toThrow('cannot be reached');
  });

  test('managers that are absent, fail or lie tell of no guests', async () => {
    write('lying', '#!/bin/sh\nprintf "\\0\\377{"\n');
    write('failing', '#!/bin/sh\nexit 3\n');
    expect(await findGuests({ limactl: ['/nowhere'], wsl: [] })).toEqual([]);
    for (const name of ['lying', 'failing'])
      expect(await findGuests({ limactl: [join(place, name)], wsl: [join(place, name)] })).toEqual([]);
  });
});
