/**
 * A message for a terminal. It may quote names that a box chose: escapes in them would repaint the screen, and direction
 * marks would swap its words. Line breaks and tabs stay, because messages have lines of their own.
 */
export function safeText(text: string): string {
  return text.replaceAll(unsafe, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

const unsafe = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
