/**
 * Text without API keys: one typed as an argument must not come back in an error, a log or a scrollback. A key that
 * lost or gained a few characters is redacted too.
 */
export const redactKeys = (text: string): string => text.replace(/\b([a-z]+_)[A-Za-z0-9]{32,}/g, '$1…');
