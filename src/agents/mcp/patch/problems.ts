import { HoldfastError } from '../../../errors/index.ts';

/**
 * One file of a patch. Texts are Latin-1: each character is a byte of the file, so that bytes that are not UTF-8 stay
 * unchanged.
 */
export type FileChange =
  | { readonly kind: 'add'; readonly path: string; readonly content: string }
  | { readonly kind: 'delete'; readonly path: string }
  | {
      readonly kind: 'update';
      readonly path: string;
      readonly moveTo?: string;
      readonly apply: (before: string) => string;
    };

export function invalidPatch(why: string): HoldfastError {
  return new HoldfastError('HF_USAGE', `this patch cannot be read: ${why}`, {
    remedy: 'give a unified diff, or one that starts with *** Begin Patch',
  });
}

/** Both are Latin-1. `line` is the first line that was searched. */
export function doesNotFit(path: string, line: string): HoldfastError {
  return new HoldfastError(
    'HF_USAGE',
    `the patch does not fit ${latin1Text(path)}: the lines from ${quotedLine(line)} on do not stand there`,
    { remedy: 'read the file again and make the patch from its current content; nothing was changed' },
  );
}

/** Decodes Latin-1 back to text. */
export function latin1Text(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}

export function quotedLine(line: string): string {
  return JSON.stringify(latin1Text(line).slice(0, 100));
}
