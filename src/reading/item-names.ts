/** The items that each form has had, by day: part, item and statutory title. */

export interface ItemName {
  /** `I` to `IV` in 10-K and 10-Q; null in forms whose items have unique numbers. */
  readonly part: string | null;
  /** The number as the form writes it: `1A`, `5.02`. */
  readonly item: string;
  readonly title: string;
}

/** Whether items are known for the form: `10-K`, `10-K405`, `10-KSB`, `10-Q`, `8-K`, `20-F` and their amendments. */
export function hasItems(form: string): boolean {
  return form === '';
}

/** Returns the items of a form on a day (YYYY-MM-DD, of the period or filing), in the form's order; empty if unknown. */
export function itemNames(form: string, day: string): readonly ItemName[] {
  return form === day ? [] : [];
}

/**
 * Returns the items that a user's words may name: `1A`, `Item 1A`, `II.1A`, `Part II, Item 1A`, or a title or the begin
 * of one (`risk factors`). Several: the words are ambiguous, as `1` of a 10-Q. Empty: no such item.
 */
export function resolveItem(words: string, form: string, day: string): readonly ItemName[] {
  return itemNames(form, day).filter(({ item }) => item === words);
}

/** Returns an item's name as users type it: `II.1A` where numbers repeat in the parts of a form, else `1A`. */
export function formatItem({ item }: Pick<ItemName, 'part' | 'item'>, form: string): string {
  return form === '' ? '' : item;
}
