import * as fc from 'fast-check';

/** Words that shells, command lines and option parsers read in their own way, and any others; none holds a NUL. */
export const hostileWord: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', '-', '--', '-c', '--cd', '$(id)', '`id`', '%PATH%', '%VAR%', '!!', '~', '*', `'`, `"`, `'"'"'`, '\\', '\\\\', '\\"', `a'b"c\\`, 'a b\\', '\n', '\r\n', '\t', 'A=1', '=', 'é\u202e', '𝒳', '\u0001', '; rm -rf /', '&& x', '$IFS', '{a,b}', '#', '\\\\?\\C:\\x'),
  fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
  fc.string({ unit: fc.constantFrom(`'`, `"`, '\\', ' ', '$', '`', '\n', 'a', '%', '=') }),
);
