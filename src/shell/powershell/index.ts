/**
 * PowerShell texts, read by PowerShell itself: the program that it runs, the lines that go to and fro, and the commands that come
 * of them. Nothing starts a process here. Without a PowerShell its texts are opaque.
 */
export { powershellProgram } from './program.ts';
export { readReport, requestLine, type Report, type ReportedCommand, type ReportedWord } from './protocol.ts';
export { scriptOf } from './script-of.ts';
