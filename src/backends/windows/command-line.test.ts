import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandLine } from './command-line.ts';

/** `CommandLineToArgvW`. Source: Microsoft, "Parsing C++ command-line arguments". */
function wordsOf(line: string): readonly string[] {
  const end = line.indexOf('"', 1);
  const words = [line.slice(1, end)];
  let [word, quotes, begun] = ['', false, false];
  for (let at = end + 1; at < line.length; at += 1) {
    const [slashes = ''] = /^\\*/u.exec(line.slice(at)) ?? [];
    if (line[at + slashes.length] === '"' && slashes.length > 0) {
      word += '\\'.repeat(Math.floor(slashes.length / 2));
      begun = true;
      at += slashes.length;
      if (slashes.length % 2 === 1) word += '"';
      else quotes = !quotes;
    } else if (line[at] === '"') {
      quotes = !quotes;
      begun = true;
    } else if (!quotes && /[ \t]/u.test(line[at] ?? '')) {
      if (begun) words.push(word);
      [word, begun] = ['', false];
    } else {
      word += line[at] ?? '';
      begun = true;
    }
  }
  return begun ? [...words, word] : words;
}

test('the same words come out again', () => {
  const word = fc.string({ unit: fc.constantFrom('a', ' ', '"', '\\', '\t', '%', '&', '^', '\n'), maxLength: 8 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (rest) => {
      const made = commandLine(['C:\\bin\\x.exe', ...rest]);
      expect(made.kind === 'line' ? wordsOf(made.line) : made).toEqual(['C:\\bin\\x.exe', ...rest]);
    }),
  );
});

test.each([[['x.bat', 'a']], [['X.CMD']], [['x.cmd ']], [['x.bat. .']], [['']], [['a"b']], [['a', 'b\0']], [[]], [['a', 'x'.repeat(33_000)]]])('%j has none', (argv) => {
  expect(commandLine(argv).kind).toBe('none');
});
