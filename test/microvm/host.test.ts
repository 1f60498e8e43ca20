import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { repository } from '../lib/holdfast.ts';

const guest = join(repository, 'native/build/holdfast-guest');
/** Death by signal 64 tells the backend that no virtual machine started. */
const failed = 128 + 64;
/** The kinds of `native/src/guest/protocol.h`. */
const kinds = { hello: 1, data: 3, taken: 5, started: 10, exit: 13, failed: 14, ask: 15, unknown: 99 } as const;
const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`;
const frame = (kind: keyof typeof kinds, ...payload: readonly number[]): string =>
  `printf '${[payload.length, 0, 0, kinds[kind], ...payload].map(octal).join('')}' >&3`;

/** Runs `host` with a program in place of qemu: a shell script, whose descriptor 3 is the guest's port. */
function hostWith(
  script: string,
  {
    patience = 20_000,
    environment = {},
    guard,
  }: { readonly patience?: number; readonly environment?: NodeJS.ProcessEnv; readonly guard?: 'installed' } = {},
) {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-host-'));
  try {
    const [program, machine] = [join(directory, 'qemu'), join(directory, 'machine')];
    writeFileSync(program, `#!/bin/sh\n${script}\n`);
    chmodSync(program, 0o755);
    writeFileSync(
      machine,
      `word ${program}\npatience ${patience}\n${guard === 'installed' ? `guard ${program}\n` : ''}`,
    );
    return spawnSync('sh', ['-c', '"$@"; exit $?', 'sh', guest, 'host', machine, '--', 'true'], {
      input: '',
      encoding: 'utf8',
      timeout: 30_000,
      env: { ...process.env, ...environment },
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const begins = frame('started', 0, 0, 0, 0, 0, 0, 0, 0);

describe('a broken virtual machine is reported in any case:', () => {
  test.each([
    ['it ends at once', 'echo no such machine; exit 0', 'has ended before its command began'],
    ['its kernel panics', 'echo Kernel panic; exit 1', 'Kernel panic'],
    ['it sends an unknown message', `${frame('unknown', 1)}; sleep 20`, 'sent an invalid message'],
    ['it says it twice', `${frame('hello')}; ${frame('hello')}; sleep 20`, 'sent an invalid message'],
    ['it begins twice', `${frame('hello')}; ${begins}; ${begins}; sleep 20`, 'sent an invalid message'],
    ['it takes bytes that it was not sent', `${frame('taken', 0, 1, 0, 0, 0)}; sleep 20`, 'sent an invalid message'],
    ['it writes to an unknown stream', `${frame('data', 7, 65)}; sleep 20`, 'sent an invalid message'],
    ['a frame has no end', "printf '\\377\\377\\377\\003' >&3; sleep 20", 'has ended before'],
    ['it cannot go on', `${frame('failed', ...Buffer.from('lost'))}; sleep 20`, 'cannot run the command: lost'],
  ])('%s', (_, script, message) => {
    expect(hostWith(script)).toMatchObject({ status: failed, stdout: '', stderr: expect.stringContaining(message) });
  });

  test('it never boots', () => {
    const { stderr } = hostWith('sleep 20', { patience: 300 });
    expect(stderr).toContain('did not start in time');
  });

  test('control characters of its last words do not reach the terminal', () => {
    const { stderr } = hostWith("printf 'x\\033]0;y\\007z'; exit 1");
    expect(stderr).toContain('x ]0;y z');
    expect(hostWith(`${frame('failed', ...Buffer.from('x\u001B]0;y\u0007z'))}; sleep 20`).stderr).toContain(
      'cannot run the command: x ]0;y z',
    );
  });

  test('it is not read from while it does not read', () => {
    // The start alone exceeds the limit.
    const environment = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`V${at}`, 'x'.repeat(100_000)]));
    const flood = `i=0; while [ $i -lt 10 ]; do i=$((i+1)); cat "$0.frames"; done >&3`;
    const { stderr } = hostWith(
      `printf '${octal(0xfe)}${octal(0xff)}${octal(0)}${octal(kinds.data)}' > "$0.frames"; head -c 65534 /dev/zero >> "$0.frames"; ${frame('hello')}; (${flood}) & sleep 1; kill -0 $! && echo held back`,
      { environment, patience: 2000 },
    );
    expect(stderr).toContain('held back');
  });

  test('any of its bytes let `host` end properly', () => {
    const any = fc.record({
      kind: fc.integer({ min: 0, max: 11 }),
      said: fc.uint8Array({ maxLength: 40 }),
      less: fc.constantFrom(0, 0, 0, 0, 1, 70_000),
    });
    const bytes = fc.array(any, { minLength: 1, maxLength: 12 }).map((frames) =>
      Buffer.concat(
        frames.map(({ kind, said, less }) => {
          const header = Buffer.alloc(4);
          header.writeUInt32LE(kind * 2 ** 24 + said.length + less);
          return Buffer.concat([header, said]);
        }),
      ),
    );
    fc.assert(
      fc.property(bytes, (said) => {
        const { status } = hostWith(`printf '${[...said].map(octal).join('')}' >&3`);
        // Without an exit or a stop of its command, the guest may report: failed, or no command found.
        expect([128 + 62, 128 + 63, failed]).toContain(status);
      }),
      { numRuns: 20 },
    );
  });
});

describe('a program that is about to start in the guest', () => {
  const asked = (path: string, ...words: readonly string[]): string =>
    frame('ask', 7, 0, 0, 0, 0, 0, 0, 0, ...Buffer.from([path, ...words, ''].join('\0')));

  test('is judged by a call that starts nothing here', () => {
    const mark = join(tmpdir(), `holdfast-started-${process.pid}`);
    const { stderr } = hostWith(`${asked('/usr/bin/touch', 'touch', mark)}; head -c 16 <&3 | od -An -v -tx1; exit 1`, {
      guard: 'installed',
    });
    // A frame of twelve bytes: the call, and no errno.
    expect(stderr).toContain('0c 00 00 10 07 00 00 00 00 00 00 00 00 00 00 00');
    expect(existsSync(mark)).toBe(false);
  });

  test.each([
    ['without a guard', asked('/usr/bin/true', 'true'), undefined],
    ['by a relative path', asked('usr/bin/true'), 'installed'],
    ['without an end', frame('ask', 7, 0, 0, 0, 0, 0, 0, 0, 47, 97), 'installed'],
    ['without a path', frame('ask', 7, 0, 0, 0, 0, 0, 0, 0), 'installed'],
    ['beyond those that may wait', Array(17).fill(asked('/usr/bin/true')).join('; '), 'installed'],
  ] as const)('%s is a question that no valid guest asks', (_, said, guard) => {
    const { status, stderr } = hostWith(`{ ${said}; } > "$0.frames" 3>&1; cat "$0.frames" >&3; sleep 20`, {
      ...(guard && { guard }),
    });
    expect({ status, stderr }).toMatchObject({
      status: failed,
      stderr: expect.stringContaining('sent an invalid message'),
    });
  });
});

test('the status of the guest’s command becomes the exit status of `host`', () => {
  expect(
    hostWith(
      `${frame('hello')}; ${begins}; ${frame('data', 1, ...Buffer.from('hi'))}; ${frame('exit', 7, 0)}; sleep 20`,
    ),
  ).toMatchObject({ status: 7, stdout: 'hi' });
});
