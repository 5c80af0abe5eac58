/** Hashes of text. */

/** Returns hexadecimal digits. Loads node:crypto on demand: that takes 2 ms, and many commands need no hash. */
export function sha256(text: string): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', text);
}
