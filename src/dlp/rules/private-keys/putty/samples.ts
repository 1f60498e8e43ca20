import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

const lines = [chars('base64', 64, 'a'), chars('base64', 64, 'b'), `${chars('base64', 43)}=`];

export const samples: Samples = {
  found: [
    { why: 'in its file', before: 'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n', text: `Private-Lines: 3\n${lines.join('\n')}\n`, after: 'Private-MAC: 0\n' },
    { why: 'within a string', before: '"', text: `Private-Lines: 3\\n${lines.join('\\n')}\\n`, after: 'Private-MAC: 0"' },
  ],
  ignored: [
    { why: 'a public part', text: `Public-Lines: 3\n${lines.join('\n')}\n` },
    { why: 'no key stands in it', text: 'Private-Lines: 1\nnone\n' },
  ],
};
