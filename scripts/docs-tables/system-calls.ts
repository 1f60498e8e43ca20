import type { Architecture } from '../../src/plan/seccomp/architecture.ts';
import { describeSeccomp, type SeccompRow } from '../../src/plan/describe.ts';
import { notifyCalls } from '../../src/plan/seccomp/notify.ts';
import { code, groupedBy, markdownTable } from './markdown.ts';

const architectures: readonly Architecture[] = ['x64', 'arm64'];

/** `docs/system-calls.md`: the reviewed list, as the filters of both architectures have it. */
export function systemCallsPage(): string {
  const rows = mergedRows();
  const [named, unnamed] = [
    rows.filter(({ names }) => names.length > 0),
    rows.filter(({ names }) => names.length === 0),
  ];
  return [
    intro(),
    '## Closed',
    table(named.filter(({ action }) => action !== 'allow')),
    'These rows cover calls that the list does not name:',
    markdownTable(
      ['when', 'answer', 'because'],
      unnamed.map(({ when, action, reason }) => [when, action, reason]),
    ),
    '## Reviewed, and open',
    'Other sandboxes close these calls. The last column says why this one does not.',
    table(named.filter(({ action }) => action === 'allow')),
  ].join('\n\n');
}

/** Without the calls that open files, which stop only sometimes. */
function guardNames(): readonly string[] {
  return notifyCalls.creations.flatMap(({ syscall }) => (/^(?:open|openat|creat)$/u.test(syscall) ? [] : [syscall]));
}

const intro = () => `# System calls

Look up the seccomp filter of every box. It is a deny-list of reviewed calls. Every other call of Linux 6.18 is open, and every newer call is
closed. If several rows cover one call, the first row with a true condition decides. \`holdfast plan\` prints the list for this machine.

A kernel without a call answers \`ENOSYS\`, and libraries then use an older call. \`kill\` ends the process. Calls with a \`*\` exist on x86-64
only. With \`process.ptrace = "allow"\` in the user's [policy](policy.md), rows with a ‡ do not apply. For the runtime of [gVisor](gvisor.md), the
rows about \`mount\` and about \`clone\` with any new namespace do not apply either. The row about cgroup namespaces does. The command in gVisor
gets none of this.

A second filter closes nothing by itself. It stops some calls until another process has judged them. In most boxes these are the calls that
create a name: ${code(guardNames())}, and \`openat\`, \`open\` and \`creat\` when they may create a file. The first process of the box judges
them for [protected paths](protected-paths.md), and lets all others continue at once. It also connects sockets and adds watches
(\`inotify_add_watch\`) in the caller's place. Under rules that ask, redirect or keep, the supervisor judges the calls that such a rule covers.

This page is generated from \`src/plan/seccomp/rules\` by \`scripts/docs-tables.ts\`.`;

interface MergedRow extends SeccompRow {
  readonly lifted: boolean;
}

/** Rows of both architectures. Equal rows appear once, with the union of their names. */
function mergedRows(): readonly MergedRow[] {
  const all = architectures.flatMap((architecture) =>
    describeSeccomp({ architecture, ptrace: 'deny' }).map((row) => ({ architecture, row })),
  );
  const kept = new Set(
    architectures.flatMap((architecture) => describeSeccomp({ architecture, ptrace: 'allow' }).map(keyOf)),
  );
  return groupedBy(all, ({ row }) => keyOf(row)).flatMap(([key, found]) => {
    const [first] = found;
    if (first === undefined) return [];
    const onArm = new Set(found.filter(({ architecture }) => architecture === 'arm64').flatMap(({ row }) => row.names));
    const names = [...new Set(found.flatMap(({ row }) => row.names))].map((name) =>
      onArm.has(name) ? name : `${name}*`,
    );
    return [{ ...first.row, names, lifted: !kept.has(key) }];
  });
}

/** Ignores the names, which differ. Rows with a difference on only one architecture have other conditions. */
function keyOf({ when, action, reason }: SeccompRow): string {
  return [when, action, reason].join('|');
}

function table(rows: readonly MergedRow[]): string {
  return markdownTable(
    ['calls', 'when', 'answer', 'because'],
    rows.map(({ names, when, action, reason, lifted }) => [
      `${code(names)}${lifted ? ' ‡' : ''}`,
      when === '' ? 'always' : when,
      action,
      reason,
    ]),
  );
}
