/** Rows under a key, in groups whose keys ascend. */
type Groups<Row> = Iterator<readonly [key: number, rows: readonly Row[]]>;

/**
 * Joins groups of rows to companies (or managers) that come in the same order: the returned function gives the rows of a
 * key, empty where there are none. Throws RangeError when keys are not asked for in ascending order, or groups do not
 * ascend, because rows would then be lost without a trace.
 */
export function joinByKey<Row>(groups: Groups<Row>): (key: number) => readonly Row[] {
  let last = Number.NEGATIVE_INFINITY;
  let next = groups.next();
  const advance = () => {
    const before = next.done === true ? null : next.value[0];
    next = groups.next();
    if (before !== null && next.done !== true && next.value[0] <= before) {
      throw new RangeError(`the group ${next.value[0]} comes after ${before}`);
    }
  };
  return (key) => {
    if (key <= last) throw new RangeError(`the rows of ${key} are asked for after those of ${last}`);
    last = key;
    while (next.done !== true && next.value[0] < key) advance();
    return next.done !== true && next.value[0] === key ? next.value[1] : [];
  };
}
