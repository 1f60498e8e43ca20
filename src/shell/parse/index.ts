/** The parser of shell texts: the one place that knows `unbash`. A text goes in, the commands that it would run come out. */
export { createMeter, type Meter } from './meter.ts';
export { parseScript } from './parse-script.ts';
export type { ParsedCommand, Script } from './types.ts';
