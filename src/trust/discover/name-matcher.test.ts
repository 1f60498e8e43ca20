import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { surfaces } from '../surfaces/table.ts';
import type { Surface } from '../types.ts';
import { nameMatcher, nowhere } from './name-matcher.ts';
import { rounds } from '../../../scripts/testing/extent.ts';

const matcher = nameMatcher(surfaces);

function surfaceOf(path: string): Surface | undefined {
  const names = path.split('/');
  let standing = nowhere;
  for (const name of names.slice(0, -1)) standing = matcher.match(name, standing, 'any').standing;
  return matcher.match(names.at(-1) ?? '', standing, 'any').surface;
}

/** Matches by the table as written, without optimisation. */
function slowly(path: string): Surface | undefined {
  const names = path.split('/').map(lower);
  const matches = ({ components, gate }: Surface): boolean =>
    names.some((_, start) => {
      const isTree = components.at(-1) === '**';
      const fixed = (isTree ? components.slice(0, -1) : components).map(lower);
      const rest = names.length - start;
      return (
        (isTree || gate === 'hidden' ? rest >= fixed.length : rest === fixed.length) &&
        fixed.every((pattern, index) => fits(pattern, names[start + index] ?? ''))
      );
    });
  return surfaces.find((row) => row.gate === 'hidden' && matches(row)) ?? surfaces.find(matches);
}

const lower = (text: string): string => text.replaceAll(/[A-Z]/gu, (letter) => letter.toLowerCase());

function fits(pattern: string, name: string): boolean {
  if (pattern === '') return name === '';
  if (pattern[0] === '*') return fits(pattern.slice(1), name) || (name !== '' && fits(pattern, name.slice(1)));
  return name !== '' && (pattern[0] === '?' || pattern[0] === name[0]) && fits(pattern.slice(1), name.slice(1));
}

describe('nameMatcher', () => {
  test.each([
    ['.mcp.json', 'claude-mcp'],
    ['a/b/.Claude/SETTINGS.json', 'claude-settings'],
    ['.claude/x/y/z', 'claude-directory'],
    ['.claude', 'claude-directory'],
    ['.clinerules', 'cline-rules-file'],
    ['.rules/python/style.md', 'zed-rules'],
    ['package.json/x', undefined],
    ['.clinerules/x.md', 'cline-rules'],
    ['.claude/agents/AGENTS.md', 'claude-agents'],
    ['.github/prompts/a/b.md', 'copilot-prompts-directory'],
    ['.github/workflows/x.yml', undefined],
    ['vite.config.ts', 'vite-config'],
    ['.env.production', 'dotenv-named'],
    ['.envrc', 'envrc'],
    ['.pi/extensions/a.ts', 'pi-extensions'],
    ['.Pi/SYSTEM.md', 'pi-directory'],
    ['.qoder/skills/a/SKILL.md', 'qoder-skills'],
    ['skills/a/SKILL.md', undefined],
    ['.claude/skills/a/SKILL.md', 'claude-skills'],
    ['.idea/runConfigurations/x.xml', 'idea-run-configurations'],
    ['docker-compose.override.yaml', 'compose'],
    ['\u212Airo/x', undefined],
    ['.\u212Airo/x', undefined],
    ['prompts/a.md', undefined],
  ])('%s is %s', (path, name) => {
    expect(surfaceOf(path)?.name).toBe(name);
  });

  test('agrees with the table, for any path', () => {
    const known = [...new Set(surfaces.flatMap(({ components }) => components))].map((name) =>
      name.replaceAll('**', 'deep').replaceAll('*', 'x'),
    );
    const component = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...known) },
      { weight: 1, arbitrary: fc.constantFrom('x', '.x', 'X.JSON', '.GIT', 'hooks', '') },
      { weight: 1, arbitrary: fc.constantFrom(...known).map((name) => name.toUpperCase()) },
    );
    fc.assert(
      fc.property(
        fc.array(component, { minLength: 1, maxLength: 5 }),
        (names) => void expect(surfaceOf(names.join('/'))?.name).toBe(slowly(names.join('/'))?.name),
      ),
      { numRuns: rounds(3000) },
    );
  });
});
