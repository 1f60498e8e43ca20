/** `2 × tag, 1 × bidi`. */
export function describeCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts).map(([name, count]) => `${count} × ${name}`).join(', ');
}
