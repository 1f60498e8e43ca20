/** Whether a text is a card number or an IBAN by its checksum, with or without spaces and hyphens: somebody could be charged. */
export function isPayable(text: string): boolean {
  return isCardNumber(text) || isIban(text);
}

/** 13 to 19 digits with the checksum of ISO/IEC 7812-1 (Luhn). */
export function isCardNumber(text: string): boolean {
  if (!/^\d(?:[ -]?\d){12,18}$/u.test(text)) return false;
  const sum = text.replaceAll(/\D/gu, '').split('').toReversed().reduce((total, digit, index) => total + luhnShare(Number(digit), index), 0);
  return sum % 10 === 0;
}

/** A country, two digits and 11 to 30 characters with the checksum of ISO 13616 (mod 97). */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d\d(?:[ -]?[\dA-Z]){11,30}$/u.test(text)) return false;
  const plain = text.replaceAll(/[ -]/gu, '');
  return `${plain.slice(4)}${plain.slice(0, 4)}`.split('').reduce((rest, character) => {
    const value = Number.parseInt(character, 36);
    return (rest * (value > 9 ? 100 : 10) + value) % 97;
  }, 0) === 1;
}

function luhnShare(digit: number, index: number): number {
  const doubled = digit * (1 + (index % 2));
  return doubled > 9 ? doubled - 9 : doubled;
}
