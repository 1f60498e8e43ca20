/** The remainder of a number of any length. Letters stand for two digits, A is 10. Source: ISO/IEC 7064, ISO 13616. */
export function remainderOf(text: string, divisor: number): number {
  let rest = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % divisor;
  }
  return rest;
}

/** The sum of digits, each times the weight of its place. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => sum + weight * (digits.charCodeAt(place) - 48), 0);
}
