/**
 * Code that a model or a person wants run: interpreters that live in boxes, and the protocol that is spoken with them. What answers runs in
 * the same process as the code, so every byte of it is hostile. The programs that enter the boxes lie in `drivers/`.
 */
export { SandboxCode, type RunCodeOptions } from './sandbox-code.ts';
export type { CodeContext, CodeContextState, CodeRunOptions } from './code-context.ts';
export type { CodeEnding, CodeError, CodeExecution, CodeFormat, CodeResult } from './code-execution.ts';
export type { CodeContextOptions } from './start-interpreter.ts';
export type { CodeLanguage } from './languages.ts';
