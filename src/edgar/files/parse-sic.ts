/**
 * Returns an industry code (SIC) with its leading zero, which some sources omit. Null if the text is not a code, and for
 * 0000, which means unknown.
 */
export const parseSic = (text: string | null): string | null =>
  text !== null && /^\d{3,4}$/.test(text) && Number(text) > 0 ? text.padStart(4, '0') : null;
