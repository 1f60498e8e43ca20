/**
 * Functions that write, run text as SQL, or reach outside the database despite a read-only transaction. Each was found
 * by its effect in PostgreSQL 15, or in the documentation (9.27, 9.28, 35.4, appendix F). Functions that the server
 * itself refuses in a read-only transaction (`nextval`) are not listed. In lower case. A final `*` matches any ending.
 */
const reserved = [
  // Other connections, which have their own transactions.
  'dblink*',
  // Large objects, which read-only transactions before PostgreSQL 16 can write, and files of the server.
  'lo_*',
  'loread',
  'lowrite',
  // Files of the server.
  'pg_read_*',
  'pg_ls_*',
  'pg_stat_file',
  'pg_file_*',
  'pg_logdir_ls',
  'pg_current_logfile',
  'pg_config',
  'pg_hba_file_rules',
  'pg_ident_file_mappings',
  'pg_show_all_file_settings',
  // Text that is run as SQL without passing this check.
  'query_to_xml*',
  'cursor_to_xml*',
  'table_to_xml*',
  'schema_to_xml*',
  'database_to_xml*',
  'ts_stat',
  'ts_rewrite',
  'crosstab*',
  'connectby',
  'xpath_table',
  'pgr_*',
  // Other sessions, and the server itself.
  'pg_terminate_backend',
  'pg_cancel_backend',
  'pg_reload_conf',
  'pg_rotate_logfile*',
  'pg_promote',
  'pg_notify',
  'pg_log_backend_memory_contexts',
  'pg_advisory_lock*',
  'pg_advisory_xact_lock*',
  'pg_try_advisory_*',
  'pg_stat_reset*',
  'pg_stat_force_next_flush',
  'pg_stat_statements_reset',
  'pg_stat_clear_snapshot',
  'pg_wal_replay_*',
  'pg_switch_*',
  'pg_start_backup',
  'pg_stop_backup',
  'pg_backup_*',
  'pg_create_*',
  'pg_drop_*',
  'pg_copy_*',
  'pg_logical_*',
  'pg_replication_*',
  'pg_sync_replication_slots',
  'pg_export_snapshot',
  'pg_import_*',
  'pg_nextoid',
  'pg_extension_config_dump',
  'pg_restore_*',
  'pg_clear_*_stats',
  'pg_set_*_stats',
  'binary_upgrade_*',
  // Storage of tables and indexes.
  'brin_summarize_*',
  'brin_desummarize_range',
  'gin_clean_pending_list',
  'heap_force_*',
  'pg_truncate_visibility_map',
  'pg_buffercache_evict*',
  'pg_prewarm',
  'autoprewarm_*',
  // Sandboxes and background workers of extensions.
  'pg_background_*',
  'aws_lambda*',
  'query_export_to_s3',
  'table_import_from_s3',
] as const;

/** Further such functions whose names are also common for columns. They count only before a parenthesis. */
const called = ['http', 'http_*', 'exec', 'execute', 'eval', 'invoke', 'setval', 'system'] as const;

/** Returns the reason that a name is refused, or undefined. `isCalled`: a parenthesis follows. */
export function deniedFunction(name: string, isCalled: boolean): string | undefined {
  return spellingsOf(name).find((spelling) => denied.test(spelling) || (isCalled && deniedCall.test(spelling)));
}

/**
 * Returns all ways in which the server may read a name. In a Turkish locale with a single-byte encoding, the server
 * folds a capital dotted I, which is not ASCII, to an ASCII i.
 */
export function spellingsOf(name: string): readonly string[] {
  const lower = name.toLowerCase();
  return [lower, lower.replaceAll(/[\u0080-\u00ff]+/g, 'i')];
}

const denied = patternOf(reserved);
const deniedCall = patternOf(called);

function patternOf(names: readonly string[]): RegExp {
  return new RegExp(`^(?:${names.map((name) => name.replaceAll('*', '.*')).join('|')})$`, 'u');
}
