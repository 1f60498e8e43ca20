import type { ParsedCommand, Script } from '../parse/meter.ts';
import type { Opacity, Redirect, Word } from '../types.ts';

/**
 * Returns PowerShell's commands of a text, for `analyse`. If the report is undefined, PowerShell has not answered, and
 * nothing is known. Its cmdlets have no specifications, so most commands are asked about. This lets rules see the
 * programs.
 */
export function scriptOf(report: Report | undefined, text: string): Script {
  const whole = { start: 0, end: text.length };
  if (report === undefined)
    return {
      invocations: [],
      defined: new Set(),
      shells: [undefined],
      opaque: [{ kind: 'shell', message: 'PowerShell did not list the commands of the text', span: whole }],
    };
  const errors = report.errors.map(
    ({ message, start, end }): Opacity => ({ kind: 'syntax', message, span: { start, end } }),
  );
  const strange = report.strange.map(
    (name): Opacity => ({ kind: 'uncovered', message: `\`${name}\` of PowerShell is not analysed`, span: whole }),
  );
  return {
    invocations: report.commands.map(commandOf),
    defined: new Set(),
    shells: [undefined],
    opaque: [...errors, ...strange],
  };
}

function commandOf(command: ReportedCommand, id: number): ParsedCommand {
  const { words, redirects, piped, top, start, end } = command;
  return {
    id,
    parent: undefined,
    relation: 'script',
    argv: words.map(wordOf),
    assignments: [],
    redirects: redirects.map(
      ({ append, target }): Redirect => ({
        use: append ? 'append' : 'write',
        target: wordOf(target),
        span: { start: target.start, end: target.end },
      }),
    ),
    stdin: piped ? { kind: 'pipe', from: undefined } : { kind: 'inherited' },
    runs: top ? 'always' : 'conditional',
    span: { start, end },
    shell: 0,
    // PowerShell's report distinguishes only `;` and line breaks, so a `cd` is certain for no command.
    after: 'any',
    place: top ? 'list' : 'branch',
  };
}

/** PowerShell expands `~` and patterns only in some cmdlets, so such words are unknown. */
function wordOf({ kind, text, value = '', start, end }: ReportedWord): Word {
  const span = { start, end };
  if (kind === 'dynamic' || /^~|[*?[\]]/u.test(value)) return { kind: 'dynamic', text, because: 'expansion', span };
  return { kind: 'static', value, span };
}

/** One word as PowerShell reports it. Offsets are UTF-16 code units of the text. */
export interface ReportedWord {
  readonly kind: 'static' | 'dynamic';
  readonly text: string;
  /** Set for static words. */
  readonly value?: string;
  readonly start: number;
  readonly end: number;
}

export interface ReportedCommand {
  readonly words: readonly ReportedWord[];
  readonly redirects: readonly { readonly append: boolean; readonly target: ReportedWord }[];
  /** Its input comes from another command, or from an unknown source. */
  readonly piped: boolean;
  /** Not within a branch, a loop or a word. */
  readonly top: boolean;
  readonly start: number;
  readonly end: number;
}

export interface Report {
  readonly id: number;
  readonly errors: readonly { readonly message: string; readonly start: number; readonly end: number }[];
  /** Names of nodes that are not on the list of harmless ones. */
  readonly strange: readonly string[];
  readonly commands: readonly ReportedCommand[];
}

/** Returns one line for PowerShell's input, with its line break. JSON contains none. */
export function requestLine(id: number, text: string): string {
  return `${JSON.stringify({ id, text })}\n`;
}

/** Parses a line of PowerShell's output. Undefined if its shape is wrong. Then nothing is known about the text. */
export function readReport(line: string): Report | undefined {
  const value = parsed(line);
  if (!isRecord(value)) return undefined;
  const { id, errors, strange, commands } = value;
  const isReport =
    typeof id === 'number' &&
    isListOf(errors, isError) &&
    isListOf(strange, (item) => typeof item === 'string') &&
    isListOf(commands, isCommand);
  // Each part has been checked.
  return isReport ? (value as unknown as Report) : undefined;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

function hasPlace({ start, end }: Fields): boolean {
  return (
    Number.isInteger(start) && Number.isInteger(end) && (start as number) >= 0 && (end as number) >= (start as number)
  );
}

function isError(value: unknown): boolean {
  return isRecord(value) && hasPlace(value) && typeof value['message'] === 'string';
}

function isWord(value: unknown): boolean {
  if (!isRecord(value) || !hasPlace(value) || typeof value['text'] !== 'string') return false;
  return value['kind'] === 'dynamic' || (value['kind'] === 'static' && typeof value['value'] === 'string');
}

function isCommand(value: unknown): boolean {
  if (!isRecord(value) || !hasPlace(value) || typeof value['piped'] !== 'boolean' || typeof value['top'] !== 'boolean')
    return false;
  return (
    isListOf(value['words'], isWord) &&
    isListOf(
      value['redirects'],
      (item) => isRecord(item) && typeof item['append'] === 'boolean' && isWord(item['target']),
    )
  );
}

/**
 * The program that PowerShell runs to parse texts: one JSON object per line in, one per line out. It parses and never
 * evaluates. It reports every node outside its list of harmless nodes. So a node of a later language version causes a
 * question, and is not overlooked.
 */
export const powershellProgram = String.raw`
$ErrorActionPreference = 'Stop'
$quiet = @('ScriptBlockAst','NamedBlockAst','StatementBlockAst','PipelineAst','PipelineChainAst','CommandAst','CommandParameterAst','CommandExpressionAst','StringConstantExpressionAst','ExpandableStringExpressionAst','ConstantExpressionAst','VariableExpressionAst','SubExpressionAst','ParenExpressionAst','ArrayExpressionAst','ArrayLiteralAst','FileRedirectionAst','MergingRedirectionAst','IfStatementAst','BinaryExpressionAst','UnaryExpressionAst','ForEachStatementAst','WhileStatementAst')
function Word($ast) {
  $word = @{ kind = 'dynamic'; text = $ast.Extent.Text; start = $ast.Extent.StartOffset; end = $ast.Extent.EndOffset }
  if ($ast -is [Management.Automation.Language.StringConstantExpressionAst]) { $word.kind = 'static'; $word.value = $ast.Value }
  if ($ast -is [Management.Automation.Language.CommandParameterAst] -and $null -eq $ast.Argument) { $word.kind = 'static'; $word.value = $ast.Extent.Text }
  $word
}
function Read-Text($text) {
  $tokens = $null; $errors = $null
  $tree = [Management.Automation.Language.Parser]::ParseInput($text, [ref]$tokens, [ref]$errors)
  $nodes = @($tree.FindAll({ $true }, $true))
  $strange = @($nodes | Where-Object { $quiet -notcontains $_.GetType().Name } | ForEach-Object { $_.GetType().Name } | Select-Object -Unique)
  if ($tree.ParamBlock -or $tree.BeginBlock -or $tree.ProcessBlock -or $tree.CleanBlock -or $tree.DynamicParamBlock -or $tree.UsingStatements) { $strange += 'blocks' }
  if ($text.Contains('--%')) { $strange += 'StopParsing' }
  $commands = @($nodes | Where-Object { $_ -is [Management.Automation.Language.CommandAst] } | ForEach-Object {
    $pipeline = $_.Parent
    $place = if ($pipeline -is [Management.Automation.Language.PipelineAst]) { $pipeline.PipelineElements.IndexOf($_) } else { -1 }
    @{ words = @($_.CommandElements | ForEach-Object { Word $_ }); start = $_.Extent.StartOffset; end = $_.Extent.EndOffset; piped = ($place -ne 0); top = ($pipeline.Parent -eq $tree.EndBlock)
       redirects = @($_.Redirections | Where-Object { $_ -is [Management.Automation.Language.FileRedirectionAst] } | ForEach-Object { @{ append = $_.Append; target = (Word $_.Location) } }) }
  })
  @{ errors = @($errors | ForEach-Object { @{ message = $_.Message; start = $_.Extent.StartOffset; end = $_.Extent.EndOffset } }); strange = $strange; commands = $commands }
}
while ($null -ne ($line = [Console]::In.ReadLine())) {
  $request = $line | ConvertFrom-Json
  try { $answer = Read-Text $request.text } catch { $answer = @{ errors = @(@{ message = 'PowerShell could not read the text'; start = 0; end = 0 }); strange = @(); commands = @() } }
  $answer.id = $request.id
  [Console]::Out.WriteLine(($answer | ConvertTo-Json -Depth 8 -Compress))
  [Console]::Out.Flush()
}
`;
