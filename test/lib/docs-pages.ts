import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './holdfast.ts';
import { fences, type Fence } from './markdown.ts';

/** The README and everything in `docs`, relative to the repository. */
export const pages: readonly string[] = ['README.md', ...globSync('docs/*.md', { cwd: repository }).toSorted()];

export function textOf(page: string): string {
  return readFileSync(join(repository, page), 'utf8');
}

export interface Snippet extends Fence {
  readonly page: string;
  /** `PAGE:LINE`. */
  readonly at: string;
}

export const snippets: readonly Snippet[] = pages.flatMap((page) =>
  fences(textOf(page)).map((fence): Snippet => ({ ...fence, page, at: `${page}:${fence.line}` })),
);

export function written(language: string): readonly Snippet[] {
  return snippets.filter((snippet) => snippet.language === language);
}
