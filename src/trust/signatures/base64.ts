/** The bytes of a base64 text, or undefined where another text could be made of them: two texts of one signature would look like two. RFC 4648, section 3.5. */
export function strictBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
