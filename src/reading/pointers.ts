/** Sections that only name another place: "incorporated by reference", "see page 12". */
import type { Block } from './block.ts';

const MAX_POINTER_SECTION = 2_000;
const MAX_POINTER_LENGTH = 500;
/** Share of a section's letters in sentences that point elsewhere. */
const MIN_SHARE = 0.5;
const PLACES =
  /\b(?:pages?|items?|notes?|exhibits?|captions?|headings?|headed|titled|entitled|sections?|proxy statement|annual report|part i{1,3}v?|index|form 10-[kq]|schedules?|financial statements|incorporated)\b|\b(?:see|under|in|to|captioned) [\u201c"]/i;
const VERBS =
  /\b(?:see|refer|reference|referred|set forth|included|contained|contains|appears?|appearing|presented|found|discussed|described|provided|reported|given|submitted|listed|filed|located|disclosed|incorporated|updates?)\b/i;

/** Returns the sentences that point elsewhere, if a section (without its heading) consists of little else; else null. */
export function readPointer(blocks: readonly Block[]): string | null {
  const text = blocks.map((block) => block.text).join(' ');
  if (text.length === 0 || text.length > MAX_POINTER_SECTION || blocks.some(({ kind }) => kind !== 'text')) return null;
  const sentences = text.split(/(?<=[.:;]) (?=[A-Z\u201c"(])/);
  const pointing = sentences.filter((sentence) => VERBS.test(sentence) && PLACES.test(sentence));
  const length = pointing.reduce((sum, sentence) => sum + sentence.length, 0);
  const pointer = pointing.join(' ');
  if (length < text.length * MIN_SHARE) return null;
  return pointer.length > MAX_POINTER_LENGTH ? `${pointer.slice(0, MAX_POINTER_LENGTH)}\u2026` : pointer;
}
