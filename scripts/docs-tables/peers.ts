import { type Beside, besideReasons, type PeerCase, type PeerSuite, type RunCase } from '../../test/peers/case.ts';
import { peerSuites } from '../../test/peers/suites.ts';
import { markdownTable } from './markdown.ts';

/**
 * `docs/peers.md`: the number of cases from other sandboxes' tests that hold here, and the reasons for missing ones.
 */
export function peersPage(): string {
  return [
    intro,
    markdownTable(
      ['sandbox', 'its tests', 'cases here', 'same result', 'another on purpose'],
      [...peerSuites.map(countsOf), total()],
    ),
    controls,
    '## Decided otherwise',
    markdownTable(['sandbox', 'it tries to', 'Holdfast', 'because'], peerSuites.flatMap(differencesOf)),
    '## Groups without a case',
    markdownTable(['sandbox', 'tests', 'reason'], peerSuites.flatMap(groupsOf)),
    (Object.keys(besideReasons) as Beside[])
      .map((reason) => `- **${words[reason]}**: ${besideReasons[reason]}`)
      .join('\n'),
  ].join('\n\n');
}

const intro = `# Tests of other sandboxes

Compare Holdfast with the tests of its peers. Each case is a fact: what the peer's test tries, and what it expects. The scripts are written
anew, and run in real boxes of the native backend. Where a test tries one of several things, such as one family of sockets, a few cases try
its relatives too.

This page is generated from \`test/peers\` by \`scripts/docs-tables.ts\`. Run the cases with \`npx vitest run --project machine test/peers.test.ts\`.`;

const controls = `Every case runs with each change. The box must not only refuse: a canary in hidden files may appear in no output, and afterwards no file
outside of the grants may have changed. An attempt that the box refuses also runs without Holdfast, where it has to succeed. A third of these
controls run with each change, and all of them each night. Attempts that would hurt the machine have no control, such as a signal to another
process.`;

const words: Readonly<Record<Beside, string>> = {
  inner: 'inner parts',
  platform: 'another platform',
  builder: 'a builder of roots',
  kernel: 'the kernel itself',
  form: 'left out',
  elsewhere: 'tested elsewhere',
};

interface Counts {
  readonly run: number;
  readonly otherwise: number;
}

function counted(cases: readonly PeerCase[]): Counts {
  const run = cases.filter(({ kind }) => kind !== 'beside');
  return { run: run.length, otherwise: run.filter((one) => 'because' in one).length };
}

function countsOf({ peer, tests, cases }: PeerSuite): readonly string[] {
  return row(peer, tests, counted(cases));
}

function total(): readonly string[] {
  return row('all', '', counted(peerSuites.flatMap(({ cases }) => cases)));
}

function row(peer: string, tests: string, { run, otherwise }: Counts): readonly string[] {
  return [peer, tests, `${run}`, `${run - otherwise}`, `${otherwise}`];
}

function differencesOf({ peer, cases }: PeerSuite): readonly (readonly string[])[] {
  return cases.flatMap((one) =>
    one.kind === 'beside' || one.because === undefined
      ? []
      : [[peer, one.tries, isRefusal(one) ? 'refuses' : 'permits', one.because]],
  );
}

function groupsOf({ peer, cases }: PeerSuite): readonly (readonly string[])[] {
  return cases.flatMap((one) => (one.kind === 'beside' ? [[peer, one.tries, words[one.reason]]] : []));
}

/** A `!` marks a script around a box. */
function isRefusal({ kind, script }: RunCase): boolean {
  return kind === 'refused' || (kind === 'around' && script.startsWith('! '));
}
