/**
 * The tools room runs tools that are written in JavaScript or compiled to WebAssembly, and have no capabilities by
 * default. A manifest lists a tool's grants, and the policy may reduce them.
 *
 * `host/` is the program inside a tool's box, and loads no other part of Holdfast. The other folders are the
 * supervisor's side, which decides every call. The room knows no sandbox: boxes, network and files are passed in as
 * `ToolDoors`.
 */
export type { DoorAnswer, DoorFiles, DoorRequest, ToolDoors, ToolIdentity, ToolProcess } from './broker/doors.ts';
export type { ToolLimit } from './failure.ts';
export { type LoadedTool, loadTool } from './manifest/load-tool.ts';
export type { Manifest } from './manifest/load-tool.ts';
export type { LogLevel } from './protocol/messages.ts';
export { Tool, type ToolCallOptions, type ToolLogLine, type ToolRecord, type ToolResult } from './tool.ts';
