/** Returns whether this is a CI system, where nobody sits. By convention, they set `CI`. */
export function isContinuousIntegration({ CI: value = '' }: Readonly<Record<string, string | undefined>>): boolean {
  return value !== '' && value !== '0' && value !== 'false';
}
