import { normalizeAccession } from '../contract/identifiers.ts';

/** Addresses of the archive have it in their path, in the document that the viewer shows, or in a parameter. */
const ADDRESS = /^(?:https?:\/\/)?(?:[\w-]+\.)?sec\.gov\/.*?(?<!\d)(\d{10}-?\d{2}-?\d{6})(?!\d)/i;

/** The accession number in an address of the SEC's archive; any other text as it is. */
export function accessionIn(text: string): string {
  const [, accession = ''] = ADDRESS.exec(text.trim()) ?? [];
  return normalizeAccession(accession) ?? text;
}
