import { HoldfastError } from '../../errors/index.ts';
import { isSet, text, type CommandInput } from '../command.ts';

/** What `--format` says, where `--json` stands for one of them. Throws `HF_USAGE` for both. */
export function formatOf(values: CommandInput['values'], json: 'json' | 'jsonl'): string | undefined {
  const format = text(values['format']);
  if (!isSet(values['json'])) return format;
  if (format === undefined || format === json) return json;
  throw new HoldfastError('HF_USAGE', `expected --json or --format ${format}, got both`, { remedy: 'use one of them' });
}
