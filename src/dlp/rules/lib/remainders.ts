/**
 * Returns the remainder of a number of any length. A letter counts as a number of two digits, and A is 10. Source:
 * ISO/IEC 7064, ISO 13616.
 */
export function remainderOf(text: string, divisor: number): number {
  let rest = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % divisor;
  }
  return rest;
}

/** Returns the sum of digits, each multiplied by the weight of its position. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => sum + weight * (digits.charCodeAt(place) - 48), 0);
}

/**
 * Returns true if the last digit is Luhn's check digit. The text must consist of digits. Source: ISO/IEC 7812-1, annex
 * B.
 */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const value = digits.charCodeAt(digits.length - 1 - place) - 48;
    const doubled = place % 2 === 1 ? value * 2 : value;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length > 1 && sum % 10 === 0;
}
