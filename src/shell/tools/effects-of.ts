import type { Assignment, Effects, Opacity, TimeSpan, Word } from '../types.ts';
import { applyRole, type RoleContext } from './apply-role.ts';
import { addRefinement, effectsIn, type CommandFindings, noFindings, addOpaque } from './findings.ts';
import { parseArguments } from './parse-arguments.ts';
import { isOfProject, pathEffect, type PathBase } from './paths.ts';
import { placeOperands } from './place-operands.ts';
import type { OperandPlan, ParsedArguments, ParsedOption, StandingEffect, ToolSpec } from './types.ts';
import { wordAsTyped, staticWord, plainText } from './words.ts';

/** One command's effects, as far as its words tell. */
export interface ToolEffects {
  /** The canonical name with the subcommand: `git log`. */
  readonly tool: string;
  readonly effects: Effects;
  /** Commands named by its arguments. They run with `assignments`, in `directory`. */
  readonly commands: readonly (readonly Word[])[];
  /** Shell texts that it runs. */
  readonly scripts: readonly Word[];
  readonly assignments: readonly Assignment[];
  /** The working directory of those commands: the tool's own, unless an option (`git -C`) changes it. */
  readonly directory: string | 'unknown';
}

export interface EffectsContext extends PathBase {
  /** Position of the program's name, for reasons that belong to no argument. Default: 0 to 0. */
  readonly span?: TimeSpan;
}

/** Words of one command. More come from expansions, which are unknown here, or from a text made to cost time. */
const mostWords = 4096;

/**
 * Reads the words after a program's name by its specification. Anything that the specification does not cover is in
 * `effects.opaque`.
 */
export function effectsOf(spec: ToolSpec, words: readonly Word[], context: EffectsContext): ToolEffects {
  const findings = noFindings();
  const span = context.span ?? { start: 0, end: 0 };
  const names: string[] = [];
  let place: PathBase = context;
  let directory: string | 'unknown' | undefined;
  let level: ToolSpec | undefined = spec;
  let rest = words.length > mostWords ? words.slice(0, mostWords) : words;
  if (rest !== words) addOpaque(findings, 'budget', { message: `more than ${mostWords} words are not read`, span });
  while (level !== undefined) {
    const parsed = parseArguments(level, rest);
    names.push(level.names[0] ?? '');
    place = placeOf(parsed, place);
    const reader: Reader = { spec: level, parsed, place, findings, span, tool: names.join(' ') };
    directory = readLevel(reader) ?? directory;
    level = nextLevel(reader);
    rest = parsed.operands.slice(1);
  }
  const { commands, scripts, assignments } = findings;
  return {
    tool: names.join(' '),
    effects: effectsIn(findings),
    commands,
    scripts,
    assignments,
    directory: directory ?? place.cwd,
  };
}

interface Reader {
  readonly spec: ToolSpec;
  readonly parsed: ParsedArguments;
  readonly place: PathBase;
  readonly findings: CommandFindings;
  readonly span: TimeSpan;
  readonly tool: string;
}

/** Later paths are relative to the directory that an option names. Several such options are relative to each other. */
function placeOf(parsed: ParsedArguments, place: PathBase): PathBase {
  return parsed.options
    .filter(({ spec }) => spec.role === 'directory')
    .reduce(
      (before, { value }) => ({
        ...before,
        cwd:
          (value === undefined ? undefined : pathEffect(value, before, { use: 'read', scope: 'file' }).path) ??
          'unknown',
      }),
      place,
    );
}

function readLevel(reader: Reader): string | 'unknown' | undefined {
  const { spec, parsed, findings, place } = reader;
  for (const effect of spec.always ?? []) applyStanding(effect, { ...reader, concerns: 'tool' });
  for (const { kind, word } of parsed.unknown)
    addOpaque(findings, kind, { message: unknownMessage[kind](wordAsTyped(word), reader.tool), span: word.span });
  for (const option of parsed.options) readOption(option, reader);
  if (spec.subcommands === undefined || parsed.operands.length === 0) readOperands(reader);
  if (spec.refine === undefined) return undefined;
  const more = spec.refine(parsed, {
    cwd: place.cwd,
    path: (word, use, scope) => pathEffect(word, place, { use, scope }),
  });
  addRefinement(
    findings,
    more.opaque === undefined ? more : { ...more, opaque: more.opaque.map((reason) => asOfPlace(reason, place)) },
  );
  const lost = [...(more.reads ?? []), ...(more.writes ?? [])].find(({ path }) => path === undefined);
  const isSaid = more.opaque?.some(({ kind }) => kind === 'dynamic-word') ?? false;
  if (lost !== undefined && !isSaid)
    addOpaque(findings, 'dynamic-word', {
      message: `\`${lost.text}\` is no path that is known before it runs`,
      span: reader.span,
      ...(lost.use === 'read' && more.writes === undefined ? { atMost: 'reads' } : {}),
    });
  return more.directory;
}

const unknownMessage: Readonly<Record<'unknown-option' | 'dynamic-word', (word: string, tool: string) => string>> = {
  'unknown-option': (word, tool) => `\`${word}\` is no option of \`${tool}\` that is known`,
  'dynamic-word': (word, tool) => `\`${word}\` may become an option of \`${tool}\``,
};

function readOption({ spec, spelled, value, words }: ParsedOption, reader: Reader): void {
  if (spec.effect !== undefined) applyStanding(spec.effect, { ...reader, span: value?.span ?? reader.span });
  if (words !== undefined && spec.role !== 'word-list') reader.findings.commands.push(words);
  else if (value !== undefined && spec.role !== undefined) applyRole(spec.role, value, roleContext(reader, spelled));
}

function roleContext({ spec, parsed, place, findings }: Reader, origin: string): RoleContext {
  const isDeep = parsed.options.some((option) => option.spec.deep === true);
  return { findings, place, origin, isDeep, dash: spec.dash ?? 'stream' };
}

function readOperands(reader: Reader): void {
  const { spec, parsed, findings, tool } = reader;
  const plan: OperandPlan =
    parsed.options.findLast((option) => option.spec.operands !== undefined)?.spec.operands ?? spec.operands;
  const context = roleContext(reader, tool);
  for (const { word, roles, command } of placeOperands(plan, parsed.operands)) {
    if (command !== undefined) findings.commands.push(command);
    else if (roles.length === 0)
      addOpaque(findings, 'unknown-option', {
        message: `\`${wordAsTyped(word)}\` is one word more than \`${tool}\` is known to take`,
        span: word.span,
      });
    for (const role of roles) applyRole(role, word, context);
  }
}

/** The specification of the subcommand. Undefined at the end, and for an unknown subcommand. */
function nextLevel({ spec, parsed, findings, tool }: Reader): ToolSpec | undefined {
  const word = parsed.operands[0];
  if (spec.subcommands === undefined || word === undefined) return undefined;
  const name = plainText(word);
  const found = name === undefined ? undefined : spec.subcommands.find(({ names }) => names.includes(name));
  if (found === undefined)
    addOpaque(findings, subcommandReason(name), {
      message: `\`${wordAsTyped(word)}\` is no subcommand of \`${tool}\` that is known`,
      span: word.span,
    });
  return found;
}

function subcommandReason(name: string | undefined): Opacity['kind'] {
  return name === undefined ? 'dynamic-program' : 'unknown-tool';
}

/** Records the effects of a tool or an option that do not depend on its words. */
function applyStanding(
  effect: StandingEffect,
  where: {
    readonly findings: CommandFindings;
    readonly place: PathBase;
    readonly span: TimeSpan;
    readonly concerns?: Opacity['concerns'];
  },
): void {
  const { findings, place, span, concerns } = where;
  switch (effect.kind) {
    case 'opaque':
      findings.opaque.push(
        asOfPlace(
          { kind: effect.reason, message: effect.message, span, ...(concerns === undefined ? {} : { concerns }) },
          place,
        ),
      );
      return;
    case 'runs':
      findings.runs.push(effect.runs);
      return;
    case 'reads':
      findings.reads.push(pathEffect(standingWord(effect.path, span), place, { use: 'read', scope: effect.scope }));
      return;
    case 'writes':
      findings.writes.push(pathEffect(standingWord(effect.path, span), place, { use: 'write', scope: effect.scope }));
      return;
    case 'host':
      findings.hosts.push({ host: effect.host, port: effect.port, text: effect.host });
  }
}

/**
 * Files that `make` or `git` finds in its directory count as project code only within the project: `cd /tmp/x && make`.
 */
function asOfPlace(reason: Opacity, place: PathBase): Opacity {
  if (reason.kind !== 'repository-code' || isOfProject(place.cwd, place)) return reason;
  const { atMost: _, ...unbounded } = reason;
  return { ...unbounded, kind: 'unknown-tool', message: `${reason.message}, outside of the project` };
}

function standingWord(path: string, span: TimeSpan): ReturnType<typeof staticWord> {
  return path === '~' || path.startsWith('~/')
    ? { ...staticWord(path.slice(1), span), lead: 'home' }
    : staticWord(path, span);
}
