import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * A directory with files of these texts. A text that begins with `-> ` makes a symlink. It is removed after the test.
 */
export function makeRepository(files: Readonly<Record<string, string | Buffer>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'trust-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  put(root, files);
  return root;
}

export function put(root: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if (typeof text === 'string' && text.startsWith('-> ')) symlinkSync(text.slice(3), join(root, path));
    else writeFileSync(join(root, path), text);
  }
}
