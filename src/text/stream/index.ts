/** What commands print, filtered as it comes: bytes in, bytes out. */
export { OutputFilter, type OutputFilterOptions, type OutputReport } from './output-filter.ts';
