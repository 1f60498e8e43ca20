/**
 * Checks the arrows of the house: the allowed imports between folders of `src`. Prints every import that violates them.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

/**
 * The rooms from the ground up. Each may import itself and its listed rooms, which are all above it here, so no circle
 * of rooms can arise. `llm/session` is the part of `llm` that works for one session, and a separate room.
 */
const arrows: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  'git-config': [],
  text: ['errors'],
  shell: ['errors', 'text'],
  dlp: ['errors'],
  policy: ['errors', 'text', 'shell', 'dlp'],
  plan: ['errors', 'policy'],
  llm: ['errors', 'text', 'policy', 'dlp'],
  kernel: ['errors', 'policy', 'plan'],
  audit: ['errors', 'text', 'policy'],
  backends: ['errors', 'plan', 'kernel'],
  cluster: ['errors', 'policy', 'plan', 'backends'],
  egress: ['errors', 'text', 'policy'],
  credentials: ['errors', 'text', 'policy', 'egress', 'kernel'],
  kube: ['errors', 'kernel', 'credentials'],
  files: ['errors'],
  staged: ['errors', 'text', 'git-config', 'policy', 'plan', 'kernel'],
  trash: ['errors', 'policy', 'kernel'],
  checkpoints: ['errors', 'policy', 'kernel'],
  notify: ['errors', 'text', 'policy', 'plan', 'kernel', 'trash'],
  approvals: ['errors', 'text', 'policy', 'kernel'],
  trust: ['errors', 'text', 'shell', 'policy', 'kernel', 'git-config'],
  worktree: ['errors', 'shell', 'kernel'],
  tools: ['errors', 'policy'],
  place: ['errors', 'text', 'dlp', 'policy', 'plan', 'kernel', 'backends', 'audit', 'notify', 'trust', 'git-config'],
  aftermath: ['errors', 'policy', 'plan', 'kernel', 'audit', 'backends', 'git-config', 'place'],
  'credentials/session': ['errors', 'policy', 'plan', 'audit', 'egress', 'credentials', 'place'],
  'approvals/session': [
    'errors',
    'text',
    'policy',
    'audit',
    'egress',
    'approvals',
    'credentials',
    'place',
    'credentials/session',
  ],
  'llm/session': ['text', 'policy', 'dlp', 'llm', 'audit', 'egress', 'credentials', 'place'],
  'egress/session': [
    'errors',
    'text',
    'policy',
    'plan',
    'audit',
    'backends',
    'egress',
    'credentials',
    'approvals',
    'place',
    'credentials/session',
    'approvals/session',
    'llm/session',
  ],
  'shell/session': ['errors', 'shell', 'policy', 'plan', 'audit', 'notify', 'place', 'approvals/session'],
  'notify/session': [
    'errors',
    'policy',
    'plan',
    'kernel',
    'audit',
    'backends',
    'trash',
    'notify',
    'place',
    'approvals/session',
    'egress/session',
    'shell/session',
  ],
  'trust/session': ['policy', 'plan', 'trust', 'place'],
  'staged/session': ['errors', 'text', 'policy', 'plan', 'audit', 'backends', 'files', 'staged', 'place', 'aftermath'],
  'trash/session': ['kernel', 'audit', 'files', 'trash', 'place', 'staged/session'],
  'checkpoints/session': ['audit', 'checkpoints', 'place'],
  central: ['errors', 'policy', 'kernel', 'audit', 'egress', 'trust', 'place'],
  metrics: ['text', 'policy', 'llm', 'audit', 'backends', 'egress', 'staged', 'place'],
  session: [
    'errors',
    'text',
    'policy',
    'plan',
    'kernel',
    'audit',
    'backends',
    'egress',
    'notify',
    'place',
    'aftermath',
    'credentials/session',
    'approvals/session',
    'egress/session',
    'shell/session',
    'notify/session',
    'trust/session',
    'staged/session',
  ],
  'cluster/session': [
    'errors',
    'policy',
    'audit',
    'plan',
    'kernel',
    'backends',
    'cluster',
    'kube',
    'staged',
    'egress',
    'approvals',
    'place',
    'session',
  ],
  'files/session': ['errors', 'text', 'policy', 'plan', 'audit', 'backends', 'files', 'place', 'session'],
  'tools/session': ['errors', 'policy', 'plan', 'backends', 'files', 'tools', 'place', 'session', 'files/session'],
  code: ['errors', 'text', 'audit', 'files', 'place', 'aftermath', 'session', 'files/session'],
  mcp: ['errors', 'text', 'policy', 'kernel', 'audit', 'approvals', 'trust', 'place', 'session'],
  sandbox: [
    'central',
    'errors',
    'text',
    'shell',
    'policy',
    'plan',
    'audit',
    'backends',
    'egress',
    'files',
    'staged',
    'trash',
    'checkpoints',
    'approvals',
    'tools',
    'place',
    'aftermath',
    'credentials/session',
    'approvals/session',
    'egress/session',
    'shell/session',
    'staged/session',
    'trash/session',
    'checkpoints/session',
    'session',
    'files/session',
    'tools/session',
    'code',
    'cluster/session',
  ],
  agents: ['errors', 'text', 'policy', 'audit', 'place', 'session', 'mcp', 'sandbox'],
  serve: ['errors', 'kernel', 'backends', 'approvals', 'place', 'metrics', 'session', 'sandbox', 'agents'],
  dashboard: [
    'errors',
    'text',
    'policy',
    'llm',
    'audit',
    'staged',
    'approvals',
    'trust',
    'place',
    'llm/session',
    'staged/session',
    'sandbox',
  ],
  cli: [
    'central',
    'errors',
    'text',
    'shell',
    'policy',
    'plan',
    'dlp',
    'llm',
    'kernel',
    'audit',
    'backends',
    'cluster',
    'egress',
    'credentials',
    'files',
    'staged',
    'trash',
    'checkpoints',
    'approvals',
    'trust',
    'worktree',
    'tools',
    'place',
    'credentials/session',
    'approvals/session',
    'llm/session',
    'trust/session',
    'staged/session',
    'trash/session',
    'checkpoints/session',
    'session',
    'cluster/session',
    'tools/session',
    'mcp',
    'sandbox',
    'agents',
    'serve',
    'dashboard',
  ],
};

/** Rooms whose code must not touch the machine. */
const pure = ['errors', 'text', 'git-config', 'shell', 'policy', 'plan', 'dlp', 'llm', 'cluster'];
// They use only the CRC-32 of `node:zlib`.
const pureBuiltins = ['node:url', 'node:path/posix', 'node:zlib'];
const importPattern = /(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/gu;

const problems = [...Object.keys(arrows).flatMap(checkOrder), ...globSync('src/**/*.{ts,tsx}').flatMap(checkFile)];
for (const problem of problems) console.error(problem);
console.log(`lint-arrows: ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

function checkFile(file: string): readonly string[] {
  const room = roomOf(file);
  if (room === undefined || isTest(file)) return [];
  const allowed = arrows[room];
  if (allowed === undefined) return [`${file}: the room src/${room} is not in scripts/lint-arrows.ts`];
  return [...readFileSync(file, 'utf8').matchAll(importPattern)].flatMap(([, target = '']) => {
    if (target.startsWith('node:'))
      return pure.includes(room) && !pureBuiltins.includes(target)
        ? [`${file}: ${room} is pure and may not import ${target}`]
        : [];
    if (!target.startsWith('.')) return [];
    const other = roomOf(relative(process.cwd(), resolve(dirname(file), target)));
    return other === undefined || other === room || allowed.includes(other)
      ? []
      : [`${file}: ${room} may not import ${other}`];
  });
}

/** Tests and their helpers may import anything. */
function isTest(file: string): boolean {
  return file.endsWith('.test.ts') || file.includes('/testing/');
}

/** The imports of a room are in rooms above it. */
function checkOrder(room: string, place: number): readonly string[] {
  const above = Object.keys(arrows).slice(0, place);
  return (arrows[room] ?? []).flatMap((other) =>
    above.includes(other) ? [] : [`scripts/lint-arrows.ts: ${room} may import ${other}, which does not stand above it`],
  );
}

function roomOf(file: string): string | undefined {
  return (/^src\/([^/]+\/session)\//u.exec(file) ?? /^src\/([^/]+)\//u.exec(file))?.[1];
}
