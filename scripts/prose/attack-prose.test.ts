import { expect, test } from 'vitest';
import { proseOfAttack } from './attack-prose.ts';

const attack = `# Reads a secret

The attack reads it.

**Reported:** own

\`\`\`json attack.json
{
  "gap": "nothing holds it yet",
  "expect": "open"
}
\`\`\`

\`\`\`sh setup.sh
#!/bin/sh
# one
# two
echo x # not a line of its own
  // three
\`\`\`
`;

test('finds title, prose, gap and comments with their line, and joins comments in a row', () => {
  expect(proseOfAttack(attack)).toEqual([
    { kind: 'message', line: 1, text: 'Reads a secret' },
    { kind: 'message', line: 2, text: '\nThe attack reads it.\n\n**Reported:** own\n' },
    { kind: 'message', line: 9, text: 'nothing holds it yet' },
    { kind: 'comment', line: 16, text: 'one\ntwo' },
    { kind: 'comment', line: 19, text: 'three' },
  ]);
});

test('a text without a block is prose', () => {
  expect(proseOfAttack('# Title\n\nProse.\n').map(({ text }) => text)).toEqual(['Title', '\nProse.\n']);
});
