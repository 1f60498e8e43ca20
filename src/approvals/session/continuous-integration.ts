/** Whether this runs where nobody sits: CI systems set `CI`, by convention. */
export function isContinuousIntegration({ CI: value = '' }: Readonly<Record<string, string | undefined>>): boolean {
  return value !== '' && value !== '0' && value !== 'false';
}
