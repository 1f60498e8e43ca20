/**
 * Cases from other sandboxes' tests, as facts: the attempt and its expected result. The scripts are Holdfast's own.
 * `docs/peers.md` is made from these tables, and `test/peers.test.ts` runs them.
 */

/** Boxes that cases share. Each has a policy, in `boxes.ts`. */
export type SharedBox = 'plain' | 'network' | 'commands' | 'released' | 'bare';

/** The reason why a group of a peer's tests has no case here. */
export type Beside = 'inner' | 'platform' | 'builder' | 'kernel' | 'form' | 'elsewhere';

export const besideReasons: Readonly<Record<Beside, string>> = {
  inner: 'They test functions, messages or argument lists of the peer, and a box shows nothing of that.',
  platform: 'They need macOS, Windows, a container engine or a cloud.',
  builder: 'They put a root together from options. A policy of Holdfast grants paths, and has no such options.',
  kernel: 'They test the interface of the kernel: flags, versions and rule objects that a box never hands out.',
  form: 'They test an option that Holdfast leaves out on purpose.',
  elsewhere: 'Holdfast has the feature in another form, and tests of its own for it.',
};

/** Inside a box. In the control, without Holdfast, a refused script has to succeed. */
interface Inside {
  readonly kind: 'permitted' | 'refused';
  readonly script: string;
  readonly box: SharedBox;
  /** `root`: only root can do it without Holdfast. `none`: it would do damage, or needs a box. */
  readonly control: 'anyone' | 'root' | 'none';
}

/** On the host, where `$H` is the program `holdfast`. */
interface Around {
  readonly kind: 'around';
  readonly script: string;
}

interface Fact {
  readonly tries: string;
}

/** Runs with the peer's result, or, with `because`, with a different one on purpose. */
export type RunCase = Fact & (Inside | Around) & { readonly because?: string };
/** Not run. */
export type BesideCase = Fact & { readonly kind: 'beside'; readonly reason: Beside };
export type PeerCase = RunCase | BesideCase;

export interface PeerSuite {
  readonly peer: string;
  /** Where its tests are. */
  readonly tests: string;
  readonly cases: readonly PeerCase[];
}

type More = Partial<Pick<Inside, 'box' | 'control'>>;

export function permitted(tries: string, script: string, more: More = {}): RunCase {
  return { kind: 'permitted', tries, script, box: 'plain', control: 'none', ...more };
}

export function refused(tries: string, script: string, more: More = {}): RunCase {
  return { kind: 'refused', tries, script, box: 'plain', control: 'anyone', ...more };
}

export function around(tries: string, script: string): RunCase {
  return { kind: 'around', tries, script };
}

/** The peer judges the same attempt differently. */
export function otherwise(because: string, decided: RunCase): RunCase {
  return { ...decided, because };
}

export function beside(reason: Beside, tries: string): BesideCase {
  return { kind: 'beside', reason, tries };
}
