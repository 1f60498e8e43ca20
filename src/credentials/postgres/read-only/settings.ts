/** Settings that a read-only session may change: none says what may be written, as whom, or how SQL is read. Lower case. */
export const settings: ReadonlySet<string> = new Set([
  'application_name', 'bytea_output', 'client_encoding', 'client_min_messages', 'constraint_exclusion', 'cursor_tuple_fraction', 'datestyle', 'default_text_search_config',
  'default_transaction_deferrable', 'default_transaction_isolation', 'enable_bitmapscan', 'enable_gathermerge', 'enable_hashagg', 'enable_hashjoin',
  'enable_incremental_sort', 'enable_indexonlyscan', 'enable_indexscan', 'enable_material', 'enable_memoize', 'enable_mergejoin', 'enable_nestloop',
  'enable_parallel_append', 'enable_parallel_hash', 'enable_partition_pruning', 'enable_partitionwise_aggregate', 'enable_partitionwise_join', 'enable_seqscan', 'enable_sort', 'enable_tidscan',
  'extra_float_digits', 'from_collapse_limit', 'geqo', 'geqo_threshold', 'idle_in_transaction_session_timeout', 'idle_session_timeout', 'intervalstyle', 'jit', 'jit_above_cost',
  'join_collapse_limit', 'lc_monetary', 'lc_numeric', 'lc_time', 'lock_timeout', 'max_parallel_workers_per_gather', 'plan_cache_mode', 'quote_all_identifiers', 'random_page_cost', 'row_security',
  'search_path', 'seq_page_cost', 'statement_timeout', 'synchronize_seqscans', 'timezone', 'transaction_deferrable', 'transaction_isolation', 'transaction_timeout', 'work_mem', 'xmlbinary', 'xmloption',
]);

/** Encodings in which no octet of ASCII means anything else, without `-`, `_` and blanks. */
const encodings: ReadonlySet<string> = new Set(['utf8', 'unicode', 'sqlascii', 'auto', 'latin1', 'latin2', 'latin9', 'latin10', 'iso88591', 'iso885915', 'win1250', 'win1251', 'win1252', 'windows1252', 'koi8r', 'koi8u', 'euccn', 'eucjp', 'euckr']);

export function isSafeEncoding(name: string): boolean {
  return encodings.has(name.toLowerCase().replaceAll(/[-_ ]/g, ''));
}
