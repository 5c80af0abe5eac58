/** The words of a name, by whose beginnings it is found. */

/** Without case, accents and punctuation: "Nestlé S.A." is nestle, sa. */
export function nameWords(name: string): string[] {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}.'\u2019]/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
