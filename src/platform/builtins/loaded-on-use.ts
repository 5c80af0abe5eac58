/**
 * Returns the SHA-256 of a text as hexadecimal digits. Loads node:crypto on demand, because that takes 2 ms and many
 * commands need no hash.
 */
export const sha256 = (text: string): string => process.getBuiltinModule('node:crypto').hash('sha256', text);

/**
 * Resolves after `ms` milliseconds. Rejects with the signal's reason as soon as the signal aborts. Loads
 * node:timers/promises on demand, because most questions never wait.
 */
export async function sleep(ms: number, signal: AbortSignal | null = null): Promise<void> {
  try {
    await process.getBuiltinModule('node:timers/promises').setTimeout(ms, undefined, signal === null ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
