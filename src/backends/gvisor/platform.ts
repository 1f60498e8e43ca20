import { spawnSync } from 'node:child_process';
import { firstProgram } from '../first-program.ts';

/** gVisor's ways to intercept a program's system calls, best first. */
export const platforms = ['systrap', 'kvm', 'ptrace'] as const;
export type Platform = (typeof platforms)[number];

/** The result of starting a small program on a platform. */
export type ProbeResult =
  | { readonly kind: 'works'; readonly kernel: string; readonly statx: 'answered' | 'refused' }
  | { readonly kind: 'fails'; readonly reason: string };

export type ProbeResults = Readonly<Partial<Record<Platform, ProbeResult>>>;

export type PlatformChoice =
  | { readonly kind: 'try'; readonly platform: Platform }
  | { readonly kind: 'chosen'; readonly platform: Platform; readonly statx: 'answered' | 'refused' }
  | { readonly kind: 'none'; readonly reasons: string };

/**
 * Returns the first platform that works. `try` names the next one that has not been tested. A box has no KVM device, so
 * KVM is not tried.
 */
export function choosePlatform({ date }: Pick<Runsc, 'date'>, results: ProbeResults): PlatformChoice {
  const known = { ...unsuited(date), ...results };
  for (const platform of platforms) {
    const result = known[platform];
    if (result === undefined) return { kind: 'try', platform };
    if (result.kind === 'works') return { kind: 'chosen', platform, statx: result.statx };
  }
  return {
    kind: 'none',
    reasons: platforms
      .flatMap((platform) => (known[platform]?.kind === 'fails' ? [`${platform}: ${known[platform].reason}`] : []))
      .join('; '),
  };
}

/** The platform was first released in 2023. */
const systrapSince = 20230101;

function unsuited(date: number): ProbeResults {
  const kvm = { kvm: { kind: 'fails', reason: 'a box has no /dev/kvm' } } as const;
  return date < systrapSince ? { ...kvm, systrap: { kind: 'fails', reason: 'this build does not know it' } } : kvm;
}

export interface ProbeAnswer {
  /** The word that the program had to repeat. */
  readonly word: string;
  /** The host's kernel, as `uname` prints it: `RELEASE VERSION`. */
  readonly host: string;
}

/** Reads the output of `holdfast-launch kernel WORD` from inside. A kernel other than the host's must have run it. */
export function judgeAnswer(text: string, { word, host }: ProbeAnswer): ProbeResult {
  const [echoed, kernel = '', statx = ''] = text.split('\n');
  if (echoed !== word || kernel === '' || !/^\d{1,4}$/u.test(statx))
    return { kind: 'fails', reason: 'it ended without running its command' };
  if (kernel === host) return { kind: 'fails', reason: 'its command ran on the kernel of the host' };
  return { kind: 'works', kernel, statx: statx === '0' ? 'answered' : 'refused' };
}

/** Only system directories: a box could have written a `runsc` into a writable root. */
const places = ['/usr/local/bin/runsc', '/usr/bin/runsc', '/bin/runsc', '/run/current-system/sw/bin/runsc'] as const;
const patience = 5000;

/** A gVisor runtime, according to its own output. */
export interface Runsc {
  readonly path: string;
  /** Version as printed, such as `release-20240930.0`. */
  readonly version: string;
  /** Date of the release as YYYYMMDD. */
  readonly date: number;
}

export function findRunsc(candidates: readonly string[] = places): string | undefined {
  return firstProgram(candidates);
}

/** Asks the program for its version. Undefined if it fails, hangs for 5 seconds, or prints something else. */
export function askRunsc(path: string): Runsc | undefined {
  const { status, stdout } = spawnSync(path, ['--version'], {
    encoding: 'utf8',
    timeout: patience,
    killSignal: 'SIGKILL',
    env: {},
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 16,
  });
  return status === 0 ? readVersion(path, stdout) : undefined;
}

/** Parses `runsc version release-20240930.0`, or `0.0~20221219.0` of Debian. */
export function readVersion(path: string, text: string): Runsc | undefined {
  const found = /^runsc version ([\w.~+-]{0,40}?(20\d{6})[\w.~+-]{0,40})$/mu.exec(text);
  return found?.[1] === undefined ? undefined : { path, version: found[1], date: Number(found[2]) };
}
