import { alike, each, flags, inOrder, noSpan, opaqueEffect, takes, tool, toolFamily } from '../notation.ts';
import { hasOption } from '../parsed-options.ts';
import type { Opacity } from '../../types.ts';
import type { Refine, ToolSpec } from '../types.ts';

const message = 'starts a terminal session that goes on after this one';
const stays = opaqueEffect('inline-code', message);
const session: Opacity = { kind: 'inline-code', message, span: noSpan, concerns: 'tool' };

/** One word is a shell text. Several are analysed one by one, so that none counts as harmless. */
const words = each('script');

const changesSession: Opacity = {
  kind: 'inline-code',
  message: 'runs a program, or changes what others see in the session',
  span: noSpan,
};

/** `#(COMMAND)` within a format runs, and a word that ends in `;` ends the command: others follow. */
const formats: Refine = ({ operands, options }) => {
  const texts = [...operands, ...options.flatMap(({ value }) => value ?? [])];
  return texts.some((word) => word.kind !== 'static' || /#\(|;$/u.test(word.value)) ? { opaque: [changesSession] } : {};
};

/** Without `-p` the result goes to the clients or to a buffer. */
const printsFormats: Refine = (parsed, context) =>
  hasOption(parsed, '-p') ? formats(parsed, context) : { opaque: [changesSession] };

/** A new session has a shell of its own, which runs the text typed into it. */
const multiplexer = (name: string): ToolSpec =>
  toolFamily(
    name,
    [
      tool('new-session new', {
        grammar: 'getopt-posix',
        options: [
          ...flags('-A', '-d', '-D', '-E', '-P', '-X'),
          ...takes('text', '-n', '-s', '-t', '-x', '-y', '-f'),
          ...takes('directory', '-c'),
          ...takes('assignment', '-e'),
        ],
        operands: words,
        always: [stays],
      }),
      tool('has-session has', { options: takes('text', '-t'), operands: each('code') }),
      tool('list-sessions ls list-windows lsw list-panes lsp list-clients lsc show-options show', {
        options: [...flags('-a', '-s', '-g', '-A', '-v', '-w', '-p', '-q'), ...takes('text', '-t', '-F', '-f')],
        operands: each('text'),
        refine: formats,
      }),
      tool('display-message display', {
        options: [...flags('-a', '-v'), ...takes('text', '-t', '-c'), ...flags('-p')],
        operands: each('text'),
        refine: printsFormats,
      }),
      tool('capture-pane capturep', {
        options: [
          ...flags('-a', '-e', '-J', '-N', '-q', '-C', '-P'),
          ...flags('-p'),
          ...takes('text', '-t', '-S', '-E'),
        ],
        refine: printsFormats,
      }),
      tool('kill-session kill-server kill-window kill-pane', {
        options: [...flags('-a', '-C'), ...takes('text', '-t')],
        operands: each('code'),
        always: [opaqueEffect('inline-code', 'ends sessions and the programs in them')],
      }),
    ],
    {
      options: flags('-2', '-u', '-V'),
      refine: ({ operands, options }) =>
        operands.length > 0 || options.some(({ spelled }) => spelled === '-V') ? {} : { opaque: [session] },
    },
  );

/** `screen -ls` only shows; everything else is a session. */
const startsSession: Refine = ({ options }) =>
  options.some(({ spelled }) => /^-(?:l|v|-version)/u.test(spelled)) ? {} : { opaque: [session] };

const screen = tool('screen', {
  // Its letters combine in few ways, and `-ls` is a name.
  grammar: 'long-posix',
  options: [
    ...flags(
      '-A',
      '-a',
      '-d',
      '-D',
      '-m',
      '-dm',
      '-i',
      '-L',
      '-q',
      '-U',
      '-ls -list',
      '-v --version',
      '-O',
      '-R',
      '-RR',
      '-x',
      '-r',
    ),
    ...takes('text', '-S', '-dmS', '-DmS', '-mdS', '-dS', '-t', '-h', '-p', '-T', '-e'),
    ...takes('code-file', '-c'),
    ...takes('program', '-s'),
  ],
  operands: inOrder(['command']),
  refine: startsSession,
});

/** They start a program and leave it running. Their other words are not analysed. */
const daemonisers = alike('daemonize daemon start-stop-daemon dtach abduco', {
  grammar: 'words',
  operands: each('code'),
  always: [opaqueEffect('inline-code', 'starts a program that goes on after this session')],
});

/** Programs that keep others running after the end of a session. */
export const terminalTools: readonly ToolSpec[] = [multiplexer('tmux'), multiplexer('byobu'), screen, ...daemonisers];
