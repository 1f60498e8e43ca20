/**
 * Reads what a guest prints, piece by piece; true from the piece on that shows that its kernel came to its first program: it says the word
 * that this boot was given, and after it that it runs `/init`. A program that repeats its own arguments says only the first.
 */
export function bootReader(word: string): (piece: string) => boolean {
  let line = '';
  let progress: 'nothing' | 'command-line' | 'init' = 'nothing';
  return (piece) => {
    const [first = '', ...others] = piece.split('\n');
    const lines = [line + first, ...others];
    line = (lines.pop() ?? '').slice(0, longestLine);
    for (const complete of lines) {
      const text = complete.replace(/^\[[ \d.]{1,24}\] /u, '');
      if (progress === 'nothing' && text.startsWith('Kernel command line: ') && text.includes(word)) progress = 'command-line';
      else if (progress === 'command-line' && text.startsWith('Run /init as init process')) progress = 'init';
    }
    return progress === 'init';
  };
}

const longestLine = 4096;
