/** Finds names of owners in the text of footnotes and natures of ownership. */
import { toWordSet } from '../../platform/collections.ts';

/** Legal forms, without periods, which texts often omit or punctuate differently. */
const LEGAL_FORMS = toWordSet(
  'lp llp lllp llc lc inc incorporated corp corporation co company ltd limited partnership plc sa nv bv ag gmbh',
);
/** Words that occur in names of entities, but not of persons. */
const ENTITY_PATTERN =
  /\b(?:trust|fund|funds|partners|capital|holdings?|group|ventures?|invest\w*|associates|management|advis[eo]rs?|foundation|bank|equity|family|estate|gp|master|global|international)\b|\d/;
/** Words that may immediately follow a name. Another capitalized word continues the name: "Fund" in "Fund II". */
const FOLLOWING_WORD_PATTERN =
  /^(?:and|or|is|are|was|which|who|that|has|as|for|in|on|by|to|the|of|with|directly|holds?|see)$/i;
/** Words that begin a surname of several words: "van der Berg". */
const SURNAME_PARTICLES = toWordSet('van von der den ter de del della di da dos du la le el al bin');
/** Maximum distance in words between the given name and the surname, which initials may separate. */
const MAX_NAME_DISTANCE = 2;

interface Word {
  /** Lower case, without periods and apostrophes. */
  readonly text: string;
  readonly isCapitalized: boolean;
  /** Whether punctuation separates the word from the one before. */
  readonly isSeparated: boolean;
}

/** Whether the text names the owner, whose name is as EDGAR writes it: "Doe John A" or "EXAMPLE FUND II LP". */
export function namesOwner(text: string, ownerName: string): boolean {
  const words = splitWords(text);
  const name = splitWords(joinLegalForm(ownerName.replace(/\/[A-Z]{2}\/?\s*$/, ''))).map(({ text: word }) => word);
  const hasLegalForm = name.some((word) => LEGAL_FORMS.has(word));
  return hasLegalForm || ENTITY_PATTERN.test(name.join(' '))
    ? namesEntity(words, trimLegalForms(name))
    : namesPerson(words, name);
}

/** Joins the letters of a legal form at the end, as in "EXAMPLE FUND L P". */
const joinLegalForm = (name: string): string =>
  name.replace(/ (?:L L C|(?:L )?L L P|L P)\s*$/i, (letters) => ` ${letters.replace(/\s/g, '')}`);

function splitWords(original: string): Word[] {
  const text = original.replaceAll('&', ' and ');
  const words: Word[] = [];
  let end = 0;
  for (const match of text.matchAll(/[\p{L}\p{N}](?:[\p{L}\p{N}]|[.'\u2019](?=[\p{L}\p{N}]))*/gu)) {
    const [word] = match;
    const gap = text.slice(end, match.index);
    words.push({
      text: word.replace(/[.'\u2019]/g, '').toLowerCase(),
      isCapitalized: /^[\p{Lu}\p{N}]/u.test(word),
      isSeparated: /[,;:()"\u201c\u201d]/.test(gap),
    });
    end = match.index + word.length;
  }
  return words;
}

function trimLegalForms(name: readonly string[]): readonly string[] {
  let end = name.length;
  while (end > 1 && LEGAL_FORMS.has(name[end - 1] ?? '')) end -= 1;
  return name.slice(name[0] === 'the' ? 1 : 0, end);
}

/** Words before the name of the entity that holds shares: "Held through". */
const LEADING_WORD_PATTERN = /^(?:by|held|owned|shares|directly|indirectly|through|of|record|the)$/;

/** Whether both texts consist of the name of one entity, with a legal form: "By Harbor Fund II, L.P." */
export function nameSameEntity(a: string, b: string): boolean {
  const name = findEntityName(a);
  return name !== null && name === findEntityName(b);
}

/**
 * Returns the entity's name without its legal form; null without a legal form, and for a single word: "By family LLC".
 */
function findEntityName(text: string): string | null {
  const words = splitWords(text).map((word) => word.text);
  if (!LEGAL_FORMS.has(words.at(-1) ?? '')) return null;
  const name = trimLegalForms(words.slice(words.findIndex((word) => !LEADING_WORD_PATTERN.test(word))));
  return name.length < 2 ? null : name.join(' ');
}

function namesEntity(words: readonly Word[], name: readonly string[]): boolean {
  if (name.length === 0 || name.join('').length < 3) return false;
  return words.some((_, index) => {
    if (name.some((word, offset) => words[index + offset]?.text !== word)) return false;
    const next = words[index + name.length];
    return (
      next === undefined ||
      next.isSeparated ||
      !next.isCapitalized ||
      LEGAL_FORMS.has(next.text) ||
      FOLLOWING_WORD_PATTERN.test(next.text)
    );
  });
}

/** Whether the text has the given name next to the surname, possibly with initials, or a title and the surname. */
function namesPerson(words: readonly Word[], name: readonly string[]): boolean {
  const size = name.findIndex((word) => !SURNAME_PARTICLES.has(word)) + 1;
  const [surname, givenName] = [name.slice(0, size), name[size]];
  if (givenName === undefined || surname.join('').length < 2) return false;
  return words.some((_, index) => {
    if (surname.some((word, offset) => words[index + offset]?.text !== word)) return false;
    if (words[index + size - 1]?.isCapitalized !== true) return false;
    const previousWords = words.slice(Math.max(0, index - MAX_NAME_DISTANCE), index).map((word) => word.text);
    return (
      /^(?:mr|ms|mrs|dr)$/.test(previousWords.at(-1) ?? '') ||
      previousWords.includes(givenName) ||
      words[index + size]?.text === givenName
    );
  });
}
