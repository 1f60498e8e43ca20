/** What is known of editors and of clients of databases. Specifications and their refinements only: nothing is looked up on the machine. */
import type { ToolSpec } from '../types.ts';
import { databaseTools } from './databases.ts';
import { editorTools } from './editors.ts';

export const editorsTools: readonly ToolSpec[] = [...editorTools, ...databaseTools];
