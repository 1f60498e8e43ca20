import type { Opacity, PathEffect, RunEffect, Span, StaticWord, Word } from '../../types.ts';
import { each, flags, inOrder, takes, tool } from '../notation.ts';
import type { ParsedArguments, Refine, RefineContext, Refinement, ToolSpec } from '../types.ts';
import { shown, staticWord, textOf } from '../words.ts';
import { readSedScript, type SedFinding } from './sed-script.ts';

const refineSed: Refine = (parsed, context) => {
  const script = scriptOf(parsed);
  const inPlace = parsed.options.findLast(({ spec }) => spec.names.includes('--in-place'));
  const files = parsed.options.some(({ spec }) => spec.operands !== undefined) ? parsed.operands : parsed.operands.slice(1);
  const edited = inPlace === undefined ? {} : editsInPlace(files, inPlace.value, context);
  return joined(edited, script === undefined ? {} : effectsOfScript(script, context));
};

type Script = { readonly kind: 'known'; readonly text: string; readonly span: Span } | { readonly kind: 'unknown'; readonly word: Word };

/** All `-e` together, or the first operand. Files of scripts are noted by their role. */
function scriptOf({ options, operands }: ParsedArguments): Script | undefined {
  const expressions = options.filter(({ spec }) => spec.names.includes('--expression')).flatMap(({ value }) => (value === undefined ? [] : [value]));
  const hasFile = options.some(({ spec }) => spec.names.includes('--file'));
  const words = expressions.length > 0 || hasFile ? expressions : operands.slice(0, 1);
  const [first] = words;
  if (first === undefined) return undefined;
  const unknown = words.find((word) => textOf(word) === undefined);
  if (unknown !== undefined) return { kind: 'unknown', word: unknown };
  return { kind: 'known', text: words.map(textOf).join('\n'), span: first.span };
}

function effectsOfScript(script: Script, context: RefineContext): Refinement {
  if (script.kind === 'unknown') return { opaque: [{ kind: 'inline-code', message: `the script \`${shown(script.word)}\` of \`sed\` is not known`, span: script.word.span }] };
  const { span } = script;
  const found = readSedScript(script.text);
  return {
    reads: found.flatMap((each) => (each.kind === 'reads' ? [context.path(staticWord(each.path, span), 'read', 'file')] : [])),
    writes: found.flatMap((each) => (each.kind === 'writes' ? [context.path(staticWord(each.path, span), 'write', 'file')] : [])),
    runs: found.flatMap((each): readonly RunEffect[] => (each.kind === 'runs' ? [{ what: each.text, kind: 'inline-code' }] : [])),
    opaque: found.flatMap((each) => reasonOf(each, span)),
    scripts: found.flatMap((each) => (each.kind === 'runs' && each.text !== '' ? [staticWord(each.text, span)] : [])),
  };
}

function reasonOf(found: SedFinding, span: Span): readonly Opacity[] {
  if (found.kind === 'runs') return [{ kind: 'inline-code', message: `the script of \`sed\` runs a command: \`${found.text}\``, span }];
  if (found.kind === 'unclear') return [{ kind: 'inline-code', message: `the script of \`sed\` is not understood at \`${found.text}\``, span }];
  return [];
}

/** A suffix with `*` or `/` puts the copy anywhere. */
function editsInPlace(files: readonly Word[], suffix: Word | undefined, context: RefineContext): Refinement {
  const text = suffix === undefined ? '' : textOf(suffix);
  if (text === undefined || !/^[\w.~-]*$/u.test(text)) {
    const word = suffix ?? staticWord('');
    return { writes: files.map((file) => context.path(file, 'write', 'file')), opaque: [{ kind: 'unknown-option', message: `the suffix \`${shown(word)}\` may name a file anywhere`, span: word.span }] };
  }
  const copies = text === '' ? [] : files.filter((file): file is StaticWord => file.kind === 'static').map((file) => ({ ...file, value: file.value + text }));
  return { writes: [...files, ...copies].map((file): PathEffect => context.path(file, 'write', 'file')) };
}

function joined(first: Refinement, second: Refinement): Refinement {
  return {
    ...second,
    reads: [...(first.reads ?? []), ...(second.reads ?? [])],
    writes: [...(first.writes ?? []), ...(second.writes ?? [])],
    opaque: [...(first.opaque ?? []), ...(second.opaque ?? [])],
  };
}

export const sed: ToolSpec = tool('sed', {
  operands: inOrder(['text'], 'read'),
  options: [
    ...flags('-n --quiet --silent', '--debug', '--follow-symlinks', '--posix', '-E -r --regexp-extended', '-s --separate', '--sandbox', '-u --unbuffered', '-z --null-data', '--help', '--version'),
    ...takes('text', '-l --line-length'),
    { names: ['-e', '--expression'], value: 'required', operands: each('read') },
    { names: ['-f', '--file'], value: 'required', role: 'code-file', operands: each('read') },
    { names: ['-i', '--in-place'], value: 'optional' },
  ],
  refine: refineSed,
});
