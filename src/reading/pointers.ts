/** Sections that only name another place: "incorporated by reference", "see page 12". */
import type { Block } from './block.ts';

const MAX_POINTER_SECTION = 2_000;
const MAX_POINTER_LENGTH = 500;
/** Share of a section's letters in sentences that point elsewhere. */
const MIN_SHARE = 0.5;
/** A place with its number or name: "this report" alone is none. */
const PLACE = [
  String.raw`\b(?:pages? [a-z]{0,2}-?\d|items? \d{1,2}[a-z.]?\b|items? \d\.\d\d|notes? (?:\d|[a-z]\b)|exhibits? (?:\d|to)|part i{1,3}v?\b`,
  'captions?|headings?|headed|titled|entitled|captioned|proxy statement|annual report to|news release|press release|index',
  String.raw`(?:our|the|its|\S{1,40}['\u2019]s?) (?:\d{4} |annual |quarterly ){0,3}(?:annual report|report on form|form 10-k)`,
  String.raw`statement schedules?|(?:financial|consolidated) statements)|\b(?:in|under|see|to) [\u201c"]`,
].join('|');
/** "See …", "refer to …", "is set forth in …", "appearing on …", with the place. */
const POINTING = new RegExp(
  String.raw`(?:\b(?:see|refers?|reference is (?:hereby )?made|appears?|appearing|contains)|` +
    String.raw`(?:\b(?:is|are|was|were|be|been|being|factors|risks|those|information|disclosures?|discussion|matters|data|statements)(?: [\w,]+){0,2} |^)` +
    '(?:reported|set forth|included|contained|presented|found|discussed|described|provided|given|submitted|listed|located|disclosed|' +
    String.raw`furnished|attached|filed)(?: [\w(),]+){0,2}? (?:in|under|on|at|as|with|to|elsewhere|beginning|from))\b.{0,150}?(?:${PLACE})`,
  'i',
);
const INCORPORATED = new RegExp(String.raw`(?:${PLACE}).*\bincorporate|\bincorporate.*(?:${PLACE})`, 'i');
/** Sentences that only deny liability name no place, and count neither way. */
const DISCLAIMER = /\bdeemed (?:to be )?(?:["\u201c]?filed|incorporated by reference in(?:to)? any)/i;
/** Ends of sentences; initials and abbreviations end none, "Inc." only before such words. */
const SENTENCE_END =
  /(?<=[.:;])(?<!(?:^|[^\w-])(?:[A-Z]|Nos?|Mrs?|Ms|Dr|St|(?:Item|Note) \w{1,3}|(?:Inc|Co|Corp|Ltd)(?!\. (?:An?|The|This|In|On|For|See|Our|We) ))\.) (?=[A-Z\u201c"(])/;

/** Returns the sentences that point elsewhere, if a section (without its heading) consists of little else; else null. */
export function readPointer(blocks: readonly Block[]): string | null {
  const text = blocks.map((block) => block.text).join(' ');
  const isTable = ({ kind, text }: Block): boolean => kind !== 'text' && /\w/.test(text.replaceAll('_', ''));
  if (text.length > MAX_POINTER_SECTION || blocks.some(isTable)) return null;
  const sentences = text.split(SENTENCE_END).filter((sentence) => !DISCLAIMER.test(sentence));
  const pointing = sentences.filter((sentence) => POINTING.test(sentence) || INCORPORATED.test(sentence));
  const pointer = pointing.join(' ');
  if (pointer === '' || pointer.length < sentences.join(' ').length * MIN_SHARE) return null;
  return pointer.length > MAX_POINTER_LENGTH ? `${pointer.slice(0, MAX_POINTER_LENGTH)}\u2026` : pointer;
}
