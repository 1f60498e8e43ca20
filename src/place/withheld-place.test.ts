import { expect, test } from 'vitest';
import { withheldPlace } from './withheld-place.ts';

const names = [
  ['.mcp.json'],
  ['.claude'],
  ['claude.md'],
  ['.github', 'prompts'],
  ['.github', 'copilot-instructions.md'],
  ['*.prompttemplate'],
  ['.roorules*'],
  ['a?b'],
];
const within = (directory: string): unknown => ({ kind: 'in-directory', directory });
const file = { kind: 'file' };

test.each([
  ['.mcp.json', file],
  ['sub/dir/.mcp.json', file],
  ['.MCP.json', file],
  ['CLAUDE.md', file],
  ['.claude/settings.json', within('.claude')],
  ['x/.Claude/skills/a/SKILL.md', within('x/.Claude')],
  ['.claude/CLAUDE.md', within('.claude')],
  ['.github/prompts/a.prompt.md', within('.github/prompts')],
  ['.github/copilot-instructions.md', file],
  ['deep/.github/prompts/x', within('deep/.github/prompts')],
  ['src/x.prompttemplate', file],
  ['.roorules-code/a.md', within('.roorules-code')],
  ['.roorules', file],
  ['aéb', file],
  ['.claude/node_modules/x', within('.claude')],
  ['.claude/.git/refs/x', within('.claude')],
  ['.git/CLAUDE.md', file],
  ['refs/CLAUDE.md', file],
  ['logs/.git/claude.md', file],
] as const)('%s', (path, place) => {
  expect(withheldPlace(names, path)).toEqual(place);
});

test.each([
  'mcp.json',
  '.mcp.json.bak',
  'claude.md.txt',
  '.github/workflows/ci.yml',
  'prompts/x',
  'github/prompts/x',
  '',
  'ab',
  'xprompttemplate',
  'node_modules/p/CLAUDE.md',
  'x/Node_Modules/p/.claude/x',
  '.git/refs/heads/claude.md',
  'sub/.git/modules/m/logs/refs/heads/CLAUDE.md',
  '.github/node_modules/prompts/x',
])('%j is in the box anyway', (path) => {
  expect(withheldPlace(names, path)).toBeUndefined();
});
