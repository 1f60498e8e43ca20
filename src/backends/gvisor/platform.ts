import { spawnSync } from 'node:child_process';
import { firstProgram } from '../first-program.ts';

/** How gVisor catches the system calls of a program; the best first. */
export const platforms = ['systrap', 'kvm', 'ptrace'] as const;
export type Platform = (typeof platforms)[number];

/** What came of starting something small on a platform. */
export type ProbeResult =
  | { readonly kind: 'works'; readonly kernel: string; readonly statx: 'answered' | 'refused' }
  | { readonly kind: 'fails'; readonly reason: string };

export type ProbeResults = Readonly<Partial<Record<Platform, ProbeResult>>>;

export type PlatformChoice =
  | { readonly kind: 'try'; readonly platform: Platform }
  | { readonly kind: 'chosen'; readonly platform: Platform; readonly statx: 'answered' | 'refused' }
  | { readonly kind: 'none'; readonly reasons: string };

/**
 * The first platform that works; `try` names the one about which nothing is known yet. A box has no device of KVM, so
 * that is not tried.
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

/** First released in 2023. */
const systrapSince = 20230101;

function unsuited(date: number): ProbeResults {
  const kvm = { kvm: { kind: 'fails', reason: 'a box has no /dev/kvm' } } as const;
  return date < systrapSince ? { ...kvm, systrap: { kind: 'fails', reason: 'this build does not know it' } } : kvm;
}

export interface ProbeAnswer {
  /** What it was told to repeat. */
  readonly word: string;
  /** The host's kernel, as `uname` gives it: `RELEASE VERSION`. */
  readonly host: string;
}

/** Reads what `holdfast-launch kernel WORD` printed inside; it must have been another kernel that ran it. */
export function judgeAnswer(text: string, { word, host }: ProbeAnswer): ProbeResult {
  const [echoed, kernel = '', statx = ''] = text.split('\n');
  if (echoed !== word || kernel === '' || !/^\d{1,4}$/u.test(statx))
    return { kind: 'fails', reason: 'it ended without running what it was given' };
  if (kernel === host) return { kind: 'fails', reason: 'what it ran met the kernel of the host' };
  return { kind: 'works', kernel, statx: statx === '0' ? 'answered' : 'refused' };
}

/** Only where the system puts it: a `runsc` in a writable root would be the box's own. */
const places = ['/usr/local/bin/runsc', '/usr/bin/runsc', '/bin/runsc', '/run/current-system/sw/bin/runsc'] as const;
const patience = 5000;

/** A gVisor runtime, by what it says of itself. */
export interface Runsc {
  readonly path: string;
  /** As it prints it, e.g. `release-20240930.0`. */
  readonly version: string;
  /** YYYYMMDD of its release. */
  readonly date: number;
}

export function findRunsc(candidates: readonly string[] = places): string | undefined {
  return firstProgram(candidates);
}

/** Asks the program for its version; nothing from one that fails, hangs for 5 seconds, or says something else. */
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

/** `runsc version release-20240930.0`, or `0.0~20221219.0` from Debian. */
export function readVersion(path: string, text: string): Runsc | undefined {
  const found = /^runsc version ([\w.~+-]{0,40}?(20\d{6})[\w.~+-]{0,40})$/mu.exec(text);
  return found?.[1] === undefined ? undefined : { path, version: found[1], date: Number(found[2]) };
}
