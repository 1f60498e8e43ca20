import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { apiPage, apiPageFile } from './api-page.ts';

describe('the API page', { timeout: 120_000 }, () => {
  const page = apiPage();

  test('is current (else: node scripts/api-page.ts)', () => {
    expect(readFileSync(apiPageFile, 'utf8')).toBe(page);
  });

  test('has public names with their docstrings, and nothing private', () => {
    expect(page).toMatch(/^## Sandbox\n\n```text\n\/\*\*\n \* One policy over one workspace/mu);
    expect(page).toContain('## CommandHandle\n');
    expect(page).toContain('timeoutMs?: number;');
    expect(page).not.toMatch(/^\s+(?:private |#private)/mu);
  });
});
