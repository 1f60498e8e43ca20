import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const source = 'src/dashboard/page';

/**
 * The dashboard's page for browsers: one script, one style sheet, and their assets. It loads nothing from elsewhere.
 */
export async function buildDashboard(into: string): Promise<void> {
  const outdir = join(into, 'dashboard');
  mkdirSync(outdir, { recursive: true });
  await build({
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: ['chrome120', 'firefox121', 'safari17'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    entryPoints: [join(source, 'main.tsx'), join(source, 'page.css')].map((file) => ({ in: file, out: 'page' })),
    outdir,
  });
  for (const name of ['index.html', 'icon.svg']) copyFileSync(join(source, name), join(outdir, name));
}
