/** Holds the arrows of the house: which folder of `src` may import which. Prints every import that goes against them. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

/** For each room, the rooms it may import; itself always. A room that is not listed may be imported by nobody. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  text: ['errors'],
  'git-config': [],
  shell: ['errors', 'text'],
  policy: ['errors', 'text', 'shell', 'dlp'],
  plan: ['errors', 'policy'],
  backends: ['errors', 'plan', 'kernel'],
  audit: ['errors', 'text', 'policy'],
  egress: ['errors', 'text', 'policy'],
  credentials: ['errors', 'text', 'policy', 'egress', 'kernel'],
  kernel: ['errors', 'policy', 'plan'],
  files: ['errors'],
  staged: ['errors', 'text', 'policy', 'plan', 'kernel'],
  trash: ['errors', 'policy', 'kernel'],
  checkpoints: ['errors', 'policy', 'kernel'],
  notify: ['errors', 'text', 'policy', 'plan', 'kernel', 'trash'],
  dlp: ['errors'],
  llm: ['errors', 'text', 'policy', 'dlp'],
  approvals: ['errors', 'text', 'policy', 'kernel'],
  trust: ['errors', 'text', 'shell', 'policy', 'kernel', 'git-config'],
  worktree: ['errors', 'shell', 'kernel'],
  tools: ['errors', 'policy'],
  sandbox: ['errors', 'text', 'shell', 'policy', 'plan', 'backends', 'egress', 'credentials', 'audit', 'kernel', 'files', 'staged', 'trash', 'checkpoints', 'notify', 'approvals', 'trust', 'git-config', 'dlp', 'llm', 'tools'],
  serve: ['errors', 'backends', 'kernel', 'approvals', 'sandbox', 'agents'],
  agents: ['errors', 'text', 'policy', 'audit', 'sandbox'],
  dashboard: ['errors', 'text', 'policy', 'audit', 'staged', 'approvals', 'trust', 'llm', 'sandbox'],
  cli: ['errors', 'text', 'shell', 'policy', 'plan', 'backends', 'egress', 'credentials', 'audit', 'kernel', 'files', 'staged', 'trash', 'checkpoints', 'notify', 'approvals', 'trust', 'sandbox', 'agents', 'dashboard', 'dlp', 'llm', 'worktree', 'tools', 'serve'],
};

/** Rooms whose code must not touch the machine. */
const pure = ['errors', 'text', 'git-config', 'shell', 'policy', 'plan', 'dlp', 'llm'];
// Of `node:zlib` they have its CRC-32.
const pureBuiltins = ['node:url', 'node:path/posix', 'node:zlib'];
const importPattern = /(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/gu;

const problems = globSync('src/**/*.{ts,tsx}').flatMap(checkFile);
for (const problem of problems) console.error(problem);
console.log(`lint-arrows: ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

function checkFile(file: string): readonly string[] {
  const room = roomOf(file);
  if (room === undefined || isTest(file)) return [];
  const allowed = arrows[room];
  if (allowed === undefined) return [`${file}: the room src/${room} is not in scripts/lint-arrows.ts`];
  return [...readFileSync(file, 'utf8').matchAll(importPattern)].flatMap(([, target = '']) => {
    if (target.startsWith('node:')) return pure.includes(room) && !pureBuiltins.includes(target) ? [`${file}: ${room} is pure and may not import ${target}`] : [];
    if (!target.startsWith('.')) return [];
    const other = roomOf(relative(process.cwd(), resolve(dirname(file), target)));
    return other === undefined || other === room || allowed.includes(other) ? [] : [`${file}: ${room} may not import ${other}`];
  });
}

/** Tests and what only tests use may look anywhere. */
function isTest(file: string): boolean {
  return file.endsWith('.test.ts') || file.includes('/testing/');
}

function roomOf(file: string): string | undefined {
  return /^src\/([^/]+)\//u.exec(file)?.[1];
}
