/** Returns a TOML string: literal if that is readable, otherwise basic with escapes. Source: TOML 1.0, String. */
export function tomlText(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  if (text.includes('\\') && !text.includes("'") && !hidden.test(text)) return `'${text}'`;
  return `"${text.replaceAll(/["\\]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, escapeCharacter)}"`;
}

const plain = /^[\w ./:@*?~+,=-]*$/;
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

function escapeCharacter(character: string): string {
  if (character === '"' || character === '\\') return `\\${character}`;
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
}
