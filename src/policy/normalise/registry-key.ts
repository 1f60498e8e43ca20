/** Long names of the hives. Source: Windows, `winreg.h` predefined keys. */
const hives: ReadonlyMap<string, string> = new Map([
  ['hkey_local_machine', 'hklm'],
  ['hkey_current_user', 'hkcu'],
  ['hkey_classes_root', 'hkcr'],
  ['hkey_users', 'hku'],
  ['hkey_current_config', 'hkcc'],
]);

/** The parts of a registry key in the one spelling rules compare: short hive, lower case (keys ignore it), no empty parts. */
export function registryParts(key: string): readonly string[] | undefined {
  if (key.includes('\0') || !key.isWellFormed()) return undefined;
  const [hive, ...parts] = key.toLowerCase().split('\\').filter((part) => part !== '');
  if (hive === undefined) return undefined;
  return [hives.get(hive) ?? hive, ...parts];
}
