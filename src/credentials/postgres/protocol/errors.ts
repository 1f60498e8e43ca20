/** Fields of an `ErrorResponse` or `NoticeResponse` by their letters. Source: PostgreSQL 15 documentation, 55.8. */
export type ErrorFields = ReadonlyMap<string, string>;

/** Reads the fields as far as the body goes. Of a long error, only the beginning may have arrived. */
export function errorFields(body: Buffer): ErrorFields {
  const fields = new Map<string, string>();
  let at = 0;
  while (at < body.length && body[at] !== 0) {
    const end = body.indexOf(0, at);
    if (end < 0) break;
    fields.set(String.fromCharCode(body[at] ?? 0), body.toString('utf8', at + 1, end));
    at = end + 1;
  }
  return fields;
}

/** Returns the SQLSTATE of an error, or `XX000` if the server sent no valid one. */
export function codeOf(fields: ErrorFields): string {
  const code = fields.get('C') ?? '';
  return /^[0-9A-Z]{5}$/u.test(code) ? code : 'XX000';
}
