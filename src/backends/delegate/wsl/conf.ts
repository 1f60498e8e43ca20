import { isPlainPath } from '../mapping.ts';

/** Where the drives of Windows are mounted in a distribution, without a trailing slash; `none` when they are not. */
export type Automount = { readonly kind: 'at'; readonly root: string } | { readonly kind: 'none' };

/** `[automount]` of `/etc/wsl.conf`; the text is empty where there is none. A root that is no plain path is as good as none. */
export function parseAutomount(text: string): Automount {
  const settings = settingsOf(text, 'automount');
  if (settings.get('enabled')?.toLowerCase() === 'false') return { kind: 'none' };
  const root = (settings.get('root') ?? '/mnt/').replace(/\/$/u, '');
  return root === '' || isPlainPath(root) ? { kind: 'at', root } : { kind: 'none' };
}

function settingsOf(text: string, wanted: string): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  let section = '';
  for (const line of text.split('\n')) {
    const trimmed = line.trim();
    if (trimmed.startsWith('[') && trimmed.endsWith(']')) section = trimmed.slice(1, -1).trim().toLowerCase();
    const at = trimmed.indexOf('=');
    if (section !== wanted || at === -1 || trimmed.startsWith('#')) continue;
    settings.set(trimmed.slice(0, at).trim().toLowerCase(), unquoted(trimmed.slice(at + 1).trim()));
  }
  return settings;
}

function unquoted(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
