/** Whether the last digit is Luhn's check digit. Of digits only. Source: ISO/IEC 7812-1, annex B. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const value = digits.charCodeAt(digits.length - 1 - place) - 48;
    const doubled = place % 2 === 1 ? value * 2 : value;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length > 1 && sum % 10 === 0;
}
