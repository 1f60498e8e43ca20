import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SystemFiles extends Disposable {
  readonly hostsFile: string;
  readonly resolvConf: string;
  write(file: 'hosts' | 'resolv.conf', text: string): void;
  /** As package managers and NetworkManager do it. */
  replace(file: 'hosts' | 'resolv.conf', text: string): void;
  remove(file: 'hosts' | 'resolv.conf'): void;
}

/** A folder in place of /etc. */
export function systemFiles(texts: { readonly hosts?: string; readonly resolvConf?: string } = {}): SystemFiles {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-resolve-'));
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
  write('hosts', texts.hosts ?? '');
  write('resolv.conf', texts.resolvConf ?? '');
  return {
    hostsFile: join(folder, 'hosts'),
    resolvConf: join(folder, 'resolv.conf'),
    write,
    replace: (file, text) => {
      write('new', text);
      renameSync(join(folder, 'new'), join(folder, file));
    },
    remove: (file) => rmSync(join(folder, file)),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}
