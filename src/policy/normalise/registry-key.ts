/** Long names of the hives. Source: Windows, `winreg.h` predefined keys. */
const hives: ReadonlyMap<string, string> = new Map([
  ['hkey_local_machine', 'hklm'],
  ['hkey_current_user', 'hkcu'],
  ['hkey_classes_root', 'hkcr'],
  ['hkey_users', 'hku'],
  ['hkey_current_config', 'hkcc'],
  ...['hklm', 'hkcu', 'hkcr', 'hku', 'hkcc'].map((name) => [name, name] as const),
]);

/** The kernel's names: `\REGISTRY\MACHINE\SOFTWARE`. */
const kernelHives: ReadonlyMap<string, string> = new Map([
  ['machine', 'hklm'],
  ['user', 'hku'],
]);

/** `Computer\` of the registry editor, `Registry::` of PowerShell. */
const prefix = /^(?:computer\\|(?:microsoft\.powershell\.core\\)?registry::\\*)/u;

/**
 * Returns the components of a registry key in the spelling that rules compare: short hive, lower case (keys ignore
 * case), no empty parts. Undefined without a hive, because a rule about such a key would match nothing.
 */
export function registryParts(key: string): readonly string[] | undefined {
  if (key.includes('\0') || !key.isWellFormed()) return undefined;
  const [first, ...parts] = key
    .toLowerCase()
    .replace(prefix, '')
    .split('\\')
    .filter((part) => part !== '');
  if (first === undefined) return undefined;
  const [second, ...below] = parts;
  const kernel = first === 'registry' && second !== undefined ? kernelHives.get(second) : undefined;
  if (kernel !== undefined) return [kernel, ...below];
  const hive = hives.get(first.replace(/:$/u, ''));
  return hive === undefined ? undefined : [hive, ...parts];
}

/** Names of the 32-bit view. */
const otherViews: ReadonlySet<string> = new Set(['wow6432node', 'wowaa32node']);

/**
 * Returns the keys that a name leads to, in one spelling. A user's hive maps to the current user's, and a control set
 * to the current one. The merged classes map to those of the machine and of the user. The 32-bit view maps to the other
 * view.
 *
 * Attack: `HKLM\SYSTEM\ControlSet001\Services` for a rule about `HKLM\SYSTEM\CurrentControlSet\Services`.
 */
export function registryTargets(parts: readonly string[]): readonly (readonly string[])[] {
  return withoutLinks(parts).map((target) => currentSet(target.filter((part) => !otherViews.has(part))));
}

const classes = ['software', 'classes'];

function withoutLinks(parts: readonly string[]): readonly (readonly string[])[] {
  const [hive = '', ...rest] = parts;
  const [user, ...below] = rest;
  switch (hive) {
    case 'hkcr':
      return [
        ['hklm', ...classes, ...rest],
        ['hkcu', ...classes, ...rest],
      ];
    case 'hku':
      return [user?.endsWith('_classes') === true ? ['hkcu', ...classes, ...below] : ['hkcu', ...below]];
    case 'hkcc':
      return [['hklm', 'system', 'currentcontrolset', 'hardware profiles', 'current', ...rest]];
    default:
      return [parts];
  }
}

/** Patterns may have wildcards in place of the number. */
function currentSet(parts: readonly string[]): readonly string[] {
  const [hive, system, set, ...rest] = parts;
  return hive === 'hklm' && system === 'system' && set !== undefined && /^controlset[\d*?]+$/u.test(set)
    ? [hive, system, 'currentcontrolset', ...rest]
    : parts;
}
