/** Foreign text in a message: short, and harmless on a terminal. */
export function quote(text: string): string {
  const safe = text.replace(/\p{Cc}|\p{Cf}/gu, '�');
  return JSON.stringify(safe.length > 60 ? `${safe.slice(0, 60)}…` : safe);
}
