import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty directory that ends with its block. */
export class TestDirectory implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'holdfast-image-'));
  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
