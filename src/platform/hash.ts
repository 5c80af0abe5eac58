/** Hashes of text. */

/** In hexadecimal digits. Loads node:crypto, which takes 2 ms, only where a hash is needed: many commands need none. */
export function sha256(text: string): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', text);
}
