import { HoldfastError } from '../errors/index.ts';

/** Labels of a sandbox, for whoever has many. They are no secrets: the journal has them. */
export type Metadata = Readonly<Record<string, string>>;

const most = 32;
const longest = 256;

/** Throws `HF_USAGE` for more than 32 labels, for a name that is not of letters, digits, `.`, `_` and `-`, and for a text of more than 256 characters or with control characters. */
export function checkedMetadata(metadata: Metadata): Metadata {
  const labels = Object.entries(metadata);
  const wrong = labels.find(([name, text]) => !/^[\w.-]{1,64}$/u.test(name) || typeof text !== 'string' || text.length > longest || /\p{Cc}/u.test(text));
  if (wrong === undefined && labels.length <= most) return Object.freeze({ ...metadata });
  throw new HoldfastError('HF_USAGE', wrong === undefined ? `${labels.length} labels of a sandbox` : `the label ${JSON.stringify(wrong[0])} of a sandbox`, {
    remedy: `give at most ${most}, with names of letters, digits, ".", "_" and "-", and one line of at most ${longest} characters each`,
  });
}
