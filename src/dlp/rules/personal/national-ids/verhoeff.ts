/** Source: J. Verhoeff, "Error Detecting Decimal Codes", 1969: the multiplication of the group of a pentagon's symmetries, and a permutation of digits by place. */
const permutation = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

export function passesVerhoeff(digits: string): boolean {
  let check = 0;
  for (let place = 0; place < digits.length; place += 1) {
    let value = digits.charCodeAt(digits.length - 1 - place) - 48;
    for (let times = 0; times < place % 8; times += 1) value = permutation[value] ?? 0;
    check = product(check, value);
  }
  return check === 0;
}

function product(a: number, b: number): number {
  const turns = a < 5 ? a + (b % 5) : a - 5 - (b % 5) + 5;
  return (turns % 5) + (a < 5 === b < 5 ? 0 : 5);
}
