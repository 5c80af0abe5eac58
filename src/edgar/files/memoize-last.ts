/** For what is asked of one text again and again, as of the days in a file that is in order of days: the last answer is kept. */
export function memoizeLast<Value>(of: (text: string) => Value): (text: string) => Value {
  let last: { readonly text: string; readonly value: Value } | null = null;
  return (text) => {
    if (last === null || last.text !== text) last = { text, value: of(text) };
    return last.value;
  };
}
