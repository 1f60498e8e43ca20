import { each, fetchesUrls, flags, takes, tool, toolFamily } from '../notation.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { plainText, wordAsTyped } from '../words.ts';

const manual = flags('-h --help', '-V --version');

/** `put` and `delete` write to the file. */
const selects: Refine = ({ operands: [verb] }) =>
  verb !== undefined && /^(?:put|delete|completion)$/u.test(plainText(verb) ?? 'put')
    ? { opaque: [{ kind: 'inline-code', message: `\`dasel ${wordAsTyped(verb)}\` changes a file`, span: verb.span }] }
    : {};

/** `gron https://…` asks a server. */
const filesOrServers: Refine = ({ operands }, { path }) => {
  const servers = operands.filter((word) => /^https?:/u.test(wordAsTyped(word)));
  return {
    hosts: servers.map((word) => ({ host: undefined, port: undefined, text: wordAsTyped(word) })),
    reads: operands.filter((word) => !servers.includes(word)).map((word) => path(word, 'read', 'file')),
  };
};

/** Programs that select parts of JSON, XML and HTML. Sources: their manuals, and `--help`. */
export const selectors: readonly ToolSpec[] = [
  tool('gron', {
    options: [
      ...manual,
      ...flags('-u --ungron', '-c --colorize', '-m --monochrome', '-s --stream', '-k --insecure', '-j --json'),
      ...flags('-v --values', '--no-sort'),
    ],
    operands: each('text'),
    refine: filesOrServers,
  }),
  tool('dasel', {
    options: [
      ...manual,
      ...flags('-n --null', '-m --multiple', '-c --compact', '--plain', '--pretty', '--escape-html', '-a --all'),
      ...takes('text', '-r --read', '-w --write', '-p --parser', '-s --selector', '--colour', '--format'),
      ...takes('read', '-f --file'),
    ],
    operands: each('text'),
    refine: selects,
  }),
  toolFamily(
    'xmlstarlet xml',
    [
      tool('sel select', {
        options: [
          ...flags('-C --comp', '-R --root', '-T --text', '-I --indent', '-D --xml-decl', '-B --noblanks', '-n --nl'),
          ...flags('-t --template', '-b --break', '--else', '-Q --quiet', '-f --inp-name', '--help'),
          ...takes('text', '-E --encode', '-N', '-c --copy-of', '-v --value-of', '-o --output', '-m --match'),
          ...takes('text', '-i --if', '--elif', '-e --elem', '-a --attr', '-s --sort', '--var'),
        ],
        operands: each('read'),
      }),
      tool('el elements', {
        options: flags('-a', '-v', '-u', '--help'),
        operands: each('read'),
        refine: fetchesUrls,
      }),
      tool('val validate', {
        options: flags('-w --well-formed', '-e --err', '-b', '-q', '--help'),
        operands: each('read'),
        refine: fetchesUrls,
      }),
      tool('fo format', {
        options: [...flags('-n --noindent', '-t --indent-tab', '-o --omit-decl', '--help'), ...takes('text', '-s')],
        operands: each('read'),
      }),
      tool('ed edit', {
        options: [
          ...flags('-P --pf', '-S --ps', '-O --omit-decl', '--help'),
          ...takes('text', '-N', '-d --delete', '-u --update', '-v --value', '-x --expr', '-r --rename', '-n --name'),
          ...takes('text', '-a --append', '-i --insert', '-s --subnode', '-t --type', '-m --move', '--var'),
          { names: ['-L', '--inplace'], operands: each('write') },
        ],
        operands: each('read'),
      }),
    ],
    { options: flags('--version', '--help') },
  ),
  tool('htmlq', {
    options: [
      ...manual,
      ...flags('-t --text', '-p --pretty', '-w --ignore-whitespace', '-B --detect-base'),
      ...takes('text', '-a --attribute', '-b --base', '-r --remove-nodes'),
      ...takes('read', '-f --filename'),
      ...takes('write', '-o --output'),
    ],
    operands: each('text'),
  }),
  tool('pup', {
    options: [
      ...flags('-c --color', '-n --number', '-p --plain', '--pre', '-h --help', '--version'),
      ...takes('text', '-i --indent', '-l --limit', '--charset'),
      ...takes('read', '-f --file'),
    ],
    operands: each('text'),
  }),
];
