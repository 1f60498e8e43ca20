/**
 * The sandbox room: the public library. It joins policy, plan, backend and journal into sessions.
 *
 * Command line, agent adapters and dashboard use this room, and have no logic of their own.
 */
export { openSession, type Session } from '../session/session.ts';
export type { Grants } from '../place/grants.ts';
export type { PlaceOptions } from '../place/place.ts';
export type { Metadata, SessionOptions } from '../session/session-options.ts';
export { Sandbox, type SandboxOptions } from './sandbox.ts';
export type { Commands } from '../session/commands.ts';
export type { CommandOptions, RunOptions, StartOptions } from '../session/commands/command-options.ts';
export type {
  CommandConnection,
  CommandEnd,
  CommandEnding,
  CommandHandle,
  CommandInfo,
  CommandResult,
  TerminalSize,
} from '../session/commands/command-handle.ts';
export type { OutputChoice } from '../session/commands/known-commands.ts';
export type { EventsOptions, SandboxEvent } from './session-events.ts';
export type { CommandMetrics, SandboxMetrics } from './metrics.ts';
export type { CodeContext, CodeContextState, CodeRunOptions } from '../code/code-context.ts';
export type { CodeContextOptions } from '../code/start-interpreter.ts';
export type { CodeEnding, CodeError, CodeExecution, CodeFormat, CodeResult } from '../code/code-execution.ts';
export type { CodeLanguage } from '../code/languages.ts';
export type { RunCodeOptions, SandboxCode } from '../code/sandbox-code.ts';
export type {
  Artifact,
  Artifacts,
  CollectArtifactsOptions,
  CollectedArtifacts,
  LeftOutArtifact,
  LeftOutReason,
} from '../code/artifacts.ts';
export { SandboxPool, type Exhausted, type LentSandbox, type PoolOptions, type PoolStats } from './sandbox-pool.ts';
export type { CurrentPolicy, Narrowed, NarrowOptions, SandboxPolicy } from './sandbox-policy.ts';
export type { PolicyRequest } from '../policy/request.ts';
export type { Verdict } from '../policy/verdict.ts';
export { commandClass, type CommandClassOptions } from './explain-command.ts';
export type { ClassReason, LineClass } from '../shell/class/class-of.ts';
export { type CommandClass, commandClasses } from '../shell/class/command-class.ts';
export type { PolicyText } from '../place/policy-texts.ts';
export type { OutputChunk, OutputName } from '../session/commands/output-tape.ts';
export type { FetchedBytes, FetchedText, FetchOptions, FetchResult } from '../egress/fetch/types.ts';
export type {
  BatchBuilder,
  BatchOptions,
  BatchOutcome,
  CopyOptions,
  FileData,
  FileEntry,
  FileError,
  FileEvent,
  FileInfo,
  FileOperation,
  FilePath,
  FileRefusal,
  FileResult,
  Files,
  FileStat,
  FileTime,
  FileType,
  FileWatcher,
  ListedFile,
  ListOptions,
  Loss,
  MakeDirOptions,
  OneShotOptions,
  OwnerOptions,
  Range,
  RemoveOptions,
  RenameOptions,
  TemporaryOptions,
  TemporaryPath,
  TimesOptions,
  WatchOptions,
  WriteFlag,
  WriteOptions,
} from '../files/index.ts';
export type {
  FilesForModel,
  ShownFile,
  ShownLine,
  ShownLines,
  ShownPaths,
  ShownSearch,
} from '../files/session/for-models.ts';
export type { FindOptions } from '../files/session/find-files.ts';
export type { LineRange } from '../files/session/read-lines.ts';
export type { SearchOptions } from '../files/session/search-files.ts';
export type { ApprovalRequest, Approve } from '../approvals/session/approve.ts';
export type { SandboxApprovals } from '../approvals/session/session-approvals.ts';
export {
  watchApprovals,
  type AnswerResult,
  type ApprovalAnswer,
  type ApprovalDecision,
  type ApprovalWatch,
  type GivenAnswer,
  type ApprovalOutcome,
  type PendingApproval,
  type QueueChange as ApprovalChange,
  type SocketChannel,
  type WatchApprovalsOptions,
  type WatchedChange,
} from '../approvals/index.ts';
export type { SessionProxy } from '../egress/session/session-egress.ts';
export type { StagedChoice } from '../staged/session/staging.ts';
export {
  acceptLayer,
  discardLayer,
  listStaged,
  reviewLayer,
  reviewText,
  undoAccept,
  type AcceptChoice,
  type LayerOptions,
  type LayerPathsOptions,
} from '../staged/session/layers.ts';
export type { Review, ReviewCounts } from '../staged/session/review-layer.ts';
export type { Detail as ReviewDetail } from '../staged/session/review-lines.ts';
export type { StagedLayerSummary, StagedList } from '../staged/session/list-staged.ts';
export type { AcceptRecord } from '../staged/apply/record.ts';
export type { AcceptReport } from '../staged/session/accept-by-policy.ts';
export type { DiscardReport } from '../staged/apply/discard.ts';
export type { StagedLeftOut } from '../staged/apply/select.ts';
export type { Recovered } from '../staged/apply/unmake.ts';
export type { UndoReport } from '../staged/apply/undo.ts';
export type { StagedChange, Conflict, EntryFacts, StagedLayer, StagedRoot } from '../staged/types.ts';
export type { WorkspaceCheckpoints } from '../checkpoints/session/workspace-checkpoints.ts';
export type {
  Checkpoint,
  CheckpointSummary,
  Difference,
  CheckpointEntry,
  CheckpointLeftOut,
} from '../checkpoints/types.ts';
export type { Comparison, ShownDifference } from '../checkpoints/checkpoints.ts';
export type { PendingRestore } from '../checkpoints/restore/journal.ts';
export type { Restored } from '../checkpoints/restore/restore.ts';
export type { UserTrash } from '../trash/session/user-trash.ts';
export type { TrashEntry } from '../trash/entry-file.ts';
export type { SandboxCredentials } from './sandbox-policy.ts';
export type { ShownCredential, ShownCredentials } from '../credentials/session/shown-credentials.ts';
export {
  openCluster,
  type Cluster,
  type ClusterDoctorOptions,
  type ClusterPoolOptions,
  type ClusterPools,
  type ClusterRunOptions,
} from '../cluster/session/open-cluster.ts';
export type { ClusterKind, Patience } from '../cluster/session/types.ts';
export type { ClusterOptions } from '../cluster/session/connection.ts';
export type { ClusterObjectOptions } from '../cluster/session/cluster-request.ts';
export type { ClusterExamination, ClusterFinding } from '../cluster/session/findings.ts';
export type { JoinOptions } from '../cluster/session/exec-in-sandbox.ts';
export type { ClusterForward, ForwardOptions } from '../cluster/session/forward/forward-to-sandbox.ts';
export type { CollectedJournal } from '../cluster/session/journey/collect-journal.ts';
export type { CollectedChanges } from '../cluster/session/journey/collect-changes.ts';
export type { ClusterSandbox } from '../cluster/session/list-sandboxes.ts';
export type { ClusterPool } from '../cluster/session/pools/manage-pools.ts';
export type { CommandExit } from '../cluster/session/pod-state.ts';
export type { LogOptions } from '../cluster/session/read-logs.ts';
export type { StoppedSandbox, StopOptions } from '../cluster/session/stop-sandbox.ts';
export type { ClusterCommand, ClusterEnd, ClusterOutput, RunStart } from '../cluster/session/types.ts';
export type { SandboxTools } from '../tools/session/sandbox-tools.ts';
export type { Tool, ToolCallOptions, ToolLogLine, ToolResult } from '../tools/index.ts';
export type { Quarantined } from '../aftermath/quarantine/quarantine.ts';
export type { Refusal } from '../place/refusals/refusal.ts';
export type { Reader } from '../session/shown-output.ts';
export {
  boundaries,
  type BoundaryName,
  checkForStorage,
  defuseOutbound,
  describeFindings,
  escapePath,
  type FilteredText,
  type FilterOptions,
  filterText,
  type FindingKind,
  instructionLikeness,
  type Likeness,
  type OutboundOptions,
  OutboundStream,
  type OutboundStreamOptions,
  OutputFilter,
  type OutputReport,
  present,
  sanitizeForStorage,
  type StorageResult,
  TerminalFilter,
  type TextFinding,
  type TextForm,
  type TextMode,
  unescapePath,
} from '../text/index.ts';
export { HoldfastError, isHoldfastError, type HoldfastErrorCode } from '../errors/index.ts';
