/** Foreign text in a message: short, and harmless on a terminal. */
export function quote(text: string): string {
  const safe = text.replace(/\p{Cc}|\p{Cf}/gu, '�');
  return JSON.stringify(safe.length > 60 ? `${safe.slice(0, 60)}…` : safe);
}

/** One word of a command line, as a shell takes it: quoted where it has a space or a character that a shell acts on. */
export function shellWord(text: string): string {
  const safe = text.replace(/\p{Cc}|\p{Cf}/gu, '�');
  return /^[\w@%+=:,./-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}
