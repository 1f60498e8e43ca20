import type { Runsc } from './runsc.ts';

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

/** The first platform that works; `try` names the one about which nothing is known yet. A box has no device of KVM, so that is not tried. */
export function choosePlatform({ date }: Pick<Runsc, 'date'>, results: ProbeResults): PlatformChoice {
  const known = { ...unsuited(date), ...results };
  for (const platform of platforms) {
    const result = known[platform];
    if (result === undefined) return { kind: 'try', platform };
    if (result.kind === 'works') return { kind: 'chosen', platform, statx: result.statx };
  }
  return { kind: 'none', reasons: platforms.flatMap((platform) => (known[platform]?.kind === 'fails' ? [`${platform}: ${known[platform].reason}`] : [])).join('; ') };
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
  if (echoed !== word || kernel === '' || !/^\d{1,4}$/u.test(statx)) return { kind: 'fails', reason: 'it ended without running what it was given' };
  if (kernel === host) return { kind: 'fails', reason: 'what it ran met the kernel of the host' };
  return { kind: 'works', kernel, statx: statx === '0' ? 'answered' : 'refused' };
}
