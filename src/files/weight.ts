import type { FileOperation } from './types.ts';

/** What a request without payload costs, about: its frame, its reply, its place in the books. */
const base = 256;
/** One answer to `list`. */
const listing = 64 * 1024;

/** Bytes that an operation keeps in memory on its way there and back, about. */
export function weightOf(operations: readonly FileOperation[]): number {
  return operations.reduce((sum, operation) => sum + weightOfOne(operation), 0);
}

function weightOfOne(operation: FileOperation): number {
  switch (operation.kind) {
    case 'read':
    case 'readAt':
      return base + operation.length;
    case 'write':
    case 'writeAt':
      return base + operation.data.length;
    case 'list':
      return base + listing;
    default:
      return base;
  }
}
