/**
 * Returns the SHA-256 of a text as hexadecimal digits. Loads node:crypto on demand, because that takes 2 ms and many
 * commands need no hash.
 */
export const sha256 = (text: string): string => process.getBuiltinModule('node:crypto').hash('sha256', text);
