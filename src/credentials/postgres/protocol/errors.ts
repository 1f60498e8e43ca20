/** Fields of an `ErrorResponse` or `NoticeResponse` by their letters. Source: PostgreSQL 15 documentation, 55.8. */
export type ErrorFields = ReadonlyMap<string, string>;

/** Reads as far as there is something to read: of a long error only the beginning may be there. */
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

/** SQLSTATE of an error, `XX000` where a server says none that is one. */
export function codeOf(fields: ErrorFields): string {
  const code = fields.get('C') ?? '';
  return /^[0-9A-Z]{5}$/u.test(code) ? code : 'XX000';
}
