import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fakeClock, type FakeClock } from '../queue/testing/fake-clock.ts';
import { codeCheck, lockOut, mostWrong, spentCodes } from './code-check.ts';
import {
  counterAt,
  fromBase32,
  newKey,
  oneTimeCode,
  otpauthUri,
  readTotpKey,
  toBase32,
  type TotpKey,
  writeKey,
} from './key-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'holdfast-totp-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('the code of a time', () => {
  // RFC 6238, appendix B.
  test.each([
    [59, '94287082', '46119246'],
    [1_111_111_109, '07081804', '68084774'],
    [1_111_111_111, '14050471', '67062674'],
    [1_234_567_890, '89005924', '91819424'],
    [2_000_000_000, '69279037', '90698825'],
    [20_000_000_000, '65353130', '77737706'],
  ])('%i s: %s by SHA-1 and %s by SHA-256', (seconds, sha1, sha256) => {
    const counter = counterAt(seconds * 1000);
    expect(oneTimeCode({ secret: Buffer.from('12345678901234567890'), algorithm: 'SHA-1', digits: 8 }, counter)).toBe(
      sha1,
    );
    expect(
      oneTimeCode(
        { secret: Buffer.from('12345678901234567890123456789012'), algorithm: 'SHA-256', digits: 8 },
        counter,
      ),
    ).toBe(sha256);
  });

  // RFC 4226, appendix D.
  test.each(
    ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'].map(
      (code, counter) => [counter, code] as const,
    ),
  )('number %i is %s', (counter, code) => {
    expect(oneTimeCode({ secret: Buffer.from('12345678901234567890'), algorithm: 'SHA-1' }, counter)).toBe(code);
  });
});

describe('base32', () => {
  // RFC 4648 §10, without padding.
  test.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('%j is %s', (text, code) => {
    expect(toBase32(Buffer.from(text))).toBe(code);
    expect(Buffer.from(fromBase32(code) ?? []).toString()).toBe(text);
  });

  test('comes back, and nothing else is read', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(fromBase32(toBase32(bytes))).toEqual(bytes);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        const bytes = fromBase32(text);
        if (bytes !== undefined) expect(toBase32(bytes)).toBe(text);
      }),
    );
    for (const text of ['my', 'M', 'MY======', 'MZ', 'M1', 'MZXW6YTBO']) expect(fromBase32(text)).toBeUndefined();
  });
});

const key: TotpKey = { secret: Buffer.from('12345678901234567890'), algorithm: 'SHA-1' };

function scene(spent = new Set<number>()): {
  readonly clock: FakeClock;
  readonly check: ReturnType<typeof codeCheck>;
  readonly code: (steps: number) => string;
} {
  const clock = fakeClock();
  const spend = (counter: number): 'first' | 'again' => (spent.has(counter) ? 'again' : (spent.add(counter), 'first'));
  return {
    clock,
    check: codeCheck({ key: () => key, spend, clock }),
    code: (steps) => oneTimeCode(key, counterAt(clock.now()) + steps),
  };
}

describe('a code', () => {
  test.each([
    [-2, 'wrong'],
    [-1, 'right'],
    [0, 'right'],
    [1, 'right'],
    [2, 'wrong'],
  ] as const)('of %i steps from now is %s', (steps, kind) => {
    const { check, code } = scene();
    expect(check(code(steps))).toEqual({ kind });
  });

  test('is good once, in any session', () => {
    const spent = new Set<number>();
    const [one, two] = [scene(spent), scene(spent)];
    expect(one.check(one.code(0))).toEqual({ kind: 'right' });
    expect(one.check(one.code(0))).toEqual({ kind: 'wrong' });
    expect(two.check(two.code(0))).toEqual({ kind: 'wrong' });
    two.clock.advance(30_000);
    expect(two.check(two.code(0))).toEqual({ kind: 'right' });
  });

  test.each([
    ['with a blank', (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`, 'right'],
    ['too short', (code: string) => code.slice(1), 'wrong'],
    ['too long', (code: string) => `${code}0`, 'wrong'],
    ['nothing', () => '', 'wrong'],
    [
      'other digits',
      (code: string) => code.replaceAll(/\d/gu, (digit) => String.fromCodePoint(0x660 + Number(digit))),
      'wrong',
    ],
  ] as const)('%s', (...[, change, kind]) => {
    const { check, code } = scene();
    expect(check(change(code(0)))).toEqual({ kind });
  });

  test(`is not taken after ${mostWrong} wrong ones, for a quarter of an hour`, () => {
    const { check, clock, code } = scene();
    for (let time = 0; time < mostWrong; time += 1) expect(check('wrong')).toEqual({ kind: 'wrong' });
    expect(check(code(0))).toEqual({
      kind: 'refused',
      message: '5 wrong codes in a row: no code is accepted for another 15 min',
    });
    clock.advance(lockOut - 1);
    expect(check(code(0))).toEqual({
      kind: 'refused',
      message: '5 wrong codes in a row: no code is accepted for another 1 min',
    });
    clock.advance(1);
    expect(check(code(0))).toEqual({ kind: 'right' });
  });

  test('that is right ends the row; setting the clock does not end the wait', () => {
    const { check, clock, code } = scene();
    for (let time = 0; time < mostWrong - 1; time += 1) check('wrong');
    expect(check(code(0))).toEqual({ kind: 'right' });
    for (let time = 0; time < mostWrong; time += 1) check('wrong');
    clock.set(clock.now() + 86_400_000);
    expect(check(code(0))).toMatchObject({ kind: 'refused' });
  });

  test.each([
    ['no key', () => undefined, () => 'first' as const, /no authenticator is enrolled/u],
    [
      'a key that cannot be read',
      () => {
        throw new Error('the key is open to others');
      },
      () => 'first' as const,
      /open to others/u,
    ],
    [
      'no place to note it',
      () => key,
      () => {
        throw new Error('the state cannot be written');
      },
      /cannot be written/u,
    ],
  ])('is refused with %s', (...[, read, spend, message]) => {
    const clock = fakeClock();
    const check = codeCheck({ key: read, spend, clock });
    for (let time = 0; time < 10; time += 1)
      expect(check(oneTimeCode(key, counterAt(clock.now())))).toEqual({
        kind: 'refused',
        message: expect.stringMatching(message),
      });
  });

  test('is no other text, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/^[\d -]*$/u.test(text)),
        (text) => {
          expect(scene().check(text)).toEqual({ kind: 'wrong' });
        },
      ),
    );
  });
});

describe('the file of the key', () => {
  const path = join(directory, 'state/totp.key');

  test('is readable by its owner alone, and returns its content', () => {
    for (const algorithm of ['SHA-1', 'SHA-256'] as const) {
      const fresh = newKey(algorithm);
      writeKey(path, fresh);
      expect(readTotpKey(path)).toEqual({ algorithm, secret: Uint8Array.from(fresh.secret) });
    }
    expect([statSync(path).mode & 0o777, statSync(join(directory, 'state')).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(join(directory, 'state'))).toEqual(['totp.key']);
  });

  test('is empty without a file', () => {
    expect(readTotpKey(join(directory, 'nothing'))).toBeUndefined();
  });

  const good = '{"version":1,"algorithm":"SHA-1","secret":"GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"}';

  test.each<readonly [string, (at: string) => void, RegExp]>([
    [
      'others may read',
      (at) => {
        writeFileSync(at, good);
        chmodSync(at, 0o640);
      },
      /is open to others/u,
    ],
    [
      'is a symlink',
      (at) => {
        writeFileSync(`${at}.real`, good, { mode: 0o600 });
        symlinkSync(`${at}.real`, at);
      },
      /is a symlink/u,
    ],
    [
      'is a directory',
      (at) => {
        mkdirSync(at, { mode: 0o700 });
      },
      /is not a regular file/u,
    ],
    [
      'is empty',
      (at) => {
        writeFileSync(at, '', { mode: 0o600 });
      },
      /holds no key/u,
    ],
    [
      'is of a newer version',
      (at) => {
        writeFileSync(at, good.replace('1', '2'), { mode: 0o600 });
      },
      /holds no key/u,
    ],
    [
      'has a short secret',
      (at) => {
        writeFileSync(at, good.replace(/"GEZ[^"]*"/u, '"GEZDGNBV"'), { mode: 0o600 });
      },
      /holds no key/u,
    ],
    [
      'has another algorithm',
      (at) => {
        writeFileSync(at, good.replace('SHA-1', 'MD5'), { mode: 0o600 });
      },
      /holds no key/u,
    ],
    [
      'is longer than any key',
      (at) => {
        writeFileSync(at, good + ' '.repeat(5000), { mode: 0o600 });
      },
      /longer than any key/u,
    ],
  ])('that %s is refused', (...[name, make, message]) => {
    const at = join(directory, name.replaceAll(' ', '-'));
    make(at);
    expect(() => readTotpKey(at)).toThrow(
      expect.objectContaining({ code: 'HF_TOTP_FAILED', message: expect.stringMatching(message) }),
    );
    // The message must not contain any part of the secret.
    try {
      readTotpKey(at);
    } catch (error) {
      expect(String(error)).not.toContain('GEZ');
    }
  });

  test('that is a FIFO is refused, and not waited for', () => {
    const at = join(directory, 'fifo');
    execFileSync('mkfifo', ['-m', '600', at]);
    expect(() => readTotpKey(at)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/is not a regular file/u) }),
    );
  });

  test('that belongs to another user is refused', () => {
    const at = join(directory, 'of-another');
    writeFileSync(at, good, { mode: 0o600 });
    vi.spyOn(process, 'geteuid').mockReturnValue((process.geteuid?.() ?? 0) + 1);
    onTestFinished(() => void vi.restoreAllMocks());
    expect(() => readTotpKey(at)).toThrow(
      expect.objectContaining({ code: 'HF_TOTP_FAILED', message: expect.stringMatching(/belongs to another user/u) }),
    );
  });

  test('that cannot be written is an error without the secret', () => {
    writeFileSync(join(directory, 'file'), '');
    expect(() => writeKey(join(directory, 'file/totp.key'), key)).toThrow(
      expect.objectContaining({ code: 'HF_TOTP_FAILED' }),
    );
  });
});

describe('codes that are used up', () => {
  test('are so for every process, and forgotten when they have long expired', () => {
    const place = join(directory, 'spent');
    const [one, two] = [spentCodes(place), spentCodes(place)];
    expect([one(100), two(100), one(100), two(101)]).toEqual(['first', 'again', 'again', 'first']);
    writeFileSync(join(place, 'README'), '');
    expect(one(200)).toBe('first');
    expect(readdirSync(place).toSorted()).toEqual(['200', 'README']);
    expect(readFileSync(join(place, '200'), 'utf8')).toBe('');
  });

  test('stay so while their neighbours are used, for as long as they are good', () => {
    const place = join(directory, 'window');
    const spend = spentCodes(place);
    expect([spend(100), spend(102), spend(101), spend(100), spend(101), spend(102)]).toEqual([
      'first',
      'first',
      'first',
      'again',
      'again',
      'again',
    ]);
    expect(statSync(place).mode & 0o777).toBe(0o700);
    expect(statSync(join(place, '100')).mode & 0o777).toBe(0o600);
  });

  test('are taken by one process of many that come at once', async () => {
    const place = join(directory, 'together');
    const script = `import { spentCodes } from ${JSON.stringify(new URL('code-check.ts', import.meta.url).href)}; while (Date.now() < ${Date.now() + 1500}); process.stdout.write(spentCodes(${JSON.stringify(place)})(100))`;
    const told = await Promise.all(
      Array.from({ length: 6 }, () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])),
    );
    expect(told.map(({ stdout }) => stdout).toSorted()).toEqual(['again', 'again', 'again', 'again', 'again', 'first']);
  });

  test('cannot be, where nothing can be written: an error', () => {
    expect(() => spentCodes(join(directory, 'file/spent'))(1)).toThrow(
      expect.objectContaining({ code: 'HF_TOTP_FAILED' }),
    );
  });
});

test('an authenticator’s URI', () => {
  expect(otpauthUri(key, 'dev@laptop: ä')).toBe(
    'otpauth://totp/Holdfast:dev%40laptop%3A%20%C3%A4?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Holdfast&algorithm=SHA1&digits=6&period=30',
  );
  expect(newKey('SHA-1').secret).toHaveLength(20);
  expect(newKey('SHA-256').secret).toHaveLength(32);
  expect(newKey('SHA-1')).not.toEqual(newKey('SHA-1'));
});
