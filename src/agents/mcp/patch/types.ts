/** One file of a patch. Texts are Latin-1: each character is a byte of the file, so that what is no UTF-8 stays what it is. */
export type FileChange =
  | { readonly kind: 'add'; readonly path: string; readonly content: string }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'update'; readonly path: string; readonly moveTo?: string; readonly apply: (before: string) => string };
