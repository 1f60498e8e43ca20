import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { foundFile, sha } from '../testing/values.ts';
import { trustGrants } from './approvals-of.ts';

const text = '{}\n';

describe('an approval', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'holdfast-approvals-of-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    writeFileSync(join(root, '.mcp.json'), text);
    writeFileSync(join(root, 'run.sh'), 'true\n');
  });

  const script = { path: 'run.sh', sha256: sha('true\n') };
  const approve = (): ReturnType<typeof trustGrants> =>
    trustGrants([foundFile({ text, scripts: [script, { path: 'none.sh' }] })], {
      root,
      level: 'always',
      now: new Date(0),
    });

  test('has the displayed bytes of the file and of the script that it names', () => {
    expect(approve().map(({ contents }) => [...contents])).toEqual([
      [
        [sha(text), Buffer.from(text)],
        [script.sha256, Buffer.from('true\n')],
      ],
    ]);
  });

  // Between the question and the answer, a box or a pull replaces the file.
  test.each(['.mcp.json', 'run.sh'])('is refused where %s is changed, gone, a FIFO or a directory', (name) => {
    const path = join(root, name);
    const others: readonly (() => unknown)[] = [
      () => writeFileSync(path, 'evil\n'),
      () => undefined,
      () => execFileSync('mkfifo', [path]),
      () => symlinkSync('/', path),
    ];
    for (const put of others) {
      rmSync(path, { force: true });
      put();
      expect(approve).toThrow(
        expect.objectContaining({
          code: 'HF_TRUST_REFUSED',
          message: expect.stringContaining('has changed since you saw it') as unknown,
        }),
      );
    }
  });
});
