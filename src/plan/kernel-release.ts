/** Linux 5.19: an earlier kernel begins a call again that is interrupted while it is judged. */
export function canHoldExecutions(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 19);
}
