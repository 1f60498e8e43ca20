/** Returns whether this is a CI system, where nobody can answer. By convention, CI systems set `CI`. */
export function isContinuousIntegration({ CI: value = '' }: Readonly<Record<string, string | undefined>>): boolean {
  return value !== '' && value !== '0' && value !== 'false';
}
