/** What people are shown in place of the names the interface gives its states and kinds. Rows keep the names. */
const WORDS: Readonly<Record<string, string>> = {
  // Where a price comes from.
  venue: 'last sale',
  venue_official: 'official close',
  fails: 'fails to deliver',
  nport: 'fund holdings',
  thirteen_f: '13F holdings',
  // A unit.
  pure: 'ratio',
  // What a later filing did to a figure.
  re_expressed: 're-expressed',
};

/** A name that has no words of its own, a newer service's too, is shown as it reads. */
export const displayName = (name: string): string =>
  (Object.hasOwn(WORDS, name) ? WORDS[name] : undefined) ?? name.replaceAll('_', ' ');
