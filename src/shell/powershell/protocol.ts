/** One word as PowerShell tells of it. Offsets are UTF-16 code units of the text. */
export interface ReportedWord {
  readonly kind: 'static' | 'dynamic';
  readonly text: string;
  /** Of static ones. */
  readonly value?: string;
  readonly start: number;
  readonly end: number;
}

export interface ReportedCommand {
  readonly words: readonly ReportedWord[];
  readonly redirects: readonly { readonly append: boolean; readonly target: ReportedWord }[];
  /** Its input comes from another command, or nobody knows where from. */
  readonly piped: boolean;
  /** Not within a branch, a loop or a word. */
  readonly top: boolean;
  readonly start: number;
  readonly end: number;
}

export interface Report {
  readonly id: number;
  readonly errors: readonly { readonly message: string; readonly start: number; readonly end: number }[];
  /** Names of nodes that are not known to be harmless. */
  readonly strange: readonly string[];
  readonly commands: readonly ReportedCommand[];
}

/** One line for the input of PowerShell, with its end. JSON has no line breaks of its own. */
export function requestLine(id: number, text: string): string {
  return `${JSON.stringify({ id, text })}\n`;
}

/** A line of PowerShell's output. Undefined where it is not of the agreed shape: then nothing is known of the text. */
export function readReport(line: string): Report | undefined {
  const value = parsed(line);
  if (!isRecord(value)) return undefined;
  const { id, errors, strange, commands } = value;
  const isReport = typeof id === 'number' && isListOf(errors, isError) && isListOf(strange, (item) => typeof item === 'string') && isListOf(commands, isCommand);
  // Each part has been looked at.
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
  return Number.isInteger(start) && Number.isInteger(end) && (start as number) >= 0 && (end as number) >= (start as number);
}

function isError(value: unknown): boolean {
  return isRecord(value) && hasPlace(value) && typeof value['message'] === 'string';
}

function isWord(value: unknown): boolean {
  if (!isRecord(value) || !hasPlace(value) || typeof value['text'] !== 'string') return false;
  return value['kind'] === 'dynamic' || (value['kind'] === 'static' && typeof value['value'] === 'string');
}

function isCommand(value: unknown): boolean {
  if (!isRecord(value) || !hasPlace(value) || typeof value['piped'] !== 'boolean' || typeof value['top'] !== 'boolean') return false;
  return isListOf(value['words'], isWord) && isListOf(value['redirects'], (item) => isRecord(item) && typeof item['append'] === 'boolean' && isWord(item['target']));
}
